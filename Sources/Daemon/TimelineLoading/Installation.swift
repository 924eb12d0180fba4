import TimelineSystem

/// Paths of the installed parts, derived from the path of the running program.
///
/// `PREFIX/bin/timelined` uses `timeline-host`, `timeline-calendar` and `plugins` below `PREFIX/lib/timelined`. In a
/// build directory, `timeline-host` and `timeline-calendar` are beside the running program, and the plugins are in
/// `plugins`. With another plugin host, plugins are first searched beside this host.
package struct Installation: Sendable, Equatable {
  /// Version of all programs, in semantic versioning.
  package static let version = "0.1.0"

  /// Path of the program `timeline-host`.
  package var hostPath: String
  /// Path of the program `timeline-calendar`.
  package var calendarReaderPath: String
  /// Path of the program `timeline-store`.
  package var storeAdapterPath: String
  /// Directories from the command line, searched for plugins before all others.
  package var givenPluginDirectories: [String]
  /// Directories of the bundled plugins, searched last.
  package var bundledPluginDirectories: [String]

  /// Derives the paths from the path of the running program. Given paths are used unchanged.
  ///
  /// - Parameters:
  ///   - hostPath: The path of another plugin host; `nil` for the installed host.
  ///   - pluginDirectories: Plugin directories, separated by colons, with `-` before a directory that may be missing;
  ///     `nil` for none.
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

  /// Returns the directories in the option `--plugins`. A `-` before a path marks a path that may be missing, as in
  /// systemd.exec(5).
  private static func directories(_ option: String?) -> [(path: String, mayBeMissing: Bool)] {
    option?.split(separator: ":").map { word in
      word.hasPrefix("-") ? (String(word.dropFirst()), true) : (String(word), false)
    } ?? []
  }

  /// Returns the first directory in the option `--plugins` that cannot be read, with the reason; `nil` if all can be
  /// read. A search for plugins would skip the directory without a message.
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

  /// The reason why the plugin host cannot be started, as a clause; `nil` if it can be started.
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

  /// Returns the directories to search for plugins, in this order, for a configuration with the directories
  /// `configured`.
  package func pluginDirectories(configured: [String]) -> [String] {
    givenPluginDirectories + configured + bundledPluginDirectories
  }
}
