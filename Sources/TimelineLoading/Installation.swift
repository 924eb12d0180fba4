import TimelineSystem

/// Paths of the installed parts that the programs need, derived from the path of the running program.
///
/// `PREFIX/bin/timelined` finds `timeline-host`, `timeline-calendar` and `plugins` below `PREFIX/lib/timelined`. In a build
/// directory, `timeline-host` and `timeline-calendar` are beside the running program, and the plugins are in `plugins`. If
/// another plugin host is given, plugins are searched beside it first.
package struct Installation: Sendable, Hashable {
  /// The version of all programs, in semantic versioning.
  package static let version = "0.1.0"

  /// The `timeline-host` program.
  package var hostPath: String
  /// The `timeline-calendar` program.
  package var calendarReaderPath: String
  /// The `timeline-store` program.
  package var storeAdapterPath: String
  /// Directories from the command line. Plugins are searched by name in these directories before all others.
  package var givenPluginDirectories: [String]
  /// Directories of the bundled plugins, which are searched last.
  package var bundledPluginDirectories: [String]

  /// Derives the paths from the path of the running program; given paths are used unchanged.
  ///
  /// - Parameters:
  ///   - hostPath: The path of another plugin host; `nil` for the installed one.
  ///   - pluginDirectories: The given plugin directories, separated by colons, with `-` before a directory that may be
  ///     missing; `nil` for none.
  package init(hostPath: String? = nil, pluginDirectories: String? = nil) {
    let directory = CurrentProcess.executablePath.parentDirectory
    let library = directory.parentDirectory.appending(fileName: "lib/timelined")
    let beside = directory.appending(fileName: "timeline-host")
    self.hostPath =
      hostPath.map(CurrentProcess.absolutePath)
      ?? ((try? FileFacts(at: beside)) != nil ? beside : library.appending(fileName: "timeline-host"))
    let places = [directory, self.hostPath.parentDirectory, library]
    let program = { (name: String) in
      places.map { $0.appending(fileName: name) }.first { (try? FileFacts(at: $0)) != nil }
        ?? library.appending(fileName: name)
    }
    calendarReaderPath = program("timeline-calendar")
    storeAdapterPath = program("timeline-store")
    givenPluginDirectories = Self.directories(pluginDirectories).map {
      CurrentProcess.normalizedPath($0.path)
    }
    bundledPluginDirectories = []
    for place in [self.hostPath.parentDirectory, library, directory] {
      let plugins = place.appending(fileName: "plugins")
      if !bundledPluginDirectories.contains(plugins) { bundledPluginDirectories.append(plugins) }
    }
  }

  /// Returns the directories in the option `--plugins`. A `-` before a path means that it may be missing, as in
  /// systemd.exec(5).
  private static func directories(_ option: String?) -> [(path: String, mayBeMissing: Bool)] {
    option?.split(separator: ":").map { word in
      word.hasPrefix("-") ? (String(word.dropFirst()), true) : (String(word), false)
    } ?? []
  }

  /// Returns the first directory in the option `--plugins` that cannot be read, with the reason; `nil` if all can be read.
  /// Otherwise a search for plugins would skip the directory without a message.
  package static func pluginDirectoryFault(in option: String?) -> String? {
    for (path, mayBeMissing) in directories(option) where !mayBeMissing {
      do {
        _ = try DirectoryListing.names(in: path)
      } catch {
        return "\(path): \(error.plainReason)"
      }
    }
    return nil
  }

  /// The reason why no plugin host can be started, as a clause; `nil` if one can be started.
  package var hostFault: String? {
    do {
      guard try FileFacts(at: hostPath).kind == .regular else {
        return "the program timeline-host is no regular file; correct --host"
      }
    } catch {
      return
        "the program timeline-host cannot be started: \(error.plainReason); install it, or correct --host"
    }
    guard let objection = ExecutePermission.objection(to: hostPath) else { return nil }
    return
      "the program timeline-host cannot be started: \(objection.plainReason); make it executable, or correct --host"
  }

  /// Returns the directories in which plugins are searched by name, in this order, if a configuration names the directories
  /// `configured`.
  package func pluginDirectories(configured: [String]) -> [String] {
    givenPluginDirectories + configured + bundledPluginDirectories
  }
}
