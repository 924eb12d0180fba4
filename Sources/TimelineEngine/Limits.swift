package import TimelineCore

/// Bounds on what a configuration, a person or a long absence can make the engine hold.
package enum EngineLimits {
  /// Missed entries that `missed = "all"` makes up for at most; a week of catching up at once helps nobody
  /// (Hangfire 1591: 300 runs at once).
  package static let missedRunsMax = 100

  /// Runs of one job at a time under `allow-all`: each is a process, and a machine has room for only so many. Further
  /// entries wait.
  package static let concurrentRunsMax = 100

  /// Starts of a run that dies with the daemon, at least once, when its job has no retry policy: twice can be
  /// chance, and a run that takes the daemon with it each time must not do so for ever.
  package static let recoveryAttemptsMax = 3

  /// How long an entry waits for its groups to count as one step of priority more. Runs of a group take seconds to
  /// minutes and people write priorities a few steps apart, so a higher one is felt, and an entry that has waited
  /// for as many minutes as there are steps between them goes before any newcomer: none waits for ever.
  package static let ageingStep = ElapsedTime.minutes(1)

  /// How far back it is looked for what a rule leaves out, when a daemon was away for long: more than a year, so
  /// that each of a year's changes of the clocks is found, and yet a bound on the rows of one start.
  package static let omissionsSpan = ElapsedTime.days(400)

  /// Waiting entries without a run of one job of which a status says what they wait for; the others wait behind them, for the same.
  package static let waitsShownMax = 10

  /// Removed jobs of which it is remembered what they had decided; more than a person renames in a daemon's life.
  package static let removedJobsMax = 1_000

  /// Deadlines in the queue: handles are 31 bits wide.
  package static let deadlinesMax = Int(Int32.max)

  /// How long after it fell due an entry joins the line for its groups, if it can do nothing else and nothing happens before:
  /// what nobody sees in a status.
  package static let liningUpDelayMax = ElapsedTime.milliseconds(20)

  /// How many of those are passed over in the search for the next instant to wake at, so that the search is short.
  static let liningUpMax = 8
}
