import Testing
import TimelineCore
import TimelineEngineTestSupport

@testable import TimelineEngine

@Suite struct `Whether a late entry runs` {
  struct Row: Sendable {
    var cause: RunCause
    var isAskedFor = false
    /// With the choice `latest`, `skip`, and each of them within and beyond a window of 5 s.
    var decisions: [MissedDecision]
  }

  @Test(arguments: [
    Row(cause: .schedule, decisions: [.run, .run, .run, .run, .tooLate, .tooLate]),
    Row(cause: .missed, decisions: [.run, .skipped, .run, .skipped, .tooLate, .tooLate]),
    Row(cause: .recovery, decisions: [.run, .run, .run, .run, .tooLate, .tooLate]),
    // The operator made a choice for it when the pause ended, and the window still applies.
    Row(
      cause: .missed, isAskedFor: true, decisions: [.run, .run, .run, .run, .pausedTooLong, .pausedTooLong]),
    Row(cause: .trigger, decisions: [.run, .run, .run, .run, .run, .run]),
    Row(cause: .reaction, decisions: [.run, .run, .run, .run, .run, .run]),
  ])
  func `is decided by its job's policy`(_ row: Row) {
    let entry = DueEntry(nominal: t(0), cause: row.cause, isAskedFor: row.isAskedFor)
    func decisions(_ window: ElapsedTime?, lateness: Int64, isPaused: Bool = false) -> [MissedDecision] {
      [MissedPolicy.Choice.latest, .skip].map { choice in
        MissedDecision(
          entry, MissedPolicy(choice: choice, window: window), isPaused: isPaused,
          lateness: .seconds(lateness))
      }
    }
    let window = ElapsedTime.seconds(5)
    #expect(
      decisions(nil, lateness: 1_000) + decisions(window, lateness: 5) + decisions(window, lateness: 6)
        == row.decisions)
    #expect(decisions(window, lateness: 6, isPaused: true) == [.run, .run], "the end of the pause decides")
  }

  struct RangeRow: Sendable {
    var overlap: OverlapPolicy = .allowAll
    var isRunning = true
    var hasRoom = true
    /// With the choices `latest`, `skip` and `all`.
    var decisions: [MissedRangeDecision]
  }

  @Test(arguments: [
    RangeRow(decisions: [.runLatest, .runLatest, .runAll]),
    RangeRow(overlap: .skip, decisions: [.runLatest, .runLatest, .runAll]),
    RangeRow(overlap: .skip, hasRoom: false, decisions: [.overlapped, .overlapped, .overlapped]),
    RangeRow(overlap: .bufferOne, hasRoom: false, decisions: [.runLatest, .runLatest, .runAll]),
    RangeRow(overlap: .skip, isRunning: false, hasRoom: false, decisions: [.shutDown, .shutDown, .shutDown]),
  ])
  func `is one decision for several entries that passed at once`(_ row: RangeRow) {
    let decisions = [MissedPolicy.Choice.latest, .skip, .all].map { choice in
      MissedRangeDecision(choice, row.overlap, isRunning: row.isRunning, hasRoom: row.hasRoom)
    }
    #expect(decisions == row.decisions)
  }

  @Test func `is true for the first of several only if all of them run`() {
    #expect(MissedRangeDecision.runAll.runsFirst(of: EngineLimits.missedRunsMax))
    #expect(!MissedRangeDecision.runAll.runsFirst(of: EngineLimits.missedRunsMax + 1))
    for decision in [MissedRangeDecision.runLatest, .overlapped, .shutDown] {
      #expect(!decision.runsFirst(of: 2))
    }
  }
}
