package import TimelineConfiguration

/// A line that cron runs, with its job.
struct ImportedCommand {
  let place: SourcePlace
  let command: CronCommand
  /// `nil` for a line without a job.
  var job: String?

  /// Makes a command at the place of a line.
  init(of line: ImportedLine, _ command: CronCommand) {
    place = line.sourcePlace
    self.command = command
  }
}

/// Crontabs as parts of a configuration. Each line that cron runs is a separate configuration, so that an invalid
/// line does not affect other lines.
package enum CrontabInclusion {
  /// Returns the lines of crontabs that cron reads.
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

  /// Returns the commands that get a job, and the first command without a job of each crontab. If there are too many
  /// commands, all crontabs that need more than an equal share get the same number, so that no user can displace the
  /// commands of others.
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

  /// Returns the warning about a line without a job, or about a crontab that cron ignores as a whole. Does not
  /// include differences of jobs, which the report of an import lists.
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
  fileprivate var sourcePlace: SourcePlace {
    guard line > 0 else { return SourcePlace(wholeOf: source) }
    let shown = text.unicodeScalars.prefix(ConfigurationLimits.excerptScalarCountMax)
    return SourcePlace(
      path: source, line: line, column: 1, length: max(1, shown.count), lineText: String(shown))
  }
}
