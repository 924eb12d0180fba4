import ArgumentParser
import TimelineClocks
import TimelineConfiguration
import TimelineCore
import TimelineEngine
import TimelineRehearsal
import TimelineSystem

/// `timelinectl dry-run`: the whole configuration through the real engine, without plugins.
struct DryRunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dry-run",
    abstract: "Show what a configuration would do over a stretch of time.",
    discussion: """
      No plugin is called; a run lasts what its job's `expected-duration` says, so overlaps show. Rows come in order of entry, then \
      of job. Entries in a row that windows exclude are one row, at the last of them, with their number. A job with more than \
      one entry a second is counted by the minute unless it is named. A summary goes to standard error, or with \
      --summary, instead of the rows, to standard output. With --svg or --html the rows are drawn instead of printed.
      """)

  @OptionGroup var source: ConfigurationOptions

  @OptionGroup var begin: BeginOptions

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Where to end; entries at this instant are left out.", valueName: "instant"))
  var until: String?

  @Option(
    name: .customLong("for"), parsing: .unconditional,
    help: ArgumentHelp(
      "How long, such as 90s, 1h30m or 7d. Default: 1d, unless --until is given.", valueName: "duration")
  )
  var length: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("max, or how many times faster than real time, such as 60.", valueName: "speed"),
    completion: .list(["max"]))
  var speed = "max"

  @Option(
    help: ArgumentHelp(
      "normal or low-frequency; with @ and an instant (RFC 3339), from then on. May be repeated. Default: normal.",
      valueName: "mode[@instant]"),
    completion: .choice(of: ScheduleMode.self))
  var mode: [String] = []

  @Flag(help: "Print how many entries of each job ended how, and no rows.")
  var summary = false

  @OptionGroup var drawing: DrawingOptions
  @OptionGroup var shown: ZoneOptions
  @OptionGroup var output: OutputOptions

  @Argument(
    help: ArgumentHelp("Only these jobs, entry by entry.", valueName: "job"), completion: .configuredJobs)
  var jobs: [String] = []

  func validate() throws {
    try drawing.refuse([
      ("--json", output.json), ("--summary", summary), ("--speed \(speed)", speed != "max"),
    ])
  }

  func run() throws {
    try refuseFile()
    let configuration = try source.load()
    let zones = try shown.shown()
    let begin = try begin.instant(in: zones.chosen)
    let end = try end(after: begin, in: zones.chosen)
    guard end > begin else {
      throw ValidationError("--until \(end) is not after --from \(begin); nothing lies between")
    }
    let modes = try ModeArguments(mode, from: begin, until: end)
    let definitions = configuration.definitions
    var dryRun = DryRun(
      jobs: definitions, groups: configuration.groups, from: begin, until: end, mode: modes.first,
      modeChanges: modes.changes, seed: Machine.seed, named: try Words.jobs(jobs, among: definitions),
      keepsRows: !summary)
    if drawing.wanted != nil {
      let names = dryRun.summary.jobs.map(\.name)
      return try drawing.draw(
        &dryRun,
        jobs: zip(names, zones.zones(of: names, in: configuration)).map {
          DrawingRow.Job(name: $0, zone: $1)
        },
        in: zones.zone(configuration.daemon.zone), title: "Dry run of \(source.config)")
    }
    let form: DryRunWriter.Form
    if output.json || summary {
      form = output.json ? .json : .table(fitting: [], hasFractions: false)
    } else {
      let hasFractions = definitions.contains { definition in
        let isCounted =
          definition.schedule.hasMoreThanOneEntryPerSecond && !jobs.contains(definition.name.text)
        return !isCounted && Self.hasFractions(definition, from: begin)
      }
      form = .table(
        fitting: definitions.map(\.name), hasFractions: hasFractions,
        zones: zones.zones(of: dryRun.summary.jobs.map(\.name), in: configuration))
    }
    var printer = DryRunPrinter(
      dryRun, as: form, isSummary: summary, zone: zones.zone(configuration.daemon.zone))
    if speed == "max" {
      try printer.runAtFullSpeed()
    } else {
      try printer.run(at: try Words.speed(speed))
    }
  }

  /// Throws a usage error if a file is among the jobs. Called after parsing, so that an unknown option in front of
  /// the file is reported first.
  private func refuseFile() throws {
    // `check` takes its file as an argument. A user who does so here should see an error about this file, not about
    // the default file.
    guard source.config == ConfigurationOptions.defaultPath,
      let file = jobs.first(where: { $0.contains("/") || $0.hasSuffix(".toml") })
    else { return }
    throw ValidationError("\(file): jobs are named here: name the configuration by -c \(file)")
  }

  /// Whether the job's rows are likely to show fractions of a second, so that columns are wide enough.
  private static func hasFractions(_ definition: JobDefinition, from begin: WallInstant) -> Bool {
    let second = ElapsedTime.seconds(1).nanoseconds
    if definition.policies.expect.nanoseconds % second != 0 || definition.timing.jitter > .zero {
      return true
    }
    return definition.schedule.entries(from: begin, mode: .normal).prefix(64).contains {
      $0.nanosecondsSinceEpoch % second != 0
    }
  }

  private func end(after begin: WallInstant, in zone: Zone?) throws -> WallInstant {
    switch (until, length) {
    case (nil, nil): return begin + .days(1)
    case (let until?, nil): return try Words.instant(until, option: "--until", in: zone)
    case (nil, let length?): return begin + (try Words.length(length, option: "--for"))
    case (_?, _?): throw ValidationError("--until and --for both say where to end; give one of them")
    }
  }
}

/// Prints the rows of a dry run as they come.
private struct DryRunPrinter: ~Copyable {
  private var dryRun: DryRun
  private var writer: DryRunWriter
  private let form: DryRunWriter.Form
  private let isSummary: Bool
  /// The zone of lines that concern all jobs.
  private let zone: Zone

  init(_ dryRun: DryRun, as form: DryRunWriter.Form, isSummary: Bool, zone: Zone) {
    self.zone = zone
    self.dryRun = dryRun
    self.form = form
    self.isSummary = isSummary
    writer = DryRunWriter(jobs: dryRun.summary.jobs.map(\.name), as: form)
    if !isSummary { writer.writeHeading() }
  }

  mutating func runAtFullSpeed() throws {
    var isOver = false
    while !isOver {
      isOver = !dryRun.stepThroughBatch { row in writer.write(row) }
      if isOver || writer.isFull { try flush() }
    }
    try printSummary()
  }

  /// Processes each instant when a clock that runs at `speed` reaches it.
  mutating func run(at speed: Speed) throws {
    let showsProgress = CurrentProcess.errorIsTerminal
    let clock = AffineTime(base: SystemTime.now(), virtual: dryRun.progress.from, speed: speed)
    try flush()
    while let instant = dryRun.nextInstant, let due = clock.baseInstant(for: instant) {
      SystemTime.sleep(until: due)
      let isOver = !dryRun.step { row in writer.write(row) }
      if showsProgress && !writer.isEmpty { CurrentProcess.printError("\r\u{1B}[K") }
      try flush()
      if showsProgress { CurrentProcess.printError("\r\u{1B}[K" + dryRun.progress.text) }
      if isOver { break }
    }
    if showsProgress { CurrentProcess.printError("\r\u{1B}[K") }
    try printSummary()
  }

  private mutating func flush() throws {
    try writer.flush { bytes in
      try Output.write(bytes)
    }
  }

  private func printSummary() throws {
    let summary = dryRun.summary
    guard isSummary else { return CurrentProcess.printError(summary.text(in: zone)) }
    try Output.print(form == .json ? summary.jsonLines : summary.text(in: zone))
  }
}
