import TimelineControl
import TimelineCore
import TimelineEngine
import TimelineLedger

/// Counts and durations of one job's runs since the daemon's start, for monitors.
///
/// Its size does not depend on the number of runs: two histograms of eleven buckets, made with the first run.
struct RunTally {
  /// Delays of first attempts after the nominal instant; of entries of the schedule only.
  private(set) var lateness = DurationHistogram()
  /// Times from the first attempt to the end, back-offs included.
  private(set) var duration = DurationHistogram()
  /// Attempts that ended, by result.
  private(set) var attempts: [AttemptResult.Status: Int] = [:]
  /// Failed entries since the last one that succeeded. Of those of earlier daemons at most ``FormerRun/failuresMax`` count.
  private(set) var consecutiveFailures = 0
  /// The nominal instant of the last entry that ended in the time of an earlier daemon; `nil` for none known.
  private(set) var formerEntry: WallInstant?
  /// Instant at which an entry last succeeded.
  private(set) var lastSuccess: WallInstant?

  /// Makes a tally of nothing that begins after a run of an earlier daemon.
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

/// Counts of the daemon since its start that belong to no job.
struct DaemonTally {
  /// Number of times that the clock was set, or the machine resumed.
  var clockSteps = 0
  /// Number of reloads whose configuration came into force.
  var reloadsSucceeded = 0
  /// Number of reloads that changed nothing.
  var reloadsFailed = 0
}
