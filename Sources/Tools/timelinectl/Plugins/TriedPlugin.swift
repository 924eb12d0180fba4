import ArgumentParser
import TimelineConfiguration
import TimelineCore
import TimelineHostPool
import TimelineJSON
import TimelineLoading
import TimelineSystem
import TimelineTrial
import TimelineWire

/// The plugin of a trial run, with the host and the parameters.
struct TriedPlugin: ParsableArguments {
  @Option(help: ArgumentHelp("The timeline-host program.", valueName: "file"), completion: .file())
  var host: String?

  @Option(
    help: ArgumentHelp(
      "Directories in which a plugin named without a slash is searched, separated by colons.",
      valueName: "directories"), completion: .directory)
  var plugins: String?

  @Option(help: ArgumentHelp("Load it as this user, who may own it; as root.", valueName: "name"))
  var user: String?

  @Option(name: .customLong("with"), help: ArgumentHelp("The job's parameters.", valueName: "JSON"))
  var parameters = "{}"

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Time limit for one call of the plugin, for example 2m. Default: 30s.", valueName: "duration"),
    transform: { try Words.length($0) })
  var callTimeout = ElapsedTime.seconds(30)

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Time that a run has after it was asked to stop. Default: 10s.", valueName: "duration"),
    transform: { try Words.length($0) })
  var grace = ElapsedTime.seconds(10)

  @Argument(
    help: ArgumentHelp("The shared library, or the name of an installed plugin.", valueName: "plugin"),
    completion: .file(extensions: ["so"]))
  var file: String

  func validate() throws { try Self.requireObject(parameters, option: "--with") }

  /// Throws unless `text` is a JSON object.
  static func requireObject(_ text: String, option: String) throws {
    guard case .object? = try? JSONValue(parsing: text) else {
      throw ValidationError("\(option): expected a JSON object, for example {\"word\": \"tea\"}")
    }
  }

  private var installation: Installation { Installation(hostPath: host, pluginDirectories: plugins) }

  var hostPath: String { installation.hostPath }

  /// Returns the path of the library.
  func path() throws -> String {
    try Self.path(of: file, in: installation.pluginDirectories(configured: []))
  }

  /// Returns the path of a plugin's library. `file` is a path, or the name by which jobs find the plugin in
  /// `directories`.
  static func path(of file: String, in directories: [String]) throws -> String {
    if file.contains("/") || (file.hasSuffix(".so") && (try? FileFacts(at: file)) != nil) {
      return CurrentProcess.absolutePath(file)
    }
    do throws(HostFailure) {
      return try PluginSearch(directories: directories).path(of: file)
    } catch {
      let names = directories.flatMap { (try? DirectoryListing.names(in: $0)) ?? [] }
        .filter { $0.hasSuffix(".so") }.map(InstalledPlugins.name(ofFile:))
      let near = Spelling.nearest(to: file, among: names).map { "; did you mean `\($0)`?" } ?? ""
      throw fail("error: \(error)\(near)")
    }
  }
}
