package import TimelineCore

/// The lines of the crontabs that a configuration includes, with the jobs that they become.
package struct IncludedCrontabs: Sendable {
  /// A line that cron runs, or a reaction that sends mail for several lines.
  package struct Line: Sendable {
    package var place: SourcePlace
    /// The job's configuration; `nil` if the line cannot become a job.
    package var source: ConfigurationSource?
    /// `nil` before the job's configuration has been read.
    package var job: JobName?
    /// The command that cron runs; `nil` for a job without a cron command, such as a reaction.
    package var command: CronCommand?
    /// The reason why the line has no job; `nil` for a line with a job.
    package var refusal: String?

    package init(
      place: SourcePlace, source: ConfigurationSource?, command: CronCommand?, refusal: String? = nil
    ) {
      (self.place, self.source, self.command, self.refusal) = (place, source, command, refusal)
    }
  }

  /// In the order of the crontabs.
  package var lines: [Line] = []
  /// Warnings about whole crontabs, and about lines without a job because there are too many lines.
  package var warnings: [Diagnostic] = []
  /// Directories to watch for changes of the crontabs.
  package var directories: Set<String> = []

  package init() {}

  /// Whether `other` has the same directories, lines and warnings.
  package func isSame(as other: IncludedCrontabs) -> Bool {
    directories == other.directories && lines.map(\.place) == other.lines.map(\.place)
      && lines.map(\.source) == other.lines.map(\.source) && warnings == other.warnings
  }

  /// The jobs that cron runs while it is active.
  package var cronJobs: Set<JobName> { Set(lines.lazy.filter { $0.command != nil }.compactMap(\.job)) }
}

/// A command in the form in which cron runs and logs it.
package struct CronCommand: Sendable, Equatable {
  /// The user who runs the command.
  package var user: String
  /// The command up to its first unescaped `%`.
  package var text: String
  /// The reason why the command's run times cannot be compared, for example `@reboot`; `nil` if they can.
  package var obstacle: String?
  /// Whether a systemd timer does the command's work, so that the command needs no job.
  package var isLeftToTimer = false

  package init(user: String, text: String, obstacle: String? = nil, isLeftToTimer: Bool = false) {
    (self.user, self.text, self.obstacle, self.isLeftToTimer) = (user, text, obstacle, isLeftToTimer)
  }
}
