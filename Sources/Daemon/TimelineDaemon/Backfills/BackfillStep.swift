import TimelineCore
import TimelineLedger

/// Decision about an open backfill: what it does next.
enum BackfillStep: Sendable, Equatable {
  /// Its next entry is begun.
  case begin
  /// The end of a run, or a change of its job, decides anew.
  case wait
  /// Nothing is begun for this time.
  case rest(ElapsedTime)
  /// Nothing is begun until the reason is gone.
  case suspend(Suspension)

  /// Reasons why an open backfill begins nothing.
  enum Suspension: Sendable, CaseIterable {
    /// An operator has paused the backfill.
    case paused
    /// The job is not configured, or disabled.
    case removed
    /// The stretch has other entries under the job's present schedule.
    case rescheduled
    /// An operator has paused the job.
    case jobPaused
    /// One node of a cluster runs the job for all.
    case ofCluster
  }

  /// Facts about a backfill and its job.
  struct Facts: Sendable {
    var state = Backfill.State.running
    var isConfigured = true
    var hasItsSchedule = true
    var isJobPaused = false
    var isOfCluster = false
    /// Whether the daemon starts no runs any more.
    var isDraining = false
    /// Number of the job's active runs, and of those of the backfill among them, which may still wait.
    var runCount = 0
    var ownCount = 0
    /// Number of due entries of the job that wait. They go first.
    var waitingCount = 0
    /// Maximum number of runs of the job, and of the backfill.
    var concurrency = 1
    var parallel = 1
    /// Time since the last entry was begun; `nil` if none was.
    var sinceLast: ElapsedTime?
    var pace = ElapsedTime.zero
  }

  /// Decides by the facts.
  init(_ facts: Facts) {
    if let reason = Suspension(facts) {
      self = .suspend(reason)
    } else if facts.isDraining || facts.waitingCount > 0 || facts.ownCount >= facts.parallel
      || facts.runCount >= facts.concurrency
    {
      self = .wait
    } else if let since = facts.sinceLast, since < facts.pace {
      self = .rest(facts.pace - since)
    } else {
      self = .begin
    }
  }
}

extension BackfillStep.Suspension {
  fileprivate init?(_ facts: BackfillStep.Facts) {
    if facts.state == .paused {
      self = .paused
    } else if !facts.isConfigured {
      self = .removed
    } else if facts.isOfCluster {
      self = .ofCluster
    } else if !facts.hasItsSchedule {
      self = .rescheduled
    } else if facts.isJobPaused {
      self = .jobPaused
    } else {
      return nil
    }
  }

  /// The reason, and what to do; `nil` for the operator's own pause.
  var text: String? {
    switch self {
    case .paused: nil
    case .removed: "the job is not configured: it continues with the job, or cancel it"
    case .rescheduled: "the schedule of the job has changed: cancel it, and request another one"
    case .jobPaused: "the job is paused: it continues when the job is resumed"
    case .ofCluster: "one node of the cluster runs the job now: rerun its entries one by one, on its owner"
    }
  }
}
