package import TimelineCore

/// The lines of the crontabs that a configuration includes, each with the job that it becomes.
package struct IncludedCrontabs: Sendable {
  /// A line that cron runs, or a reaction that mails for several.
  package struct Line: Sendable {
    /// The line in its crontab.
    package var place: SourcePlace
    /// The configuration of its one job; `nil` where none can be made of it.
    package var source: ConfigurationSource?
    /// Its name, once the job has been read.
    package var job: JobName?
    /// The command that cron runs; `nil` for a job that cron does not know, such as a reaction.
    package var command: CronCommand?
    /// The reason why it has no job.
    package var refusal: String?

    /// Makes a line.
    package init(
      place: SourcePlace, source: ConfigurationSource?, command: CronCommand?, refusal: String? = nil
    ) {
      (self.place, self.source, self.command, self.refusal) = (place, source, command, refusal)
    }
  }

  /// The lines, in the order of the crontabs.
  package var lines: [Line] = []
  /// Warnings about whole crontabs, and about lines that are not carried.
  package var warnings: [Diagnostic] = []
  /// Directories in which a change of a crontab shows.
  package var directories: Set<String> = []

  /// Makes crontabs without lines.
  package init() {}

  /// Whether others have the same lines, and the same is wrong with them.
  package func isSame(as other: IncludedCrontabs) -> Bool {
    directories == other.directories && lines.map(\.place) == other.lines.map(\.place)
      && lines.map(\.source) == other.lines.map(\.source) && warnings == other.warnings
  }

  /// The jobs that cron runs while it is active.
  package var cronJobs: Set<JobName> { Set(lines.lazy.filter { $0.command != nil }.compactMap(\.job)) }
}

/// A command as cron runs it and tells of it.
package struct CronCommand: Sendable, Hashable {
  /// The user as whom it runs.
  package var user: String
  /// The command without its `%` and what follows.
  package var text: String
  /// The reason why its instants cannot be compared, for example `@reboot`; `nil` where they can.
  package var obstacle: String?
  /// Whether a timer of systemd does its work, so that it has no job and needs none.
  package var isLeftToTimer = false

  /// Makes a command.
  package init(user: String, text: String, obstacle: String? = nil, isLeftToTimer: Bool = false) {
    (self.user, self.text, self.obstacle, self.isLeftToTimer) = (user, text, obstacle, isLeftToTimer)
  }
}
