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
    let (carried, omitted) = shares(of: made.commands)
    for command in carried {
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
    result.warnings += omitted.map { command in
      Diagnostic(
        severity: .warning, place: command.place,
        message:
          "this line and those below it are not carried: there are \(made.commands.count) in all crontabs",
        label: "expected at most \(ConfigurationLimits.crontabJobCountMax)")
    }
    return result
  }

  /// The commands that are carried, and the first of each crontab that is not: of too many, a crontab has an equal share with those that
  /// need as much, so that no user takes the places of others.
  private static func shares(
    of commands: [ImportedCommand]
  ) -> (carried: [ImportedCommand], omitted: [ImportedCommand]) {
    let counts = Dictionary(grouping: commands, by: \.place.path).mapValues(\.count)
    var (share, rest) = (Int.max, ConfigurationLimits.crontabJobCountMax)
    for (index, count) in counts.values.sorted().enumerated() {
      share = rest / (counts.count - index)
      guard count <= share else { break }
      (share, rest) = (.max, rest - count)
    }
    var (carried, omitted): ([ImportedCommand], [ImportedCommand]) = ([], [])
    var numbers: [String: Int] = [:]
    for command in commands {
      let number = numbers[command.place.path, default: 0]
      numbers[command.place.path] = number + 1
      if number < share { carried.append(command) } else if number == share { omitted.append(command) }
    }
    return (carried, omitted)
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
