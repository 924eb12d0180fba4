import TimelineCore
import TimelineSystem

// Directories of plugin hosts with the credentials of their jobs.
extension PluginHosts {
  /// Removes the credentials of a host that is gone.
  func removeCredentials(of host: HostProcess) {
    guard let directory = host.credentialsDirectory else { return }
    do {
      try PrivateDirectory.remove(at: directory)
    } catch {
      report(.note(.credentialsLeft(host.kind, directory: directory, reason: error.description)))
    }
  }

  /// Returns the directory in which the host with this process number puts its job's credentials; `nil` when the job
  /// has none, or there is no directory for them.
  func credentialsDirectory(of kind: HostSpec, process: Int32) -> String? {
    guard !kind.setup.credentials.isEmpty, let root = configuration.credentialsDirectory,
      PrivateDirectory.makeRoot(at: root)
    else { return nil }
    return credentialsDirectory(process: process)
  }

  /// Returns the directory that the host with this process number would use for its job's credentials.
  func credentialsDirectory(process: Int32) -> String? {
    configuration.credentialsDirectory.map { "\($0)/\(process)" }
  }
}
