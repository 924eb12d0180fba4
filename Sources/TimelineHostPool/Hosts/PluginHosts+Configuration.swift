package import TimelineSystem

extension PluginHosts {
  /// Settings that do not change while the daemon runs.
  package struct Configuration: Sendable {
    /// The path of the program `timeline-host`.
    package var hostExecutable: String
    /// Search for plugins that are given by name.
    package var search: PluginSearch
    /// The environment of hosts, and so of what they start; nothing of the daemon's own is passed on.
    ///
    /// `SWIFT_BACKTRACE` is set beside it unless it is here: Swift's runtime would catch a plugin's crash, take seconds
    /// to write a page about it into the log, and leave no core.
    package var environment: [String: String]
    /// The directory in which hosts make directories for their jobs' credentials, best on a file system in memory; `nil` for none.
    ///
    /// It is made when it is first needed, in a directory that must be there.
    package var credentialsDirectory: String?
    /// The control group in which hosts make groups for themselves; `nil` where systemd has delegated none.
    package var delegatedGroup: DelegatedGroup?
    /// Whether limits of runs are set, or refused where they cannot be. A process that only asks plugins about themselves, and is not the
    /// service, leaves them out.
    package var holdsRunLimits = true
    /// Whether to end a process that comes to this one because the host that it descends from has died; `nil` for a
    /// process that does not want them.
    ///
    /// With it this process becomes a subreaper. It is called for every child that is no host.
    package var isOrphan: (@Sendable (Int32) -> Bool)?
    /// Files with the machine's users and their groups. A host looks its user up when it starts; when one of these
    /// files changes, a reload replaces the hosts that have a user.
    package var userFiles = ["/etc/passwd", "/etc/group"]
    /// The bounds on hosts.
    package var limits = HostLimits()
    /// The bounds on what they write.
    package var outputLimits = OutputLimits()

    /// Makes a configuration with the default bounds.
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
