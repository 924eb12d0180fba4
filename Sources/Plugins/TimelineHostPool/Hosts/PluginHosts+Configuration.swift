package import TimelineSystem

extension PluginHosts {
  /// Settings that do not change while the daemon runs.
  package struct Configuration: Sendable {
    package var hostExecutable: String
    package var search: PluginSearch
    /// The environment of hosts and their child processes; no variable of the daemon is passed on.
    ///
    /// `SWIFT_BACKTRACE` is added unless it is set here. Otherwise Swift's runtime would catch a plugin's crash, take
    /// seconds to write a page about it to the log, and leave no core.
    package var environment: [String: String]
    /// The directory in which hosts create directories for their jobs' credentials, preferably on a file system in memory;
    /// `nil` for none.
    ///
    /// The directory is created when it is first needed. Its parent directory must exist.
    package var credentialsDirectory: String?
    /// The control group in which hosts create groups for themselves; `nil` if systemd has delegated none.
    package var delegatedGroup: DelegatedGroup?
    /// Whether hosts apply the limits of runs, and refuse a job whose limits must hold and cannot be set. False in a process
    /// that only reads the identity of plugins and is not the service.
    package var holdsRunLimits = true
    /// Whether the child with this process number is an orphan of a dead host, which is then ended; `nil` if this process
    /// adopts no orphans.
    ///
    /// If the function is set, this process becomes a subreaper. The function is called for every child that is not a host.
    package var isOrphan: (@Sendable (Int32) -> Bool)?
    /// Files with the machine's users and their groups. A host looks its user up when it starts. When one of these files
    /// changes, a reload replaces the hosts that run as a user.
    package var userFiles = ["/etc/passwd", "/etc/group"]
    package var limits = HostLimits()
    package var outputLimits = OutputLimits()

    package init(
      hostExecutable: String, pluginDirectories: [String],
      environment: [String: String] = ["PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"]
    ) {
      self.hostExecutable = hostExecutable
      self.search = PluginSearch(directories: pluginDirectories)
      self.environment = environment
    }
  }
}
