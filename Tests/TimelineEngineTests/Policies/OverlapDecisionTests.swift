import Testing
import TimelineCore

@testable import TimelineEngine

@Suite struct `The overlap decision` {
  struct Row: Sendable {
    var policy: OverlapPolicy
    /// With a run in the way; with a full group only; the same two with an entry that waits; with as many as may wait.
    var decisions: [OverlapDecision]
    var isAskedFor = false
  }

  private static func superseding(_ stop: OverlapDecision.Stop) -> [OverlapDecision] {
    [stop, nil, stop, nil, stop].map { .supersede(stopping: $0) }
  }

  static let rows: [Row] = [
    Row(policy: .skip, decisions: [.overlapped, .wait, .overlapped, .alreadyWaiting, .overlapped]),
    Row(policy: .bufferOne, decisions: [.wait, .wait, .alreadyWaiting, .alreadyWaiting, .alreadyWaiting]),
    Row(policy: .bufferAll, decisions: [.wait, .wait, .wait, .wait, .limited]),
    Row(policy: .allowAll, decisions: [.wait, .wait, .wait, .wait, .limited]),
    Row(policy: .cancelOther, decisions: superseding(.ask)),
    Row(policy: .terminateOther, decisions: superseding(.kill)),
    // Entries that the operator chose at the end of a pause are not dropped in favor of those before them.
    Row(policy: .skip, decisions: [.wait, .wait, .wait, .wait, .limited], isAskedFor: true),
    Row(policy: .bufferOne, decisions: [.wait, .wait, .wait, .wait, .limited], isAskedFor: true),
  ]

  @Test func `has a test row for every policy`() {
    #expect(Set(Self.rows.filter { !$0.isAskedFor }.map(\.policy)) == Set(OverlapPolicy.allCases))
  }

  private func decision(
    _ row: Row, hasRoom: Bool, mayStart: Bool = false, waiting: Int = 0
  ) -> OverlapDecision {
    OverlapDecision(
      row.policy, isAskedFor: row.isAskedFor, hasRoom: hasRoom, mayStart: mayStart, waiting: waiting,
      waitingMax: 3)
  }

  @Test(arguments: rows) func `follows its job's policy`(_ row: Row) {
    #expect(
      [
        decision(row, hasRoom: false), decision(row, hasRoom: true),
        decision(row, hasRoom: false, waiting: 1), decision(row, hasRoom: true, waiting: 1),
        decision(row, hasRoom: false, waiting: 3),
      ] == row.decisions)
  }

  @Test(arguments: rows) func `is a start only if there is room`(_ row: Row) {
    #expect(decision(row, hasRoom: true, mayStart: true) == .start)
    // Room in the groups does not help a job without room of its own.
    #expect(decision(row, hasRoom: false, mayStart: true) == decision(row, hasRoom: false))
  }
}
