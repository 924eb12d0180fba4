import ArgumentParser
import TimelineConfiguration
import TimelineCore
import TimelineLoading
import TimelineSystem

extension PluginCommand {
  /// `timelinectl plugin list`: the plugins that jobs can name.
  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list",
      abstract: "Show the plugins in the plugin directories, refused ones with the reason.",
      discussion: "Each is loaded in a host of its own. Exits 0 also when some are refused.")

    @ParentCommand var parent: PluginCommand
    @OptionGroup var installed: InstalledPlugins
    @Flag(help: "Show the parameters of each plugin, too.")
    var parameters = false

    @OptionGroup var output: OutputOptions

    /// A plugin in the output.
    struct Found: Encodable {
      /// The name by which jobs find the plugin.
      var name: String
      var version: String?
      var summary: String?
      /// The reason why the plugin cannot be run; `nil` if it can.
      var refused: String?
      var path: String
      /// The plugin file of the same name that takes precedence; `nil` if there is none.
      var hiddenBy: String?
      /// `nil` if the plugin cannot be run.
      var parameters: [PluginText.Parameter]?
      /// The whole description for people; not part of the JSON.
      var text = ""

      private enum CodingKeys: String, CodingKey {
        case name, version, summary, refused, path, hiddenBy, parameters
      }
    }

    func run() throws {
      let describer = installed.describer(limit: parent.root.daemon.timeout)
      var found: [Found] = []
      for path in try installed.paths() {
        found.append(try Self.look(at: path, with: describer, after: found))
      }
      if output.json { return try Output.print(found.map(jsonLine).joined()) }
      if found.isEmpty { return CurrentProcess.printError("no plugins\n") }
      var table = TextTable([
        ("NAME", .left), ("VERSION", .left), ("SUMMARY", .left), ("PATH", .left),
      ])
      for plugin in found {
        let summary =
          plugin.refused.map { "refused: \($0)" } ?? plugin.hiddenBy.map { "hidden by \($0)" }
          ?? plugin.summary
        table.add([plugin.name, plugin.version ?? "-", summary ?? "-", plugin.path])
      }
      let texts = parameters ? found.filter { !$0.text.isEmpty }.map { "\n\($0.text)" } : []
      try Output.print(table.text + texts.joined())
    }

    private static func look(
      at path: String, with describer: PluginDescriber, after found: [Found]
    ) throws -> Found {
      let name = InstalledPlugins.name(ofFile: path)
      var plugin = Found(name: name, path: path, hiddenBy: found.first { $0.name == name }?.path)
      switch try describer.describe(path) {
      case .described(let json):
        let description = try PluginText(json: json)
        plugin.version = description.version
        plugin.summary = description.summary
        plugin.parameters = description.parameterList
        plugin.text = description.text
      case let answer: plugin.refused = answer.refusal(limit: describer.limit)
      }
      return plugin
    }
  }
}
