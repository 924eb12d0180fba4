import ArgumentParser
import TimelineConfiguration
import TimelineLoading
import TimelineSystem

/// Entry point of the operator's program, called by its executable.
package enum OperatorProgram {
  /// Runs the command line, and ends the process.
  package static func main() { Timelinectl.main() }
}

/// The operator's program: checks configurations without a daemon, and controls the running daemon.
struct Timelinectl: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "timelinectl",
    abstract: "Checks and rehearses timelines, and talks to timelined.",
    version: Installation.version,
    groupedSubcommands: [
      CommandGroup(
        name: "Without a daemon:",
        subcommands: [
          CheckCommand.self, ConfigCommand.self, DryRunCommand.self, RehearseCommand.self, PlanCommand.self,
          NextCommand.self, ExplainCommand.self, ImportCommand.self, SchemaCommand.self, PluginCommand.self,
        ]),
      CommandGroup(
        name: "With the daemon:",
        subcommands: [
          StatusCommand.self, ListCommand.self, WhyCommand.self, HistoryCommand.self, GapsCommand.self,
          BackfillsCommand.self, WatchCommand.self, LogsCommand.self, TriggerCommand.self, RerunCommand.self,
          BackfillCommand.self, PauseCommand.self, ResumeCommand.self, ReleaseCommand.self,
          CancelCommand.self, ClockCommand.self, ModeCommand.self,
          ClusterCommand.self, MetricsCommand.self,
          BackupCommand.self, ReloadCommand.self, StopCommand.self, TakeoverCommand.self,
        ]),
    ])

  @OptionGroup var daemon: DaemonConnection

  /// Runs `watch` on a terminal, and shows the help elsewhere: the command line has no verb.
  func run() throws {
    guard CurrentProcess.isOnTerminal else { throw CleanExit.helpRequest(self) }
    var words = daemon.socket.map { ["--socket=\($0)"] } ?? []
    words += daemon.timeout.map { ["--timeout=\($0)"] } ?? []
    var watch = try Self.parseAsRoot(words + ["watch"])
    try watch.run()
  }

  /// Runs the command line.
  static func main() {
    CurrentProcess.fillStandardDescriptors()
    // The verb that runs. If the verb throws a usage error, its usage is shown, as with an error of the parser.
    var verb: (any ParsableCommand.Type)?
    do {
      var command = try parseAsRoot()
      verb = type(of: command)
      try command.run()
    } catch {
      let words = CommandLine.arguments.dropFirst()
      let (command, unknown) = UnknownCommand.find(in: words, of: self)
      let advice =
        unknown ?? (error is ExitCode ? nil : UnknownCommand.ruleError(in: words))
        ?? NegativeWord.error(in: words, for: error)
      end(with: advice ?? error, of: advice == nil ? verb : command)
    }
  }

  /// A message and the usage of a verb; `nil` without a verb.
  private static func usageError(_ message: String, of verb: (any ParsableCommand.Type)?) -> String? {
    guard let verb else { return nil }
    let usage = usageString(for: verb)
    let name = usage.split(separator: " ").prefix { !$0.hasPrefix("[") && !$0.hasPrefix("<") }
    return
      "Error: \(message)\nUsage: \(usage)\n  See '\(name.joined(separator: " ")) --help' for more information."
  }

  /// Ends the program with the text and the status of `error`, which may be an answer to `--help`.
  private static func end(with error: any Error, of verb: (any ParsableCommand.Type)?) -> Never {
    let text =
      (error as? ValidationError).flatMap { usageError($0.message, of: verb) } ?? fullMessage(for: error)
    let status = exitCode(for: error)
    if text.isEmpty { exit(withError: status) }
    guard status.isSuccess else {
      let prefix = "Error: "
      let message = text.hasPrefix(prefix) ? "timelinectl: error: " + text.dropFirst(prefix.count) : text
      exit(withError: fail(message, status: ExitStatus(rawValue: status.rawValue) ?? .usage))
    }
    do throws(ExitCode) {
      try Output.print(text.hasSuffix("\n") ? text : text + "\n")
      exit()
    } catch {
      exit(withError: error)
    }
  }
}

/// A file argument of a verb that has none. Only `check` has its configuration as an argument.
struct MisplacedFile: ParsableArguments {
  @Argument(help: .hidden)
  var words: [String] = []

  /// Throws the usage error for the file. Called when the command runs, so that an unknown option in front of the
  /// file is reported first.
  func refuse() throws {
    guard let word = words.first else { return }
    let isFile = word.contains("/") || word.hasSuffix(".toml")
    throw ValidationError(
      isFile ? "\(word): name the configuration by -c \(word)" : "Unexpected argument '\(word)'")
  }
}

/// Output format of a verb.
struct OutputOptions: ParsableArguments {
  @Flag(help: "Print JSON, one object a line.")
  var json = false
}

/// Paths of the configuration and its plugins.
struct ConfigurationOptions: ParsableArguments {
  /// Path of the configuration that the packages install.
  static let defaultPath = "/etc/timelined/timelined.toml"

  @Option(
    name: .shortAndLong, help: ArgumentHelp("The configuration file.", valueName: "file"),
    completion: .file(extensions: ["toml"]))
  var config = Self.defaultPath

  /// Reads the configuration, or ends the program with all errors in it. Plugins are not loaded.
  func load() throws -> Configuration { try Self.load(config) }

  /// Reads the configuration at `path`, or prints all errors in it and ends the program with `status`.
  static func load(_ path: String, failingWith status: ExitStatus = .negative) throws -> Configuration {
    do {
      return try Loader(path: path, installation: Installation()).read(
        refusingForeignWriters: false, refusingUnknownPlugins: false, now: SystemTime.now())
    } catch {
      throw fail(error.text(color: CurrentProcess.errorShowsColors), status: status)
    }
  }
}
