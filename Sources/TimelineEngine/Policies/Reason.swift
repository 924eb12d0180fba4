/// Sentences that are used in more than one place; literals, so that a record allocates nothing.
enum Reason {
  static let stillRunning = "the previous run was still running"
  static let alreadyWaiting = "another entry was already waiting"
  static let paused = "the job was paused"
  static let pausedTooLong = "the job was paused for longer than the missed window allows"
  static let tooLate = "it was later than the missed window allows"
  static let skipped = "missed entries of this job are skipped"
  static let setBack = "the clock was set back before it could start"
  static let previousWaited = "the previous run still waited for a plugin host"
  static let superseded = "a later entry took its place"
  static let removed = "the job was removed before the entry could start"
  static let lowFrequency = "timelined was in low-frequency mode"
  static let stopping = "timelined was stopping"
  static let daemonDied = "the daemon died while it ran"
}
