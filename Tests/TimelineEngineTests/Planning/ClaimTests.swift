import Testing
import TimelineCore
import TimelineEngine
import TimelineEngineTestSupport

@Suite struct `Requests for claims and their answers` {
  private let a = name("a")

  private func key(_ seconds: Int64) -> EntryKey { EntryKey(job: a, nominal: t(seconds)) }

  private func answer(_ seconds: Int64, _ verdict: ClaimAnswer.Verdict) -> EngineEvent {
    .claimsAnswered([ClaimAnswer(entry: key(seconds), verdict: verdict)])
  }

  @Test func `the next entries are claimed as soon as they are known, in one request`() {
    let jobs = [job("a", every(10)), job("b", every(60)), job("fast", every(.milliseconds(100), from: t(3)))]
    var engine = EngineState(jobs: jobs, startedAt: t(1))
    #expect(engine.handle(.wake, at: t(1)).claims == [key(10), EntryKey(job: name("b"), nominal: t(60))])
    _ = engine.handle(answer(10, .granted), at: t(1))
    let due = engine.handle(.wake, at: t(10))
    #expect(due.starts.map(\.entry).contains(key(10)))
    #expect(due.claims == [key(20)])
  }

  @Test func `a deadline that comes before the answer waits for it`() {
    var engine = EngineState(jobs: [job("a", every(10))], startedAt: t(1))
    _ = engine.handle(.wake, at: t(1))
    #expect(engine.handle(.wake, at: t(10)).starts.isEmpty)
    #expect(engine.earliestOpenEntry == t(10))
    let answered = engine.handle(answer(10, .granted), at: t(12))
    #expect(answered.starts.map(\.entry) == [key(10)])
    #expect(answered.starts.map(\.startedAt) == [t(12)])
  }

  @Test
  func `entries that were due before their answers go by priority, and not by the order of the answers`() {
    let g = group("g")
    let jobs = [
      job("low", every(10)) { $0.groups = [g] },
      job("high", every(10)) {
        $0.groups = [g]
        $0.priority = 100
      },
      job("earlier", at(9)) { $0.groups = [g] },
    ]
    var engine = EngineState(
      jobs: jobs, groups: [g: 1], startedAt: t(10),
      watermarks: [name("low"): t(0), name("high"): t(0), name("earlier"): t(0)])
    let asked = engine.handle(.wake, at: t(10)).claims
    #expect(asked.prefix(3).map(\.job.text) == ["low", "high", "earlier"])
    var effects = engine.handle(
      .claimsAnswered(asked.map { ClaimAnswer(entry: $0, verdict: .granted) }), at: t(10))
    var order: [String] = []
    while let start = effects.starts.first {
      order.append(start.entry.job.text)
      effects = engine.handle(.attemptEnded(start.run, success), at: t(11))
    }
    #expect(order == ["earlier", "high", "low"])
  }

  @Test func `an entry whose claim is denied is neither run nor settled here`() {
    var engine = EngineState(jobs: [job("a", every(10))], startedAt: t(1))
    _ = engine.handle(.wake, at: t(1))
    _ = engine.handle(answer(10, .denied), at: t(2))
    let due = engine.handle(.wake, at: t(10))
    #expect(due.starts.isEmpty)
    #expect(due.settled.isEmpty)
    #expect(due.claims == [key(20)])
  }

  @Test func `no trigger gets the instant of a loop's entry that another node was granted`()
    throws
  {
    var engine = EngineState(jobs: [job("a", loop(.seconds(10)))], startedAt: t(0))
    let first = engine.handle(.wake, at: t(0)).claims
    let granted = first.map { ClaimAnswer(entry: $0, verdict: .granted) }
    let run = engine.handle(.claimsAnswered(granted), at: t(0)).starts.map(\.run)
    try #require(run.count == 1)
    #expect(engine.handle(.attemptEnded(run[0], success), at: t(1)).claims == [key(10)])
    _ = engine.handle(answer(10, .denied), at: t(2))
    let before = t(10) - .nanoseconds(1)
    let trigger = engine.handle(.trigger(a), at: before).claims
    _ = engine.handle(
      .claimsAnswered(trigger.map { ClaimAnswer(entry: $0, verdict: .granted) }), at: before)
    let claims = trigger + engine.handle(.trigger(a), at: before).claims
    #expect(claims.map(\.nominal) == [t(10) + .nanoseconds(1), t(10) + .nanoseconds(2)])
  }

  @Test func `a denied entry that jitter delays stays with the other node when its job changes`() {
    var jittered = job("a", every(10))
    jittered.timing.jitter = .seconds(9)
    var engine = EngineState(jobs: [jittered], startedAt: t(1))
    _ = engine.handle(.wake, at: t(1))
    _ = engine.handle(answer(10, .denied), at: t(2))
    var changed = jittered
    changed.policies.missed.window = .zero
    let reload = engine.handle(.reload([changed]), at: t(10))
    #expect(reload.settled.isEmpty)
    #expect(reload.claims == [key(20)])
    #expect(engine.handle(.wake, at: t(19)).settled.isEmpty)
  }

  @Test(arguments: [(DeliveryPolicy.atMostOnce, false), (.atLeastOnce, true)])
  func `where the ledger has no answer, the delivery policy decides`(
    _ delivery: DeliveryPolicy, _ runs: Bool
  ) {
    var engine = EngineState(jobs: [job("a", every(10)) { $0.delivery = delivery }], startedAt: t(1))
    _ = engine.handle(.wake, at: t(1))
    _ = engine.handle(answer(10, .unknown), at: t(2))
    let due = engine.handle(.wake, at: t(10))
    #expect(due.starts.isEmpty == !runs)
    #expect(due.settled.map(\.outcome) == (runs ? [] : [.unknown]))
  }

  @Test func `a trigger and the latest of several missed entries are claimed at their time`() {
    var engine = EngineState(jobs: [job("a", every(10))], startedAt: t(1))
    _ = engine.handle(.wake, at: t(1))
    #expect(engine.handle(.trigger(a), at: t(3)).claims == [key(3)])
    #expect(engine.handle(answer(3, .granted), at: t(3)).starts.map(\.cause) == [.trigger])
    _ = engine.handle(.attemptEnded(RunID(number: 1), success), at: t(3))
    // In the order of the entries: the entry that is to run comes first.
    #expect(engine.handle(.wake, at: t(55)).claims == [key(50), key(60)])
    #expect(engine.handle(answer(50, .granted), at: t(56)).starts.map(\.entryCount) == [5])
  }

  @Test func `claims that a reload or a drain makes useless are withdrawn`() {
    var engine = EngineState(jobs: [job("a", every(10))], startedAt: t(1))
    _ = engine.handle(.wake, at: t(1))
    _ = engine.handle(answer(10, .granted), at: t(2))
    let changed = engine.handle(.reload([job("a", every(7))]), at: t(3))
    #expect(changed.withdrawn == [key(10)])
    #expect(changed.claims == [key(7)])
    // A late answer has no effect.
    #expect(engine.handle(answer(10, .granted), at: t(4)) == [])
    #expect(engine.handle(.drain(patience: nil), at: t(5)).withdrawn == [key(7)])
  }
}
