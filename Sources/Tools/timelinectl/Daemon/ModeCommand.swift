import ArgumentParser
import TimelineControl
import TimelineCore

/// `timelinectl mode`: shows the daemon's mode, and sets the operator's choice.
struct ModeCommand: DaemonVerb {
  static let configuration = CommandConfiguration(
    commandName: "mode",
    abstract: "Show the daemon's mode and why, or choose it.",
    discussion: """
      In low-frequency mode jobs with an `animation` schedule stand still; their entries end as `low-frequency`. All other jobs run \
      as ever, and plugins are told of the mode. A choice outlives the daemon and a reload, until auto gives the mode back to the \
      configuration.
      """)

  @ParentCommand var root: Timelinectl
  @OptionGroup var daemon: DaemonConnection
  @OptionGroup var shown: ZoneOptions
  @OptionGroup var output: OutputOptions

  @Argument(
    help: "normal, low-frequency or auto. Default: show the mode.", completion: .choice(of: ModeChoice.self))
  var mode: String?

  @Option(
    help: ArgumentHelp(
      "With low-frequency, the cadence that runs are told: seconds or minutes.", valueName: "cadence"),
    completion: .choice(of: LowFrequencyCadence.self))
  var cadence: String?

  func validate() throws {
    if let mode, ModeChoice(rawValue: mode) == nil {
      throw ValidationError("\(mode): expected normal, low-frequency or auto")
    }
    guard let cadence else { return }
    if mode != ModeChoice.lowFrequency.rawValue {
      throw ValidationError(
        "--cadence: needs the mode low-frequency: use `timelinectl mode low-frequency --cadence \(cadence)`")
    }
    if LowFrequencyCadence(rawValue: cadence) == nil {
      throw ValidationError("--cadence \(cadence): expected seconds or minutes")
    }
  }

  func run() throws {
    let zones = try shown.shown()
    let choice = mode.flatMap(ModeChoice.init(rawValue:))
    let cadence = cadence.flatMap(LowFrequencyCadence.init(rawValue:))
    let state =
      try choice.map { try call(Control.SetMode(mode: $0, cadence: cadence)).state }
      ?? call(Control.Mode()).state
    if output.json { return try Output.print(jsonLine(state)) }
    let chosen = state.choice == ModeChoice.auto.rawValue ? "auto (no operator's choice)" : state.choice
    try Output.print(
      Words.lines([
        ("mode", state.mode), ("cadence", state.cadence), ("reason", state.reason),
        ("chosen", chosen + Words.origin(state.by, nil)),
        ("since", Words.text(state.since.instant, in: zones.zone(named: state.zone))),
      ]))
  }
}
