package import TimelineConfiguration
package import TimelineCore

/// The comparison of one command: the runs by cron, and the runs that its jobs would have had.
package struct TakeoverFinding: Sendable {
  /// A minute in which cron and timelined differ, or a line without a job.
  package struct Difference: Sendable, Equatable {
    /// Kinds of differences.
    package enum Kind: String, Sendable, Equatable {
      /// Cron ran the command, and timelined would not have run it.
      case onlyCron = "only-cron"
      /// Timelined would have run the command, and cron did not run it.
      case onlyHere = "only-timelined"
      /// Both cron and timelined ran the command.
      case twice
      /// The line has no job.
      case noJob = "no-job"
    }

    /// The kind of the difference.
    package var kind: Kind
    /// The minute; `nil` for a line without a job.
    package var minute: WallInstant?
    /// The cause, as far as it is known.
    package var cause: String?
  }

  /// The user that the command runs as.
  package var user: String
  /// The command in the form of cron's log.
  package var command: String
  /// The lines of the command; empty if it is not in an included crontab.
  package var places: [SourcePlace]
  /// Names of the command's jobs.
  package var jobs: [String]
  /// Number of entries that both cron and timelined have.
  package var bothCount = 0
  /// The differences, in order.
  package var differences: [Difference] = []
  /// The reason why the command's instants are not compared; `nil` if they are compared.
  package var obstacle: String?

  /// The instant from which on the command is compared; `nil` unless the ledger has deleted earlier entries of its jobs.
  package var comparedFrom: WallInstant?

  /// Makes a finding without differences.
  init(user: String, command: String, places: [SourcePlace], jobs: [String]) {
    (self.user, self.command, self.places, self.jobs) = (user, command, places, jobs)
  }

  /// The lines as `FILE:LINE`; for a command that is not in a crontab, the command.
  package var subject: String {
    let places = places.map { "\($0.path):\($0.line)" }
    let subject = places.isEmpty ? "(\(user)) \(command)" : places.joined(separator: ", ")
    return jobs.isEmpty ? subject : "\(subject) [job \(jobs.joined(separator: ", "))]"
  }
}
