import TimelineCore
import TimelineSystem

// Directories of plugin hosts with the credentials of their jobs.
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

  /// Returns the directory in which the host with this process number puts its job's credentials; `nil` when the job
  /// has none, or there is no directory for them.
  func credentialsFolder(of kind: HostKind, process: Int32) -> String? {
    guard !kind.setup.credentials.isEmpty, let root = configuration.credentialsFolder,
      PrivateFolder.makeRoot(at: root)
    else { return nil }
    return credentialsFolder(process: process)
  }

  /// Returns the directory that the host with this process number would use for its job's credentials.
  func credentialsFolder(process: Int32) -> String? {
    configuration.credentialsFolder.map { "\($0)/\(process)" }
  }
}
