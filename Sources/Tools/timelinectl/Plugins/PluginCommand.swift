import ArgumentParser
import TimelineConfiguration
import TimelineCore
import TimelineLoading
import TimelineSystem

/// `timelinectl plugin`: shows, makes and tries plugins.
struct PluginCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plugin", abstract: "Show, make and try plugins.",
    subcommands: [Inspect.self, List.self, New.self, Test.self, Conformance.self])

  @ParentCommand var root: Timelinectl

  /// Default timeout for loading a plugin: plugins need milliseconds, or a second on a cold disk.
  static let loadLimit = ElapsedTime.seconds(10)

  /// `timelinectl plugin inspect`: a plugin's description of itself, read in a separate process.
  struct Inspect: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "inspect",
      abstract: "Load a plugin in a host and show who it says it is and which parameters it takes.",
      discussion: "Exits 1 with file, reason and remedy when it cannot be loaded. Its jobs are not run.")

    @OptionGroup var installed: InstalledPlugins

    @Option(help: ArgumentHelp("Load it as this user, who may own it; as root.", valueName: "name"))
    var user: String?

    @ParentCommand var parent: PluginCommand

    @Option(
      parsing: .unconditional,
      help: ArgumentHelp(
        "For how long the plugin may take to load, such as 30s. Default: 10s.", valueName: "duration"),
      transform: { try Words.length($0) })
    var timeout: ElapsedTime?

    @OptionGroup var output: OutputOptions

    @Argument(
      help: ArgumentHelp(
        "The shared library, or the name of an installed plugin.", valueName: "file.so | name"),
      completion: .file(extensions: ["so"]))
    var plugin: String

    func run() throws {
      let isFile = plugin.contains("/")
      let file = try TriedPlugin.path(of: plugin, in: isFile ? [] : installed.directories())
      let describer = PluginDescriber(
        hostPath: installed.hostPath,
        limit: timeout ?? parent.root.daemon.timeout ?? PluginCommand.loadLimit, keepsWords: false)
      switch try describer.describe(file, user.map { ["--user", $0] } ?? []) {
      case .described(let answer):
        if let fault = PluginSchema.fault(inDescription: answer) {
          throw fail("error: \(file): the schema of its parameters cannot be used: \(fault)")
        }
        try Output.print(output.json ? answer : try PluginText(json: answer).text)
      case .refused(_, let status): throw ExitCode(status)
      case .crashed(let signal):
        throw fail("error: \(file): the plugin crashed while it was loaded: \(signal)")
      case .late:
        throw fail(
          "timelinectl: error: \(file): not loaded within \(describer.limit): its constructors or its entry hang; allow more with --timeout"
        )
      case .unobserved: throw fail("error: \(file): the end of its plugin host was not observed: try again")
      }
    }
  }
}
