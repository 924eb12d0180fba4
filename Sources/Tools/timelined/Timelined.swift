import ArgumentParser
import TimelineCore
import TimelineDaemon
import TimelineSystem

/// Command line of the daemon: paths, and the choice of the clock.
struct Timelined: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "timelined",
    abstract: "Keeps timelines: runs jobs on their schedules and remembers what became of every entry.",
    discussion: """
      Without options it reads /etc/timelined/timelined.toml and jobs.d beside it, as the systemd unit does.

      A rehearsal runs the configured jobs with their real plugins on a clock of its own:
        timelined --config jobs.toml --clock scaled:60 --from 2027-03-28T00:00:00Z
      It keeps its ledger in memory, so that it never touches the real state and --state means nothing to it; plugins are \
      told that it is a rehearsal. `timelinectl clock` pauses, steps and speeds up its clock.
      """,
    version: DaemonOptions.version)

  private static let defaultConfiguration = "/etc/timelined/timelined.toml"

  @Option(name: .shortAndLong, help: ArgumentHelp("The configuration file.", valueName: "file"))
  var config = Self.defaultConfiguration

  @Option(
    help: ArgumentHelp(
      "Where the ledger is kept. Default: the configuration's state-directory, $STATE_DIRECTORY, or /var/lib/timelined.",
      valueName: "directory"))
  var state: String?

  @Option(
    help: ArgumentHelp(
      "The control socket. Default: the configuration's, control.sock in $RUNTIME_DIRECTORY, or in /run/timelined; of a rehearsal /tmp/timelined-rehearsal-PID.sock.",
      valueName: "path"))
  var control: String?

  @Option(
    help: ArgumentHelp(
      "Directories in which plugins are looked up by name, separated by colons, before the configured ones.",
      valueName: "directories"))
  var plugins: String?

  @Option(
    help: ArgumentHelp(
      "The timeline-host program. Default: the one installed beside this one.", valueName: "file"))
  var host: String?

  @Option(
    help: ArgumentHelp(
      "system, or scaled:N to rehearse at N times the real pace (scaled:60, scaled:1/2, scaled:max; scaled:0 is paused).",
      valueName: "clock")
  )
  var clock = "system"

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Where a rehearsal begins: \(Moment.forms). Without a zone it is meant in the machine's. Default: now.",
      valueName: "moment"))
  var from: String?

  @Option(
    help: ArgumentHelp(
      "For rehearsing clock steps, with the real state and real runs: a file with a length of time (1h, -2.5s) by which the daemon's clock stands ahead of the system's. It is read at the start and at each SIGUSR2.",
      valueName: "file", visibility: .hidden))
  var clockOffsetFile: String?

  @Option(
    help: ArgumentHelp(
      "For rehearsing the mode: a directory that stands for / where battery and pressure are read.",
      valueName: "directory", visibility: .hidden))
  var machineRoot: String?

  @Flag(
    help: ArgumentHelp(
      "For ExecStopPost= of the unit: turn off the controllers of its control groups, or systemd could not start it again; forget the starts before a stop; close the socket after a refused configuration.",
      visibility: .hidden))
  var releaseControllers = false

  @Argument(help: .hidden)
  var misplaced: [String] = []

  @Flag(
    help: "Run sample jobs for a minute in a temporary directory, which is then removed, and explain them.")
  var demo = false

  @Option(
    help: ArgumentHelp("With --demo: another length, from 1s to 1h.", valueName: "length"),
    transform: ElapsedTime.init(parsing:))
  var demoLength: ElapsedTime?

  /// Runs the command in the arguments.
  static func main() {
    do {
      var command = try parseAsRoot()
      try command.run()
    } catch {
      CommandLineAnswer.end(fullMessage(for: error), status: exitCode(for: error).rawValue)
    }
  }

  func run() throws {
    // Checked after parsing, so that an unknown option in front of the file is reported first.
    if let word = misplaced.first {
      throw ValidationError("\(word): name the configuration by -c \(word)")
    }
    if releaseControllers { return try release() }
    if demo { throw ExitCode(try demonstrate().rawValue) }
    if demoLength != nil { throw ValidationError("--demo-length is for --demo: add that, or leave it out") }
    var options: DaemonOptions
    do {
      options = try DaemonOptions(
        configurationPath: config, statePath: state, controlPath: control, pluginDirectories: plugins,
        hostPath: host, clock: clock, from: from, clockOffsetPath: clockOffsetFile)
      options.machineRoot = machineRoot ?? ""
    } catch {
      throw ValidationError(error.description)
    }
    throw ExitCode(DaemonMain.run(options).rawValue)
  }

  private func release() throws {
    ServiceEnd.settle()
    do throws(SystemError) {
      try DelegatedGroup.findFromControlProcess()?.turnOffControllers()
    } catch {
      CurrentProcess.printError("timelined: error: \(error)\n")
      throw ExitCode(DaemonExit.cannotStart.rawValue)
    }
  }

  private func demonstrate() throws -> DaemonExit {
    guard [state, control, from, clockOffsetFile, machineRoot].allSatisfy({ $0 == nil }), clock == "system",
      config == Self.defaultConfiguration
    else {
      throw ValidationError(
        "--demo: other options have no effect: use only --demo-length, --plugins and --host")
    }
    let length = demoLength ?? ElapsedTime(nanoseconds: 60_000_000_000)
    guard Demonstration.lengths.contains(length) else {
      throw ValidationError("--demo-length \(length): expected a length from 1s to 1h")
    }
    do {
      return try Demonstration(length: length).run(plugins: plugins, host: host)
    } catch let error as OptionError {
      throw ValidationError(error.description)
    } catch let error as SystemError {
      CurrentProcess.printError(
        "timelined: error: \(Demonstration.parent): \(error.plainReason): set TMPDIR to a directory that you can write\n"
      )
      return .cannotStart
    }
  }
}
