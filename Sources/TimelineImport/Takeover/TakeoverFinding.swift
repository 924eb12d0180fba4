package import TimelineConfiguration
package import TimelineCore

/// The comparison of one command: what cron ran, and what its jobs would have run.
package struct TakeoverFinding: Sendable {
  /// A minute in which the two differ, or a line that has no job.
  package struct Difference: Sendable, Equatable {
    /// Kinds of differences.
    package enum Kind: String, Sendable, Equatable {
      /// Cron ran it, and timelined would not have.
      case onlyCron = "only-cron"
      /// Timelined would have run it, and cron did not.
      case onlyHere = "only-timelined"
      /// Cron ran it, and timelined ran it too.
      case twice
      /// The line has no job.
      case noJob = "no-job"
    }

    /// The kind.
    package var kind: Kind
    /// The minute; `nil` for a line without a job.
    package var minute: WallInstant?
    /// The cause, as far as it is known.
    package var cause: String?
  }

  /// The user.
  package var user: String
  /// The command as cron prints it.
  package var command: String
  /// Its lines; none for a command of no crontab that is included.
  package var places: [SourcePlace]
  /// Names of its jobs.
  package var jobs: [String]
  /// Number of entries that both have.
  package var bothCount = 0
  /// The differences, in their order.
  package var differences: [Difference] = []
  /// The reason why its instants are not compared; `nil` where they are.
  package var obstacle: String?

  /// The instant from which on it is compared, where the ledger has not kept earlier entries of its jobs.
  package var comparedFrom: WallInstant?

  /// Makes a finding without differences.
  init(user: String, command: String, places: [SourcePlace], jobs: [String]) {
    (self.user, self.command, self.places, self.jobs) = (user, command, places, jobs)
  }

  /// Lines of crontabs as `FILE:LINE`, or the command of no crontab.
  package var subject: String {
    let places = places.map { "\($0.path):\($0.line)" }
    let subject = places.isEmpty ? "(\(user)) \(command)" : places.joined(separator: ", ")
    return jobs.isEmpty ? subject : "\(subject) [job \(jobs.joined(separator: ", "))]"
  }
}
