import Testing
import TimelineControl
import TimelineCore
import TimelineEngine
import TimelineLedger

@testable import TimelineDaemon

@Suite struct RunTallyTests {
  struct Row: Sendable {
    var former: FormerRun?
    var outcomes: [Outcome]
    var failures: Int
    /// Whether the tally has a last success, of these outcomes or of the former run.
    var hasSuccess = false
  }

  private static func former(_ outcome: Outcome) -> FormerRun {
    FormerRun(
      outcome: outcome, nominal: RunLineTests.noon - .hours(1), endedAt: RunLineTests.noon - .hours(1),
      failures: outcome == .failed ? 3 : 0)
  }

  @Test(arguments: [
    Row(outcomes: [], failures: 0), Row(outcomes: [.failed, .timedOut, .lost, .unknown], failures: 4),
    Row(outcomes: [.failed, .succeeded], failures: 0, hasSuccess: true),
    Row(outcomes: [.failed, .cancelled, .missed, .paused, .failed], failures: 2),
    Row(former: former(.failed), outcomes: [], failures: 3),
    Row(former: former(.failed), outcomes: [.failed], failures: 4),
    Row(former: former(.succeeded), outcomes: [.failed], failures: 1, hasSuccess: true),
    Row(former: former(.failed), outcomes: [.succeeded], failures: 0, hasSuccess: true),
  ])
  func `failures in a row end with a success`(_ row: Row) throws {
    var tally = RunTally(after: row.former)
    for outcome in row.outcomes {
      tally.add(try RunLineTests.record(outcome, late: outcome.ran ? 1_000 : nil))
    }
    #expect(tally.consecutiveFailures == row.failures)
    #expect((tally.lastSuccess != nil) == row.hasSuccess)
    #expect(tally.formerEntry == row.former?.nominal)
    #expect(tally.duration.counts.reduce(0, +) == row.outcomes.count(where: \.ran))
  }

  @Test(arguments: [
    (RunCause.schedule, 1), (.missed, 1), (.recovery, 1), (.trigger, 0), (.rerun, 0), (.reaction, 0),
  ])
  func `only entries of the schedule are late`(_ cause: RunCause, _ count: Int) throws {
    var tally = RunTally(after: nil)
    tally.add(try RunLineTests.record(.succeeded, cause: cause, late: 2_000_000, tookNanoseconds: 5))
    #expect(
      tally.lateness.counts.reduce(0, +) == count && tally.lateness.sumNanoseconds == Int64(count) * 2_000_000
    )
    #expect(tally.duration.sumNanoseconds == 5)
  }
}
