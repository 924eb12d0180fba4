import TimelineCore
import TimelineSystem

// Where plugin hosts find the credentials of their jobs.
extension PluginHosts {
  /// Removes the credentials of a host that is gone.
  func removeCredentials(of host: HostProcess) {
    guard let folder = host.credentialsFolder else { return }
    do {
      try PrivateFolder.remove(at: folder)
    } catch {
      report(.note(.credentialsLeft(host.kind, folder: folder, reason: error.description)))
    }
  }

  /// Where the host with this number puts its job's credentials; `nil` when it has none.
  func credentialsFolder(of kind: HostKind, process: Int32) -> String? {
    guard !kind.setup.credentials.isEmpty, let root = configuration.credentialsFolder,
      PrivateFolder.makeRoot(at: root)
    else { return nil }
    return credentialsFolder(process: process)
  }

  /// Where the host with this number would put its job's credentials.
  func credentialsFolder(process: Int32) -> String? {
    configuration.credentialsFolder.map { "\($0)/\(process)" }
  }
}
