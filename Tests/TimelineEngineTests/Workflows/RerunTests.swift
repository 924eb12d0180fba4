import Testing
import TimelineCore
import TimelineEngineTestSupport

@testable import TimelineEngine

@Suite struct `A rerun` {
  private let a = name("a")
  private let first = RerunOrigin(of: t(0), number: 1)

  /// An engine whose job has run its entries at 0 s and 10 s, and waits for 20 s.
  private func engine(
    _ claims: ClaimRule = .grant, _ adjust: (inout JobPolicies) -> Void = { _ in }
  ) -> EngineState {
    var engine = EngineState(jobs: [job("a", every(10), adjust)], startedAt: t(0), claims: claims)
    for (run, second) in [(1, 0), (2, 10)] as [(UInt64, Int64)] {
      handle(.wake, &engine, at: second)
      handle(.attemptEnded(.number(run), failure), &engine, at: second + 1)
    }
    return engine
  }

  /// Passes an event to the engine, and grants the claims that follow.
  @discardableResult
  private func handle(_ event: EngineEvent, _ engine: inout EngineState, at second: Int64) -> [EngineEffect] {
    var (effects, next) = ([EngineEffect](), [event])
    while let event = next.popLast() {
      let new = engine.handle(event, at: t(second))
      for case .claim(let keys) in new {
        next.append(.claimsAnswered(keys.map { ClaimAnswer(entry: $0, verdict: .granted) }))
      }
      effects += new
    }
    return effects
  }

  private var entry: EntryKey { EntryKey(job: a, nominal: t(12)) }

  @Test(arguments: [ClaimRule.grant, .ask])
  func `has an entry of its own, and its attempt and its record name the entry that it repeats`(
    _ claims: ClaimRule
  ) throws {
    var engine = engine(claims)
    let effects = handle(.rerun(a, first), &engine, at: 12)
    let start = try #require(effects.starts.first)
    #expect(effects.first == .noteRerun(entry, first), "it is recorded before it is claimed and started")
    #expect(start.entry == entry && start.cause == .rerun && start.rerun == first)
    let record = try #require(handle(.attemptEnded(start.run, success), &engine, at: 13).settled.first)
    #expect(record.entry == entry && record.cause == .rerun && record.rerun == first)
    #expect(!record.isAhead && record.outcome == .succeeded)
  }

  @Test func `moves no watermark: the next entries come as without it`() {
    var (engine, other) = (engine(), engine())
    let start = handle(.rerun(a, first), &engine, at: 12).starts[0]
    handle(.attemptEnded(start.run, success), &engine, at: 13)
    #expect(engine.status(of: a, at: t(13))?.next == other.status(of: a, at: t(13))?.next)
    for second in [Int64(20), 30] {
      #expect(
        handle(.wake, &engine, at: second).starts.map(\.entry)
          == handle(.wake, &other, at: second).starts.map(\.entry))
      handle(.attemptEnded(.number(UInt64(second / 10) + 2), success), &engine, at: second + 1)
      handle(.attemptEnded(.number(UInt64(second / 10) + 1), success), &other, at: second + 1)
    }
  }

  @Test(
    arguments: [
      (0, nil), (10, nil), (-10, .notOfSchedule), (5, .notOfSchedule), (20, .undecided), (30, .undecided),
    ] as [(Int64, RerunRefusal?)])
  func `is for a decided entry of the schedule`(_ second: Int64, _ refusal: RerunRefusal?) {
    var engine = engine()
    #expect(engine.rerunRefusal(a, of: t(second), at: t(15)) == refusal)
    let effects = handle(.rerun(a, RerunOrigin(of: t(second), number: 1)), &engine, at: 15)
    #expect(effects.starts.isEmpty == (refusal != nil))
    if refusal != nil { #expect(effects.isEmpty, "the engine checks it as well") }
  }

  @Test func `waits for the outcome of the entry, and for the end of another rerun of it`() {
    var engine = engine { $0.overlap = .allowAll }
    handle(.wake, &engine, at: 20)
    #expect(engine.rerunRefusal(a, of: t(20), at: t(20)) == .undecided, "it runs")
    let start = handle(.rerun(a, first), &engine, at: 21).starts[0]
    #expect(engine.rerunRefusal(a, of: t(0), at: t(21)) == .active)
    #expect(engine.rerunRefusal(a, of: t(10), at: t(21)) == nil, "of another entry")
    #expect(handle(.rerun(a, RerunOrigin(of: t(0), number: 2)), &engine, at: 22).isEmpty)
    handle(.attemptEnded(start.run, failure), &engine, at: 23)
    #expect(engine.rerunRefusal(a, of: t(0), at: t(23)) == nil)
    #expect(handle(.rerun(a, RerunOrigin(of: t(0), number: 2)), &engine, at: 24).starts.count == 1)
  }

  @Test func `is refused for entries of a pause, of animations and of counted jobs`() {
    let jobs = [job("a", every(10)), job("b", loop(.seconds(2))), job("c", every(.milliseconds(100)))]
    var engine = EngineState(jobs: jobs, startedAt: t(0), claims: .grant)
    handle(.wake, &engine, at: 0)
    handle(.pause(a), &engine, at: 5)
    #expect(engine.rerunRefusal(a, of: t(10), at: t(15)) == .undecided)
    #expect(engine.rerunRefusal(name("b"), of: t(0), at: t(15)) == .closedLoop)
    #expect(engine.rerunRefusal(name("c"), of: t(0), at: t(15)) == .counted)
    #expect(engine.rerunRefusal(name("nobody"), of: t(0), at: t(15)) == nil)
    #expect(!handle(.rerun(name("nobody"), first), &engine, at: 15).contains { $0.isRerun })
  }

  @Test func `follows the overlap policy, starts in a pause, and is tried again like a trigger`() {
    var engine = engine {
      $0.retry = RetryPolicy(attempts: 2, backoffFrom: .seconds(2), backoffTo: .seconds(2), jitterPercent: 0)
    }
    handle(.pause(a), &engine, at: 11)
    let start = handle(.rerun(a, first), &engine, at: 12).starts[0]
    let other = handle(.rerun(a, RerunOrigin(of: t(10), number: 1)), &engine, at: 13)
    #expect(other.settled.map(\.outcome) == [.overlapped])
    #expect(other.settled.first?.rerun?.of == t(10))
    handle(.attemptEnded(start.run, passingFailure), &engine, at: 14)
    let again = handle(.wake, &engine, at: 16).starts
    #expect(again.map(\.number) == [2] && again.map(\.rerun) == [first] && again.map(\.cause) == [.rerun])
  }

  @Test func `keeps its cause and its entry when a later daemon starts it again`() {
    var open = OpenRun(run: .number(5), entry: entry, cause: .rerun, attempts: 1, startedAt: t(12))
    open.rerun = first
    for (isKnown, outcomes) in [(true, []), (false, [Outcome.unknown])] {
      if !isKnown { open.rerun = nil }
      var next = EngineState(
        jobs: [job("a", every(10)) { $0.delivery = .atLeastOnce }], startedAt: t(15), watermarks: [a: t(10)],
        open: [open], lastRun: .number(5), claims: .grant)
      #expect(next.rerunRefusal(a, of: t(0), at: t(15)) == (isKnown ? .active : nil))
      let effects = handle(.wake, &next, at: 15)
      #expect(effects.starts.map(\.cause) == (isKnown ? [.rerun] : []))
      #expect(effects.starts.map(\.rerun) == (isKnown ? [first] : []))
      #expect(effects.settled.map(\.outcome) == outcomes)
    }
  }

  @Test func `that waited goes on at a later daemon, and one that was only claimed ends as missed`() {
    var open = OpenRun(run: .number(0), entry: entry, cause: .rerun, attempts: 0, startedAt: t(12))
    open.rerun = first
    for hasWaited in [true, false] {
      open.hasWaited = hasWaited
      var next = EngineState(
        jobs: [job("a", every(10))], startedAt: t(15), watermarks: [a: t(10)], open: [open], claims: .grant)
      let effects = handle(.wake, &next, at: 15)
      #expect(effects.starts.map(\.rerun) == (hasWaited ? [first] : []))
      #expect(effects.settled.map(\.outcome) == (hasWaited ? [] : [.missed]))
      #expect(effects.settled.allSatisfy { $0.cause == .rerun && $0.rerun == first })
    }
  }

  @Test func `ends with the node's ownership of its job, with a reason of its own`() {
    var engine = engine(.ask) { $0.overlap = .bufferAll }
    handle(.wake, &engine, at: 20)
    #expect(handle(.rerun(a, first), &engine, at: 21).starts.isEmpty)
    let left = handle(.handOver([a]), &engine, at: 22)
    #expect(left.settled.map(\.cause) == [.rerun] && left.settled.map(\.outcome) == [.missed])
    #expect(left.settled.first?.reason.contains("rerun it on the node that owns the job") ?? false)
    #expect(left.settled.first?.rerun == first)
  }
}

extension EngineEffect {
  /// Whether the effect records a rerun.
  fileprivate var isRerun: Bool { if case .noteRerun = self { true } else { false } }
}
