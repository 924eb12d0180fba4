import TimelineControl
import TimelineCore
import TimelineEngine
import TimelineLedger

/// Counts and durations of one job's runs since the daemon's start, for monitors.
///
/// Its size does not depend on the number of runs: two histograms of eleven buckets, allocated with the first run.
struct RunTally {
  /// Delays of first attempts after the nominal instant, only for entries of the schedule.
  private(set) var lateness = DurationHistogram()
  /// Times from the first attempt to the end, back-offs included.
  private(set) var duration = DurationHistogram()
  /// Attempts that ended, by result.
  private(set) var attempts: [AttemptResult.Status: Int] = [:]
  /// Number of failed entries since the last successful entry, including at most ``FormerRun/failuresMax`` under earlier
  /// daemons.
  private(set) var consecutiveFailures = 0
  /// The nominal instant of the last entry that ended under an earlier daemon; `nil` if none is known.
  private(set) var formerEntry: WallInstant?
  /// Instant at which an entry last succeeded.
  private(set) var lastSuccess: WallInstant?

  /// Makes an empty tally that continues after the last run under an earlier daemon.
  init(after former: FormerRun?) {
    guard let former else { return }
    formerEntry = former.nominal
    if former.outcome.kind == .success { lastSuccess = former.endedAt }
    consecutiveFailures = former.failures
  }

  /// Counts an entry that ended.
  mutating func add(_ record: EntryRecord) {
    switch record.outcome.kind {
    case .success: (consecutiveFailures, lastSuccess) = (0, record.endedAt)
    case .failure: consecutiveFailures += 1
    case .cancellation, .miss, .omission: break
    }
    guard let startedAt = record.startedAt else { return }
    if let elapsed = record.elapsed { duration.add(elapsed) }
    if record.cause.isOfSchedule { lateness.add(startedAt - record.entry.nominal) }
  }

  /// Counts an attempt that ended.
  mutating func add(_ result: AttemptResult.Status) { attempts[result, default: 0] += 1 }
}
