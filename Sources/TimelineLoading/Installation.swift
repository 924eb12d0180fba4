import TimelineSystem

/// Where the pieces lie that the programs need, found from where the running program itself lies.
///
/// `PREFIX/bin/timelined` finds `PREFIX/lib/timelined/timeline-host` and `PREFIX/lib/timelined/plugins`; in a build
/// folder the host lies beside the programs and the plugins in `plugins`.
package struct Installation: Sendable, Hashable {
  /// The version of all of them, as in semantic versioning.
  package static let version = "0.1.0"

  /// The `timeline-host` program.
  package var hostPath: String
  /// Where bundled plugins are looked up by name.
  package var pluginFolders: [String]

  /// Looks around the running program; what is given is taken as it is.
  ///
  /// - Parameters:
  ///   - hostPath: Another host, or `nil`.
  ///   - pluginFolders: Further plugin folders, separated by colons, which come first; or `nil`.
  package init(hostPath: String? = nil, pluginFolders: String? = nil) {
    let folder = Self.folder(of: CurrentProcess.executablePath)
    let library = Self.folder(of: folder) + "/lib/timelined"
    let beside = folder + "/timeline-host"
    self.hostPath =
      hostPath.map(CurrentProcess.absolutePath)
      ?? ((try? FileFacts(at: beside)) != nil ? beside : library + "/timeline-host")
    let given = pluginFolders?.split(separator: ":").map { CurrentProcess.absolutePath(String($0)) } ?? []
    self.pluginFolders = given + [library + "/plugins", folder + "/plugins"]
  }

  private static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
  }
}
