package import TimelineCore

/// Bounds on what a configuration, a person or a long absence can make the engine hold.
package enum EngineLimits {
  /// Largest number of missed entries that `missed = "all"` runs. A week of catch-up at once is of no use (Hangfire 1591: 300
  /// runs at once).
  package static let missedRunsMax = 100

  /// Limit of runs of one job at a time under `allow-all`: each run is a process, and a machine has room for only so many.
  /// Further entries wait.
  package static let concurrentRunsMax = 100

  /// Largest number of starts of a run that dies with the daemon each time, if its job has no retry policy and its delivery is at
  /// least once. Two deaths can be chance, but a run must not kill the daemon again and again.
  package static let recoveryAttemptsMax = 3

  /// Waiting time for groups that counts as one step of priority more. Runs of a group take seconds to minutes, and people write
  /// priorities a few steps apart, so a higher priority has an effect. An entry that has waited one minute for each step between
  /// them goes before any newcomer, so no entry waits forever.
  package static let ageingStep = ElapsedTime.minutes(1)

  /// Longest span that is searched at once for instants that a rule leaves out, for example after a long absence of the daemon.
  /// It is more than a year, so that each clock change of a year is found, and it bounds the rows of one start.
  package static let omissionsSpan = ElapsedTime.days(400)

  /// Waiting entries of one job without a run that a status lists with their reasons. The others wait behind them for the same
  /// reason.
  package static let waitsShownMax = 10

  /// Limit of removed jobs whose watermarks or pauses are kept; more than an operator renames in a daemon's life.
  package static let removedJobsMax = 1_000

  /// Limit of deadlines in the queue: handles are 31 bits wide.
  package static let deadlinesMax = Int(Int32.max)

  /// Longest delay after which a due entry that can only wait joins the queue for its groups, if no event comes before. It is too
  /// short to be noticed in a status.
  package static let enqueueDelayMax = ElapsedTime.milliseconds(20)

  /// Largest number of entries that only join a queue and are passed over in the search for the next instant to wake at. It keeps
  /// the search short.
  static let enqueuedAtOnceMax = 8
}
