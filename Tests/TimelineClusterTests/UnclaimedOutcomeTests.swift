import Testing
import TimelineCluster
import TimelineCore
import TimelineEngine

/// The rule for outcomes of runs without a claim, as a table.
@Suite struct `Outcomes without a claim` {
  private func isWithheld(
    _ outcome: Outcome, _ ownership: UnclaimedOutcome.Ownership, isUnclaimed: Bool = true,
    cause: RunCause = .schedule
  ) throws -> Bool {
    let job: JobName = "go"
    let record = EntryRecord(
      entry: EntryKey(job: job, nominal: WallInstant(secondsSinceEpoch: 20)), cause: cause, outcome: outcome,
      reason: "", startedAt: WallInstant(secondsSinceEpoch: 20), endedAt: WallInstant(secondsSinceEpoch: 21),
      attempts: 1)
    return UnclaimedOutcome.isWithheld(record, isUnclaimed: isUnclaimed, ownership)
  }

  @Test(arguments: [
    (UnclaimedOutcome.Ownership.unproven, true), (.foreign, true), (.own, false),
  ])
  func `a failure is withheld unless the node owns the job`(
    _ ownership: UnclaimedOutcome.Ownership, _ expected: Bool
  ) throws {
    for outcome in Outcome.allCases where outcome.kind == .failure {
      #expect(try isWithheld(outcome, ownership) == expected, "\(outcome)")
    }
  }

  @Test(arguments: UnclaimedOutcome.Ownership.allCases)
  func `other outcomes are sent at once`(_ ownership: UnclaimedOutcome.Ownership) throws {
    for outcome in Outcome.allCases where outcome.kind != .failure {
      #expect(try !isWithheld(outcome, ownership), "\(outcome)")
    }
  }

  @Test(arguments: UnclaimedOutcome.Ownership.allCases)
  func `a failure with a claim, or beside the schedule, is sent at once`(
    _ ownership: UnclaimedOutcome.Ownership
  ) throws {
    #expect(try !isWithheld(.failed, ownership, isUnclaimed: false))
    #expect(try !isWithheld(.failed, ownership, cause: .trigger))
    #expect(try !isWithheld(.failed, ownership, cause: .reaction))
  }
}
