package import TimelineCore

/// Limits on the state that a configuration, an operator or a long absence can cause in the engine.
package enum EngineLimits {
  /// Maximum number of missed entries that `missed = "all"` runs. A week of catch-up at once is useless (Hangfire 1591: 300
  /// runs at once).
  package static let missedRunsMax = 100

  /// Maximum number of concurrent runs of one job under `allow-all`. Each run is a process, and a machine has room for only so
  /// many. Further entries wait.
  package static let concurrentRunsMax = 100

  /// Maximum number of starts of a run that dies with the daemon each time, if its job has no retry policy and its delivery is
  /// at least once. Two deaths can be chance, but a run must not kill the daemon again and again.
  package static let recoveryAttemptsMax = 3

  /// Waiting time for groups that is worth one step of priority. Runs of a group take seconds to minutes, and people write
  /// priorities a few steps apart, so a higher priority has an effect. An entry that has waited one minute for each step of
  /// difference goes before any newcomer, so no entry waits forever.
  package static let ageingStep = ElapsedTime.minutes(1)

  /// Maximum span that is searched at once for instants that a rule leaves out, for example after a long absence of the
  /// daemon. It is longer than a year, so that each clock change of a year is found. It limits the rows of one start.
  package static let omissionsSpan = ElapsedTime.days(400)

  /// Time for which runs of moved entries are known. An entry lies up to 31 days from its origin, and another schedule may move the
  /// origin by 31 days in the other direction; a month more is room for an early run.
  package static let movedSpan = ElapsedTime.days(93)

  /// Maximum number of waiting entries of one job without a run that a status lists with their reasons. The others wait behind
  /// them for the same reason.
  package static let waitsShownMax = 10

  /// Maximum number of removed jobs whose watermarks or pauses are kept: more than an operator renames in a daemon's life.
  package static let removedJobsMax = 1_000

  /// Maximum number of deadlines in the queue: handles are 31 bits wide.
  package static let deadlinesMax = Int(Int32.max)

  /// Maximum delay after which a due entry that can only wait joins the queue for its groups, if no event comes before. The
  /// delay is too short to be noticed in a status.
  package static let enqueueDelayMax = ElapsedTime.milliseconds(20)

  /// Maximum number of entries that only join a queue and are passed over in the search for the next instant to wake at. The
  /// limit keeps the search short.
  static let enqueuedAtOnceMax = 8
}
