/// Sentences that are used in more than one place. They are literals, so that a record allocates nothing.
package enum Reason {
  static let stillRunning = "the previous run was still running"
  static let alreadyWaiting = "another entry was already waiting"
  static let paused = "the job was paused"
  static let leftToCron = "cron was active and has the job in a crontab"
  static let pausedTooLong = "the job was paused for longer than the missed window allows"
  static let tooLate = "it was later than the missed window allows"
  static let skipped = "missed entries of this job are skipped"
  static let late = "it should have begun by now; `timelinectl why JOB` has what it waits for"
  static let setBack = "the clock was set back before it could start"
  static let previousWaited = "the previous run still waited for a plugin host"
  static let previousFailed = "the previous run had failed and waited for its next attempt"
  static let superseded = "a later entry took its place"
  static let removed = "the job was removed before the entry could start"
  static let lowFrequency = "timelined was in low-frequency mode"
  static let stopping = "timelined was stopping"
  static let daemonDied = "the daemon died while it ran"
  static let unanswered = "this node lost the job before the cluster's store had answered"
  /// The reason of entries that no node of a cluster had claimed.
  package static let unwindowed = "no node had claimed them"

  /// Reason for an entry that exists only on a node that lost its job.
  static func handedOver(_ cause: RunCause) -> String {
    let lost = "this node lost the job before the entry could start"
    return switch cause {
    case .trigger: "\(lost): trigger it on the node that owns the job"
    case .rerun, .backfill: "\(lost): rerun it on the node that owns the job"
    case .schedule, .missed, .reaction, .recovery: lost
    }
  }

  /// The reason of an entry that another node was granted.
  package static func silent(_ node: String) -> String {
    "node \(node) was granted the entry and does not answer"
  }
}
