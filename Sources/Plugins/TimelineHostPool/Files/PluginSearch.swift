import TimelineSystem

/// Finds the library that a job's `plugin` names.
package struct PluginSearch: Sendable, Equatable {
  /// The directories that are searched for a plugin given by name, in order; absolute paths.
  package var directories: [String]

  package init(directories: [String]) {
    self.directories = directories
  }

  /// Returns the path of the library: `plugin` itself if it is an absolute path, otherwise `NAME.so` in the first directory
  /// that has this file.
  ///
  /// An absolute path is not checked here; the host that loads the library reports the fault.
  ///
  /// - Throws: A failure whose message lists the searched directories.
  package func path(of plugin: String) throws(HostFailure) -> String {
    try path(of: plugin) { path in (try? FileFacts(at: path))?.kind == .regular }
  }

  func path(of plugin: String, isFile: (String) -> Bool) throws(HostFailure) -> String {
    if plugin.hasPrefix("/") { return plugin }
    guard !plugin.isEmpty, !plugin.hasPrefix("."), !plugin.utf8.contains(0x2F), !plugin.utf8.contains(0)
    else {
      throw HostFailure(
        "\"\(plugin)\" is neither a plugin's name nor an absolute path; write a name such as \"exec\", "
          + "or a path that begins with /")
    }
    let file = plugin.hasSuffix(".so") ? plugin : "\(plugin).so"
    for directory in directories {
      let path = directory.hasSuffix("/") ? directory + file : "\(directory)/\(file)"
      if isFile(path) { return path }
    }
    let searched = directories.isEmpty ? "no directory" : directories.joined(separator: ", ")
    throw HostFailure(
      "there is no plugin \"\(plugin)\": \(file) was not found in \(searched); "
        + "install it there, or give its absolute path")
  }
}
