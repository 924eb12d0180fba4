import ArgumentParser
import TimelineClocks
import TimelineConfiguration
import TimelineCore
import TimelineEngine
import TimelineSystem

/// `timelinectl dry-run`: the whole configuration through the real engine, without plugins.
struct DryRunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dry-run",
    abstract: "Show what a configuration would do over a stretch of time.",
    discussion: """
      No plugin is called; a run lasts what its job's `expect` says, so overlaps show. Rows come in order of entry, then \
      of job. A job that fires more often than once a second is counted by the minute unless it is named. A summary \
      goes to standard error.
      """)

  @OptionGroup var source: ConfigurationOptions

  @Option(help: ArgumentHelp("Where to begin (RFC 3339). Default: now.", valueName: "instant"))
  var from: String?

  @Option(help: ArgumentHelp("Where to end; entries at this instant are left out.", valueName: "instant"))
  var until: String?

  @Option(
    name: .customLong("for"), help: ArgumentHelp("How long, such as 90s, 1h30m or 7d.", valueName: "duration")
  )
  var length: String?

  @Option(help: ArgumentHelp("max, or how many times faster than real time, such as 60.", valueName: "speed"))
  var speed = "max"

  @Option(help: ArgumentHelp("normal or low-frequency.", valueName: "mode"))
  var mode = "normal"

  @OptionGroup var output: OutputOptions

  @Argument(help: ArgumentHelp("Only these jobs, entry by entry.", valueName: "job"))
  var jobs: [String] = []

  func run() throws {
    let configuration = try source.load()
    let begin = try from.map { try Words.instant($0, option: "--from") } ?? SystemTime.now()
    let end = try end(after: begin)
    guard end > begin else {
      throw ValidationError("--until \(end) is not after --from \(begin); nothing lies between")
    }
    let definitions = configuration.definitions
    let dryRun = DryRun(
      jobs: definitions, groups: configuration.groups, from: begin, until: end, mode: try Words.mode(mode),
      seed: Machine.seed, named: try Words.jobs(jobs, among: definitions))
    let table = DryRunTable(
      jobs: definitions.map(\.name),
      hasFractions: definitions.contains { definition in
        let isCounted = definition.schedule.firesMoreThanOncePerSecond && !jobs.contains(definition.name.text)
        return !isCounted && Self.hasFractions(definition, from: begin)
      })
    var printer = DryRunPrinter(table: output.json ? nil : table)
    if speed == "max" {
      printer.runAtFullSpeed(dryRun)
    } else {
      printer.run(dryRun, at: try Words.speed(speed))
    }
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

  private func end(after begin: WallInstant) throws -> WallInstant {
    switch (until, length) {
    case (nil, nil): return begin + .days(1)
    case (let until?, nil): return try Words.instant(until, option: "--until")
    case (nil, let length?): return begin + (try Words.length(length, option: "--for"))
    case (_?, _?): throw ValidationError("--until and --for both say where to end; give one of them")
    }
  }
}

/// Prints a dry run as it goes.
private struct DryRunPrinter {
  /// `nil` for JSON.
  let table: DryRunTable?
  private var buffer = ""

  /// How much is gathered before it is written: a million rows must not be a million system calls.
  private static let bufferedMax = 1 << 16

  init(table: DryRunTable?) {
    self.table = table
  }

  mutating func runAtFullSpeed(_ dryRun: DryRun) {
    var dryRun = dryRun
    begin()
    dryRun.run { row in
      add(row)
      if buffer.utf8.count >= Self.bufferedMax { flush() }
    }
    flush()
    CurrentProcess.printError(dryRun.summary.text)
  }

  /// Deals with each instant when a clock that runs at `speed` shows it.
  mutating func run(_ dryRun: DryRun, at speed: Speed) {
    var dryRun = dryRun
    let showsProgress = CurrentProcess.errorIsTerminal
    let clock = AffineTime(base: SystemTime.now(), virtual: dryRun.progress.from, speed: speed)
    begin()
    flush()
    while let instant = dryRun.nextInstant, let due = clock.baseInstant(for: instant) {
      SystemTime.sleep(until: due)
      let isOver = !dryRun.step { row in add(row) }
      if showsProgress && !buffer.isEmpty { CurrentProcess.printError("\r\u{1B}[K") }
      flush()
      if showsProgress { CurrentProcess.printError("\r\u{1B}[K" + dryRun.progress.text) }
      if isOver { break }
    }
    if showsProgress { CurrentProcess.printError("\r\u{1B}[K") }
    CurrentProcess.printError(dryRun.summary.text)
  }

  private mutating func begin() {
    if let table { buffer += table.heading + "\n" }
  }

  private mutating func add(_ row: DryRunRow) {
    buffer += table.map { $0.line(row) } ?? row.jsonLine
    buffer += "\n"
  }

  private mutating func flush() {
    if !buffer.isEmpty { CurrentProcess.print(buffer) }
    buffer.removeAll(keepingCapacity: true)
  }
}
