/// Bounds on what a configuration, a person or a long absence can make the engine hold.
package enum EngineLimits {
  /// Missed entries that `missed = "all"` makes up for at most; a week of catching up at once helps nobody
  /// (Hangfire 1591: 300 runs at once).
  package static let missedRunsMax = 100

  /// Entries of one job that wait for a run to end or for the ledger to answer; more than this is a job that
  /// cannot keep up, and its entries end as `limited`.
  package static let waitingEntriesMax = 1_000

  /// Runs of one job at a time under `allow-all`: each is a process, and a machine has room for only so many.
  package static let concurrentRunsMax = 100

  /// Removed jobs of which it is remembered what they had decided; more than a person renames in a daemon's life.
  package static let removedJobsMax = 1_000

  /// Deadlines in the queue: handles are 31 bits wide.
  package static let deadlinesMax = Int(Int32.max)
}
