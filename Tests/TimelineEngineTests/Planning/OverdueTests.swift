import Testing
import TimelineCore
import TimelineEngineTestSupport

@testable import TimelineEngine

@Suite struct `When an entry is overdue` {
  /// Seconds from the entry to the next one, `nil` for no further one; seconds of delay by jitter; seconds at which it is
  /// overdue, and is not yet.
  @Test(
    arguments: [
      (1, 0, 60, 59), (60, 0, 60, 59), (300, 0, 300, 299), (3_600, 0, 3_600, 3_599),
      (86_400, 0, 3_600, 3_599),
      (nil, 0, 3_600, 3_599), (300, 100, 400, 399),
    ] as [(Int64?, Int64, Int64, Int64)])
  func `follows from its schedule`(_ gap: Int64?, _ jitter: Int64, _ late: Int64, _ inTime: Int64) {
    func isOverdue(at second: Int64) -> Bool {
      OverdueDecision(nominal: t(0), due: t(jitter), following: gap.map(t)).instant <= t(second)
    }
    #expect(isOverdue(at: late) && !isOverdue(at: inTime))
  }

  private func overdue(_ text: String, _ engine: EngineState, at second: Int64) -> WallInstant? {
    engine.status(of: name(text), at: t(second))?.overdueEntry
  }

  @Test func `it waits for a group, until it begins`() {
    let jobs = [
      job("a", at(0)) { $0.groups = [group("g")] },
      job("b", every(100)) { ($0.groups, $0.overlap) = ([group("g")], .bufferAll) },
    ]
    var engine = EngineState(jobs: jobs, groups: [group("g"): 1], startedAt: t(0), claims: .grant)
    _ = engine.handle(.wake, at: t(0)) + engine.handle(.wake, at: t(100))
    #expect(overdue("b", engine, at: 99) == nil)
    #expect(overdue("b", engine, at: 100) == t(0) && overdue("b", engine, at: 200) == t(0), "the oldest")
    #expect(overdue("a", engine, at: 10_000) == nil, "a run that takes long has begun")
    _ = engine.handle(.pause(name("b")), at: t(150))
    #expect(overdue("b", engine, at: 1_000) == nil, "somebody wants it so")
    _ = engine.handle(.resume(name("b"), catchUp: .skip), at: t(1_000))
    _ = engine.handle(.attemptEnded(.number(1), AttemptResult(status: .succeeded)), at: t(1_001))
    #expect(overdue("b", engine, at: 1_099) == nil)
  }

  @Test func `it waits for a plugin host, or for the ledger, or the daemon was interrupted`() {
    var engine = EngineState(jobs: [job("a", at(0))], startedAt: t(0), claims: .grant)
    #expect(overdue("a", engine, at: 3_600) == t(0), "nothing has happened yet")
    _ = engine.handle(.wake, at: t(0)) + engine.handle(.attemptWaits(.number(1)), at: t(0))
    #expect(overdue("a", engine, at: 3_599) == nil && overdue("a", engine, at: 3_600) == t(0))
    _ = engine.handle(.attemptBegan(.number(1), late: .seconds(3_600)), at: t(3_600))
    #expect(overdue("a", engine, at: 3_601) == nil)

    var asking = EngineState(jobs: [job("a", at(0))], startedAt: t(0))
    _ = asking.handle(.wake, at: t(0))
    #expect(overdue("a", asking, at: 3_600) == t(0))
  }
}
