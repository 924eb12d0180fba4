import Testing
import TimelineCore
import TimelineEngine
import TimelineEngineTestSupport

/// One rule for entries that were not run in time, for each cause.
@Suite struct `Entries of 10, 20 and 30 that are noticed at 35` {
  private enum Cause: CaseIterable { case downtime, suspend, clockStep, lateWake }

  private static let rows: [(MissedPolicy, [Int64])] = [
    (MissedPolicy(choice: .latest), [30]), (MissedPolicy(choice: .latest, window: .seconds(5)), [30]),
    (MissedPolicy(choice: .latest, window: .seconds(4)), []), (MissedPolicy(choice: .all), [10, 20, 30]),
    (MissedPolicy(choice: .all, window: .seconds(16)), [20, 30]), (MissedPolicy(choice: .skip), []),
    (MissedPolicy(choice: .skip, window: .hours(1)), []),
  ]

  @Test(arguments: Cause.allCases, rows)
  private func `come under the missed policy`(_ cause: Cause, _ row: (policy: MissedPolicy, runs: [Int64])) {
    let jobs = [
      job("a", every(10)) {
        $0.missed = row.policy
        $0.overlap = .allowAll
      }
    ]
    let memory = cause == .downtime ? [name("a"): t(0)] : [:]
    var engine = EngineState(
      jobs: jobs, startedAt: cause == .downtime ? t(35) : t(1), watermarks: memory, claims: .grant)
    if cause != .downtime { _ = engine.handle(.wake, at: t(1)) }
    let event: EngineEvent =
      switch cause {
      case .downtime, .lateWake: .wake
      // What slept through it has an elapsed time that slept too, and the length is known or not.
      case .suspend: .clockStepped(by: .zero)
      case .clockStep: .clockStepped(by: .seconds(34))
      }
    let effects = engine.handle(event, at: t(35))
    #expect(effects.starts.map(\.entry.nominal) == row.runs.map(t))
    #expect(effects.starts.allSatisfy { $0.cause == .missed })
    let missed = effects.settled
    #expect(missed.allSatisfy { $0.outcome == .missed })
    #expect(missed.reduce(0) { $0 + $1.entryCount } == 3 - row.runs.count)
    if row.policy == MissedPolicy(choice: .skip) {
      #expect(missed.allSatisfy { $0.reason == "missed entries of this job are skipped" })
    }
    #expect(effects.arm == .some(t(40)))
  }

  @Test func `a step of ten years costs one record and one run`() {
    var engine = EngineState(jobs: [job("a", every(1))], startedAt: t(1), claims: .grant)
    _ = engine.handle(.wake, at: t(1))
    _ = engine.handle(.attemptEnded(.number(1), success), at: t(1))
    let decade = ElapsedTime.days(3_652)
    let effects = engine.handle(.clockStepped(by: decade), at: t(1) + decade)
    #expect(effects.settled.map(\.entryCount) == [3_652 * 86_400 - 1])
    #expect(effects.starts.map(\.entryCount) == [3_652 * 86_400])
    // A step back decides nothing again at once, and does not stop the job for ten years.
    let back = engine.handle(.clockStepped(by: .zero - decade), at: t(2))
    #expect(back.starts.isEmpty && back.settled.isEmpty)
    #expect(engine.status(of: name("a"), at: t(2))?.settledThrough == nil)
    #expect(engine.status(of: name("a"), at: t(2))?.next == t(3))
  }

  @Test func `a job that cannot keep up ends entries as limited`() {
    let jobs = [job("a", every(1), lasts: 2_000) { $0.overlap = .bufferAll }]
    let picture = Picture(of: jobs, seconds: JobPolicies().waitingMax + 3)
    let limited = picture.effects.settled.filter { $0.outcome == .limited }
    #expect(limited.count == 2)
    #expect(limited.allSatisfy { $0.reason.contains("`waiting-max` allows (1000)") })
  }
}
