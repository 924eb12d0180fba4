import ArgumentParser
import TimelineConfiguration
import TimelineCore
import TimelineJSON
import TimelineSystem

/// `timelinectl schema`: the schema of configuration files, for editors.
struct SchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Print a JSON Schema of configuration files, for editors.",
    discussion: """
      Editors with a TOML language server complete and check a file that begins with "#:schema FILE". The parameters of each \
      installed plugin are part of it; a plugin that cannot be loaded is left out, with a warning. It says less than `check` \
      examines.
      """)

  @ParentCommand var root: Timelinectl

  @Flag(help: "Leave the parameters of plugins out.")
  var skipPlugins = false

  @OptionGroup var installed: InstalledPlugins
  @OptionGroup var misplaced: MisplacedFile

  func run() throws {
    try misplaced.refuse()
    let plugins = skipPlugins ? [] : try described()
    try Output.print("\(ConfigurationSchema.value(plugins: plugins))\n")
  }

  private func described() throws -> [(name: String, schema: JSONValue)] {
    let describer = installed.describer(limit: root.daemon.timeout)
    var plugins: [(name: String, schema: JSONValue)] = []
    for path in try installed.paths() {
      let name = InstalledPlugins.name(ofFile: path)
      if plugins.contains(where: { $0.name == name }) { continue }
      let answer = try describer.describe(path)
      guard case .described(let text) = answer else {
        warn(path, answer.refusal(limit: describer.limit))
        continue
      }
      if let fault = PluginSchema.fault(inDescription: text) {
        warn(path, "the schema of its parameters cannot be used: \(fault)")
        continue
      }
      guard case .object(let description)? = try? JSONValue(parsing: text),
        let schema = description["parametersSchema"], schema != .null
      else { continue }
      plugins.append((name, schema))
    }
    return plugins
  }

  private func warn(_ path: String, _ reason: String) {
    CurrentProcess.printError("timelinectl: warning: \(path.printable): left out: \(reason.printable)\n")
  }
}
