import ArgumentParser
import TimelineClocks
import TimelineConfiguration
import TimelineCore
import TimelineEngine
import TimelineRehearsal
import TimelineSystem
import TimelineTerminal

/// `timelinectl rehearse`: a moving dry run on a full screen.
struct RehearseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rehearse",
    abstract: "Play a configuration on a full screen: one row per job, past and future.",
    discussion: """
      The real engine decides about entries in simulated time, as in a dry run: no plugin is called, and a run lasts what its job's \
      `expected-duration` says. Space plays and pauses, + and - change the speed, n steps to the next entry, g goes to a moment, \
      arrows select, Enter explains an entry, / filters, ? shows all keys, q quits.
      If standard input or output is not a terminal, or with --lines, the entries of one day are printed, as dry-run does.
      """)

  @OptionGroup var source: ConfigurationOptions

  @OptionGroup var begin: BeginOptions

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How many times faster than real time, such as 60, or max. Default: the window passes in about a minute.",
      valueName: "speed"), completion: .list(["max"]))
  var speed: String?

  @Option(
    help: ArgumentHelp("normal or low-frequency.", valueName: "mode"),
    completion: .choice(of: ScheduleMode.self))
  var mode = "normal"

  @Option(
    name: .customLong("for"), parsing: .unconditional,
    help: ArgumentHelp(
      "How long, such as 90s, 1h30m or 7d: the stretch of time on the screen at the beginning, or of the lines. Default of the lines: 1d.",
      valueName: "duration"),
    transform: { try Words.length($0) })
  var length: ElapsedTime?

  @Flag(help: "Print lines, also on a terminal.")
  var lines = false

  @OptionGroup var shown: ZoneOptions
  @OptionGroup var misplaced: MisplacedFile

  func run() throws {
    try misplaced.refuse()
    let mode = try Words.mode(mode)
    guard !lines, CurrentProcess.isOnTerminal else {
      var words = ["--config", source.config, "--mode", mode.rawValue, "--speed", speed ?? "max"]
      words += length.map { ["--for", "\($0)"] } ?? []
      words += begin.from.map { ["--from", $0] } ?? []
      words += shown.utc ? ["--utc"] : shown.zone.map { ["--zone", $0] } ?? []
      return try DryRunCommand.parse(words).run()
    }
    let configuration = try source.load()
    let zones = try shown.shown()
    let begin = try begin.instant(in: zones.chosen)
    let pace = try speed.map { $0 == "max" ? Pace.max : .speed(try Words.speed($0)) }
    let plan = SimulationPlan(
      jobs: configuration.definitions, groups: configuration.groups, seed: Machine.seed,
      mode: mode)
    let session = try ViewSession { size in
      TerminalView(
        title: source.config, plan: plan,
        zones: zones.zones(of: plan.jobs.map(\.name), in: configuration),
        zone: zones.zone(configuration.daemon.zone), from: begin, base: ViewSession.base, length: length,
        pace: pace,
        size: size)
    }
    session.run()
    session.end()
  }
}

extension CurrentProcess {
  /// Whether a full screen can be shown: standard input and output are terminals with a movable cursor (environ(7), TERM).
  static var isOnTerminal: Bool { inputIsTerminal && outputIsTerminal && environment["TERM"] != "dumb" }
}
