import ArgumentParser
import TimelineConfiguration
import TimelineControl
import TimelineSystem

/// `timelinectl config`: the configuration as the daemon understands it.
struct ConfigCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config", abstract: "Show the configuration.", subcommands: [Show.self])

  @ParentCommand var root: Timelinectl

  /// `timelinectl config show`: the configuration in effect.
  struct Show: DaemonVerb {
    static let configuration = CommandConfiguration(
      commandName: "show",
      abstract:
        "Show the configuration in effect, its defaults filled in, as TOML with the origin of each value.",
      discussion: """
        It is that of the daemon that runs; where it does not answer, and with --config, that of the configuration \
        file and jobs.d beside it. What is printed is one file that means the same.
        """)

    @ParentCommand var parent: ConfigCommand
    @OptionGroup var daemon: DaemonConnection
    @OptionGroup var source: ConfigurationOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var misplaced: MisplacedFile

    var root: Timelinectl { parent.root }

    func run() throws {
      try misplaced.refuse()
      let (listing, origin) = try found()
      if output.json { return try Output.print(listing.jsonLines) }
      try Output.print("# \(origin.printable)\n\n\(listing.text)")
    }

    private func found() throws -> (ConfigurationListing, origin: String) {
      let connection = daemon.completed(by: root.daemon)
      let isNamed = source.config != ConfigurationOptions.defaultPath
      if !isNamed {
        do {
          let reply = try connection.attempt(Control.Configuration())
          return (ConfigurationListing(reply), "in effect in the daemon at \(connection.path)")
        } catch let failure as CallFailure {
          let why =
            failure.status == .permissionDenied
            ? "the daemon shows it to root and the users of control.users alone"
            : "no answer from the daemon at \(connection.path)"
          CurrentProcess.printError("\(why): shown is what \(source.config) says\n")
        }
      }
      return (try source.load().listing(), "\(source.config), with the defaults")
    }
  }
}

extension ConfigurationListing {
  /// Reads the daemon's reply.
  fileprivate init(_ reply: ConfigurationReply) {
    self.init(
      tables: reply.tables.map { table in
        Table(
          path: table.path, isElement: table.isElement, origin: table.origin ?? "",
          values: table.values.map { Value(key: $0.key, text: $0.text, origin: $0.origin) })
      })
  }
}
