package import TimelineConfiguration
package import TimelineCore

/// The comparison of one command: its runs by cron, and the runs that its jobs would have had.
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

    package var kind: Kind
    /// `nil` for a line without a job.
    package var minute: WallInstant?
    /// The cause, as far as it is known.
    package var cause: String?
  }

  /// The user who runs the command.
  package var user: String
  /// The form in cron's log.
  package var command: String
  /// The command's lines; empty if the command is not in an included crontab.
  package var places: [SourcePlace]
  package var jobs: [String]
  /// Entries of both cron and timelined.
  package var bothCount = 0
  /// In order of time.
  package var differences: [Difference] = []
  /// The reason why the command's instants are not compared; `nil` if they are compared.
  package var obstacle: String?

  /// Start of the comparison; `nil` unless the ledger has deleted earlier entries of the command's jobs.
  package var comparedFrom: WallInstant?

  init(user: String, command: String, places: [SourcePlace], jobs: [String]) {
    (self.user, self.command, self.places, self.jobs) = (user, command, places, jobs)
  }

  /// The lines as `FILE:LINE`; the command itself if it is not in a crontab.
  package var subject: String {
    let places = places.map { "\($0.path):\($0.line)" }
    let subject = places.isEmpty ? "(\(user)) \(command)" : places.joined(separator: ", ")
    return jobs.isEmpty ? subject : "\(subject) [job \(jobs.joined(separator: ", "))]"
  }
}
