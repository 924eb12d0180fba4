import TimelineCore
import TimelineSystem

// Directories of plugin hosts with the credentials of their runs.
extension PluginHosts {
  /// Removes the credentials of a host that has ended, or whose run has ended.
  func removeCredentials(of host: HostProcess) {
    guard let directory = host.credentialsDirectory, credentialRemovals[directory] == nil else { return }
    do {
      if try PrivateDirectory.remove(files: host.kind.setup.credentials.keys, at: directory) { return }
      // The run has put other files into the directory. Their removal may take long, so it runs on a thread of its own.
      credentialRemovals[directory] = try DetachedWork(name: "timeline-creds", loop: loop) {
        Result { () throws(SystemError) in try PrivateDirectory.remove(at: directory) }
      } completion: { [weak self, kind = host.kind] result in
        self?.credentialRemovals[directory] = nil
        if case .failure(let error) = result { self?.reportCredentialsLeft(kind, directory, error) }
      }
    } catch {
      reportCredentialsLeft(host.kind, directory, error)
    }
  }

  private func reportCredentialsLeft(_ kind: HostSpec, _ directory: String, _ error: SystemError) {
    report(.note(.credentialsLeft(kind, directory: directory, reason: error.description)))
  }

  /// Returns the directory in which the host with this process number puts its job's credentials; `nil` when the job has
  /// none, or when the directory for credentials is not configured or cannot be made.
  func credentialsDirectory(of kind: HostSpec, process: Int32) -> String? {
    guard !kind.setup.credentials.isEmpty, let root = configuration.credentialsDirectory,
      PrivateDirectory.makeRoot(at: root)
    else { return nil }
    return credentialsDirectory(process: process)
  }

  /// Returns the directory that the host with this process number would use for credentials.
  func credentialsDirectory(process: Int32) -> String? {
    configuration.credentialsDirectory.map { "\($0)/\(process)" }
  }
}
