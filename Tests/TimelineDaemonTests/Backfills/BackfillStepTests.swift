import Testing
import TimelineCore
import TimelineLedger

@testable import TimelineDaemon

@Suite struct `The next step of a backfill` {
  typealias Facts = BackfillStep.Facts

  private static func facts(_ adjust: (inout Facts) -> Void) -> Facts {
    var facts = Facts()
    adjust(&facts)
    return facts
  }

  @Test(
    arguments: [
      ("nothing is in the way", facts { _ in }, .begin),
      ("the backfill is paused", facts { $0.state = .paused }, .suspend(.paused)),
      ("the job is removed", facts { $0.isConfigured = false }, .suspend(.removed)),
      ("the schedule has changed", facts { $0.hasItsSchedule = false }, .suspend(.rescheduled)),
      ("the job is paused", facts { $0.isJobPaused = true }, .suspend(.jobPaused)),
      ("the job is of a cluster", facts { $0.isOfCluster = true }, .suspend(.ofCluster)),
      ("the daemon ends", facts { $0.isDraining = true }, .wait),
      ("a live entry waits", facts { ($0.waitingCount, $0.concurrency) = (1, 5) }, .wait),
      ("the job runs", facts { $0.runCount = 1 }, .wait),
      (
        "the job has room for another run, the backfill has none",
        facts { ($0.runCount, $0.ownCount, $0.concurrency) = (1, 1, 5) }, .wait
      ),
      (
        "both have room", facts { ($0.runCount, $0.ownCount, $0.concurrency, $0.parallel) = (1, 1, 5, 2) },
        .begin
      ),
      ("the pace has passed", facts { ($0.sinceLast, $0.pace) = (.seconds(10), .seconds(10)) }, .begin),
      (
        "the pace has not passed", facts { ($0.sinceLast, $0.pace) = (.seconds(4), .seconds(10)) },
        .rest(.seconds(6))
      ),
      (
        "the end of a run decides before the pace does",
        facts { ($0.sinceLast, $0.pace, $0.runCount) = (.zero, .seconds(10), 1) }, .wait
      ),
      (
        "a pause names its reason before others", facts { ($0.state, $0.isConfigured) = (.paused, false) },
        .suspend(.paused)
      ),
    ] as [(String, Facts, BackfillStep)])
  func `depends on the job, on its runs and on the pace`(
    _ name: String, _ facts: Facts, _ step: BackfillStep
  ) {
    #expect(BackfillStep(facts) == step, "\(name)")
  }

  @Test func `states what to do, except about the operator's own pause`() {
    for reason in BackfillStep.Suspension.allCases { #expect((reason.text == nil) == (reason == .paused)) }
  }
}
