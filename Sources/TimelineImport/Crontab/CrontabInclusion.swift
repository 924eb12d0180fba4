package import TimelineConfiguration

/// A line that cron runs, and the job that it became.
struct ImportedCommand {
  /// The place in its crontab.
  let place: SourcePlace
  /// The command that cron runs.
  let command: CronCommand
  /// Name of the job; `nil` where there is none.
  var job: String?

  /// Takes the place of a line from its account.
  init(of line: ImportedLine, _ command: CronCommand) {
    place = line.sourcePlace
    self.command = command
  }
}

/// Crontabs as parts of a configuration: each line that cron runs by itself, so that one that cannot be read leaves the others alone.
package enum CrontabInclusion {
  /// Returns the lines of crontabs, of which cron has all.
  package static func crontabs(
    _ sources: [CrontabSource], in context: ImportContext
  ) -> IncludedCrontabs {
    let read = sources.filter { $0.reasonNotRead == nil }
    let made = CrontabImport(read, in: context)
    var result = IncludedCrontabs()
    let jobs = Dictionary(made.file.jobs.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    let places = Dictionary(
      made.report.lines.map { ($0.sourcePlace, $0.notes.joined(separator: "; ")) },
      uniquingKeysWith: { first, _ in first })
    for command in made.commands.prefix(ConfigurationLimits.crontabJobCountMax) {
      result.lines.append(
        IncludedCrontabs.Line(
          place: command.place,
          source: command.job.flatMap { jobs[$0] }.map { source(of: $0, at: command.place) },
          command: command.command, refusal: command.job == nil ? places[command.place] : nil))
    }
    let own = Set(made.commands.compactMap(\.job))
    for job in made.file.jobs where !own.contains(job.name) {
      let place = SourcePlace(wholeOf: read.first?.path ?? "crontab")
      result.lines.append(
        IncludedCrontabs.Line(place: place, source: source(of: job, at: place), command: nil))
    }
    let timers = Set(made.commands.lazy.filter(\.command.isLeftToTimer).map(\.place))
    result.warnings = made.report.lines.compactMap { warning(about: $0, timers) }
    if made.commands.count > ConfigurationLimits.crontabJobCountMax {
      result.warnings.append(
        Diagnostic(
          severity: .warning, place: made.commands[ConfigurationLimits.crontabJobCountMax].place,
          message: "this line and those below it are not carried: there are \(made.commands.count) of them",
          label: "expected at most \(ConfigurationLimits.crontabJobCountMax) in all crontabs"))
    }
    return result
  }

  private static func source(of job: ImportedJob, at place: SourcePlace) -> ConfigurationSource {
    ConfigurationSource(
      path: place.path, bytes: Array(ImportedFile.text(of: job).utf8), origin: place)
  }

  /// The warning about a line that is not carried, and about a crontab that cron ignores as a whole. Differences are in the report of
  /// an import.
  private static func warning(about line: ImportedLine, _ timers: Set<SourcePlace>) -> Diagnostic? {
    let isOfFile = line.line == 0 && line.kind == .unknown
    guard line.verdict == .notCarried || isOfFile, !timers.contains(line.sourcePlace) else { return nil }
    let notes = line.notes.joined(separator: "; ")
    return Diagnostic(
      severity: .warning, place: line.sourcePlace,
      message: isOfFile ? notes : "the line is not carried: \(notes)")
  }
}

extension ImportedLine {
  /// The line as a place for diagnostics.
  fileprivate var sourcePlace: SourcePlace {
    guard line > 0 else { return SourcePlace(wholeOf: source) }
    let shown = text.unicodeScalars.prefix(ConfigurationLimits.excerptScalarCountMax)
    return SourcePlace(
      path: source, line: line, column: 1, length: max(1, shown.count), lineText: String(shown))
  }
}
