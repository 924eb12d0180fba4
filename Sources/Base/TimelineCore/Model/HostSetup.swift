/// Limits and environment that a plugin host sets for itself before it loads a job's plugin.
///
/// `nil` keeps the daemon's value. Every process that the plugin starts inherits the setup.
public struct HostSetup: Sendable, Hashable {
  /// Bytes of address space (RLIMIT_AS).
  public var memoryBytes: UInt64?
  /// Processor time of one host (RLIMIT_CPU), in whole seconds, at least 1.
  public var processorTime: ElapsedTime?
  /// Open descriptors (RLIMIT_NOFILE).
  public var openFileCount: UInt64?
  /// Processes of the job's user (RLIMIT_NPROC); root is exempt by the kernel's rule.
  public var processCount: UInt64?
  /// From -20, most favored, to 19.
  public var niceness: Int?
  /// Priority of disk access.
  public var ioPriority: IOPriority?
  /// Whether the host and every process that it starts can no longer gain privileges by execve (PR_SET_NO_NEW_PRIVS).
  public var noNewPrivileges = true
  /// Restrictions by the kernel for the host and every process that it starts.
  public var sandbox = Sandbox()
  /// Limits of all processes of a run together.
  public var runLimits = RunLimits()
  /// Permissions removed from new files (umask).
  public var fileModeMask: UInt16?
  /// The absolute path in which runs begin.
  public var workingDirectory: String?
  /// The name of the primary group; `nil` for the user's primary group.
  public var group: String?
  /// Files of variables, read before each run; a later file replaces variables of earlier files.
  public var environmentFiles: [ExpectedPath] = []
  /// Variables added to the daemon's environment and to the variables of ``environmentFiles``, by name.
  public var environment: [String: String] = [:]
  /// The policy for processes that a run leaves behind.
  public var leftovers = LeftoverPolicy.kill
  /// The contents that the plugin's file must have; `nil` for any.
  public var pluginDigest: FileDigest?
  /// Paths of files that only root may read. The key is the name under which the run finds the file in
  /// `$CREDENTIALS_DIRECTORY`.
  public var credentials: [String: String] = [:]

  /// Makes a setup that changes nothing but the privileges.
  public init() {}

  /// Priority of disk access (ioprio_set(2)).
  public enum IOPriority: Sendable, Hashable {
    /// Levels from 0, the first of the class, to 7, the last.
    case bestEffort(level: Int)
    /// Only when no other process uses the disk.
    case idle
  }
}

/// The process in which a plugin's code runs.
public enum Isolation: String, Sendable, Hashable, CaseIterable {
  /// In a process of its own: a crash affects neither the daemon nor other jobs.
  case host
  /// In the daemon itself, for trusted C plugins that need the lowest latency: a crash ends the daemon.
  case inProcess = "in-process"
}
