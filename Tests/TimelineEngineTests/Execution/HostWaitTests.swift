import Testing
import TimelineCore
import TimelineEngine
import TimelineEngineTestSupport

/// Runs whose plugin is not called, as there is no plugin host for them.
@Suite struct `A run that waits for a plugin host` {
  private let a = name("a")
  private let first = RunID(number: 1)

  /// A job that is due at 0, and whose run waits since then.
  private func waiting(
    _ schedule: ScheduleRule = every(100), _ adjust: (inout JobPolicies) -> Void = { _ in }
  ) -> EngineState {
    let jobs = [job("a", schedule, adjust), job("b", at(1_000)) { $0.timeout = .seconds(1) }]
    var engine = EngineState(jobs: jobs, startedAt: t(0), claims: .grant)
    _ = engine.handle(.wake, at: t(0))
    _ = engine.handle(.attemptWaits(first), at: t(0))
    return engine
  }

  @Test func `is started when its plugin is called, and its timeout counts from then`() {
    var engine = waiting { ($0.timeout, $0.waitingTimeout) = (.seconds(3), .minutes(1)) }
    #expect(engine.handle(.wake, at: t(30)).isEmpty)
    #expect(engine.handle(.attemptBegan(first, late: .seconds(40)), at: t(40)).arm == t(43))
    #expect(engine.handle(.wake, at: t(43)).contains(.askToStop(first, .timeout)))
    let record = engine.handle(.attemptEnded(first, success), at: t(44)).settled.first
    #expect(record?.outcome == .timedOut && record?.startedAt == t(40))
  }

  /// The end of a run that has waited until `second` without a plugin host.
  private func end(of engine: EngineState, at second: Int64) -> EntryRecord? {
    var engine = engine
    let effects = engine.handle(.wake, at: t(second))
    guard effects.contains(.dequeue(first)) else { return nil }
    return engine.handle(.attemptEnded(first, AttemptResult(status: .cancelled)), at: t(second)).settled
      .first
  }

  @Test func `is given up after its timeout or its own bound as limited, and was never started`() {
    let tables: [(timeout: Int64?, bound: Int64?, second: Int64, key: String)] = [
      (1, nil, 1, "`timeout` of 1s"), (1, 5, 5, "`waiting-timeout` of 5s"),
      (nil, 2, 2, "`waiting-timeout` of 2s"),
    ]
    for (timeout, bound, second, key) in tables {
      let engine = waiting {
        ($0.timeout, $0.waitingTimeout) = (timeout.map { .seconds($0) }, bound.map { .seconds($0) })
      }
      #expect(end(of: engine, at: second - 1) == nil)
      let record = end(of: engine, at: second)
      #expect(record?.outcome == .limited && record?.startedAt == nil && record?.attempts == 0)
      #expect(record?.run == first && record?.elapsed == nil)
      #expect(record?.reason.contains(key) == true && record?.reason.contains("`plugin-hosts-max`") == true)
    }
    #expect(end(of: waiting(), at: 99) == nil, "without a bound it waits")
  }

  @Test func `is missed when its window closes`() {
    let engine = waiting { $0.missed.window = .seconds(10) }
    #expect(end(of: engine, at: 10) == nil)
    #expect(end(of: engine, at: 11)?.outcome == .missed)
    #expect(end(of: engine, at: 11)?.startedAt == nil)
  }

  @Test func `causes the reaction to missed entries, and not the reaction to failures`() {
    let jobs = [
      job("a", at(0)) {
        $0.timeout = .seconds(1)
        $0.reactions = Reactions(onFailure: name("failed"), onMissed: name("missed"))
      }, job("failed", at(1_000)), job("missed", at(1_000)),
    ]
    var engine = EngineState(jobs: jobs, startedAt: t(0), claims: .grant)
    _ =
      engine.handle(.wake, at: t(0)) + engine.handle(.attemptWaits(first), at: t(0))
      + engine.handle(.wake, at: t(1))
    let starts = engine.handle(.attemptEnded(first, AttemptResult(status: .cancelled)), at: t(1)).starts
    #expect(starts.map(\.entry.job) == [name("missed")])
  }

  @Test func `continues if it has its host when its wait ends`() {
    var engine = waiting { $0.timeout = .seconds(1) }
    #expect(engine.handle(.wake, at: t(1)).contains(.dequeue(first)))
    _ = engine.handle(.attemptBegan(first, late: .seconds(1)), at: t(1))
    #expect(engine.handle(.attemptEnded(first, success), at: t(1)).settled.map(\.outcome) == [.succeeded])
  }

  @Test func `is cancelled without a start, and superseded by cancel-other`() {
    var engine = waiting()
    #expect(engine.handle(.cancel(first), at: t(1)).contains(.askToStop(first, .cancel)))
    let record = engine.handle(.attemptEnded(first, AttemptResult(status: .cancelled)), at: t(1)).settled
      .first
    #expect(record?.outcome == .cancelled && record?.startedAt == nil)

    var other = waiting { $0.overlap = .cancelOther }
    #expect(other.handle(.wake, at: t(100)).contains(.askToStop(first, .cancel)))
    let effects = other.handle(.attemptEnded(first, AttemptResult(status: .cancelled)), at: t(100))
    #expect(effects.settled.map(\.outcome) == [.superseded])
    #expect(effects.starts.map(\.entry.nominal) == [t(100)])
  }

  @Test func `ends as shut-down in a drain, at once and without a start`() {
    var engine = waiting()
    #expect(engine.handle(.drain(patience: nil), at: t(1)).contains(.dequeue(first)))
    let effects = engine.handle(.attemptEnded(first, AttemptResult(status: .cancelled)), at: t(1))
    #expect(effects.settled.map(\.outcome) == [.shutDown])
    #expect(effects.settled.first?.startedAt == nil)
    #expect(effects.last == .drained)
  }

  @Test func `leaves its entry open for the next daemon`() {
    var engine = EngineState(jobs: [job("a", at(0))], startedAt: t(0))
    _ = engine.handle(.wake, at: t(0))
    let key = EntryKey(job: a, nominal: t(0))
    _ = engine.handle(.claimsAnswered([ClaimAnswer(entry: key, verdict: .granted)]), at: t(0))
    _ = engine.handle(.attemptWaits(first), at: t(0))
    #expect(engine.handle(.leave, at: t(1)).contains(.dequeue(first)))
    let effects = engine.handle(.attemptEnded(first, AttemptResult(status: .cancelled)), at: t(1))
    #expect(effects.settled.isEmpty && effects.last == .drained)
  }

  @Test func `ends as missed if its job is removed`() {
    var engine = waiting()
    #expect(engine.handle(.reload([]), at: t(1)).contains(.dequeue(first)))
    let record = engine.handle(.attemptEnded(first, AttemptResult(status: .cancelled)), at: t(1)).settled
      .first
    #expect(record?.outcome == .missed && record?.startedAt == nil)
  }

  @Test func `is the reason of an entry that it overlaps`() {
    var engine = waiting()
    let record = engine.handle(.wake, at: t(100)).settled.first
    #expect(record?.outcome == .overlapped)
    #expect(record?.reason == "the previous run still waited for a plugin host")
  }

  @Test func `keeps its bound when the clock is set`() {
    var engine = waiting { $0.timeout = .seconds(10) }
    _ = engine.handle(.clockStepped(by: .seconds(100)), at: t(105))
    #expect(engine.nextDeadline == t(110))
  }

  @Test func `ends with the result of the last attempt if it waits for a further one`() {
    var engine = EngineState(
      jobs: [
        job("a", at(0)) {
          $0.retry = RetryPolicy(
            attempts: 3, backoffFrom: .seconds(1), backoffTo: .seconds(1), jitterPercent: 0)
          $0.waitingTimeout = .seconds(5)
        }
      ], startedAt: t(0), claims: .grant)
    _ = engine.handle(.wake, at: t(0))
    let outcome = AttemptResult(status: .failed, isWorthRetrying: true, message: "no route to host")
    _ = engine.handle(.attemptEnded(first, outcome), at: t(1))
    #expect(engine.wait(of: first)?.reason == .backOff(until: t(2)))
    #expect(engine.handle(.wake, at: t(2)).starts.map(\.number) == [2])
    _ = engine.handle(.attemptWaits(first), at: t(2))
    #expect(engine.wait(of: first)?.reason == .pluginHost)
    #expect(engine.handle(.wake, at: t(7)).contains(.dequeue(first)))
    let record = engine.handle(.attemptEnded(first, AttemptResult(status: .cancelled)), at: t(7)).settled
      .first
    #expect(record?.outcome == .failed && record?.attempts == 1 && record?.startedAt == t(0))
    #expect(record?.reason.hasPrefix("no route to host; it was not tried again: no plugin host") == true)
  }
}
