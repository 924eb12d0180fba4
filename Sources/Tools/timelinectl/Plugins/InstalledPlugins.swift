import ArgumentParser
import TimelineConfiguration
import TimelineCore
import TimelineLoading
import TimelineSystem

/// The plugins in the plugin directories, which jobs can name.
struct InstalledPlugins: ParsableArguments {
  @OptionGroup var source: ConfigurationOptions

  @Option(
    help: ArgumentHelp(
      "Directories that are searched before the configured ones, separated by colons.",
      valueName: "directories"), completion: .directory)
  var plugins: String?

  @Option(help: ArgumentHelp("The timeline-host program.", valueName: "file"), completion: .file())
  var host: String?

  func validate() throws { try Self.refuseMissing(plugins) }

  /// Throws for an unreadable directory in `--plugins`, because the search for plugins would skip it.
  static func refuseMissing(_ directories: String?) throws {
    if let fault = Installation.pluginDirectoryFault(in: directories) {
      throw ValidationError("--plugins \(fault)")
    }
  }

  private var installation: Installation { Installation(hostPath: host, pluginDirectories: plugins) }

  /// Returns the directories in which plugins are looked up, in their order.
  func directories() throws -> [String] {
    let isThere = (try? FileFacts(at: source.config)) != nil
    let isNamed = source.config != ConfigurationOptions.defaultPath
    let configured = isThere || isNamed ? try source.load().daemon.pluginDirectories : nil
    return installation.pluginDirectories(configured: configured ?? [])
  }

  /// Returns the paths of all plugins, in the order in which they are looked up.
  func paths() throws -> [String] {
    try directories().flatMap { directory in
      ((try? DirectoryListing.names(in: directory)) ?? []).sorted().filter { $0.hasSuffix(".so") }
        .map { "\(directory)/\($0)" }
    }
  }

  /// Path of the `timeline-host` program.
  var hostPath: String { installation.hostPath }

  /// Returns a describer of these plugins. A plugin may take `limit` to load, or ``PluginCommand/loadLimit`` if
  /// `limit` is `nil`.
  func describer(limit: ElapsedTime?) -> PluginDescriber {
    PluginDescriber(
      hostPath: installation.hostPath, limit: limit ?? PluginCommand.loadLimit, keepsWords: true)
  }

  /// Returns the name by which jobs find the plugin at `path`.
  static func name(ofFile path: String) -> String {
    path.split(separator: "/").last.map { String($0.dropLast(3)) } ?? path
  }
}

extension PluginDescriber.Answer {
  /// Returns the reason why there is no description; empty if there is one.
  func refusal(limit: ElapsedTime) -> String {
    switch self {
    case .described: return ""
    case .refused(let words, _):
      let lines = words.split(separator: "\n").map { line in
        line.hasPrefix("timeline-host: ") ? line.dropFirst("timeline-host: ".count) : line
      }
      return lines.joined(separator: "; ")
    case .crashed(let signal): return "crashed while it was loaded: \(signal)"
    case .late: return "not loaded within \(limit)"
    case .unobserved: return "the end of its plugin host was not observed"
    }
  }
}
