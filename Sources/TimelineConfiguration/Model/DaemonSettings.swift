package import TimelineCore

/// Settings of the daemon as a whole: the tables `[daemon]`, `[control]`, `[ledger]`, `[cluster]` and `[include]` of the
/// main file.
///
/// `nil` means that the file has no value. The program then uses the value from systemd, from its command line or from its
/// place of installation.
package struct DaemonSettings: Sendable, Hashable {
  /// The zone of jobs that name no zone.
  package var zone: Zone
  /// Absolute paths of the directories in which plugins are searched by name, in this order.
  package var pluginDirectories: [String]?
  /// The absolute path of the directory of the ledger.
  package var stateDirectory: String?
  /// The lowest level that is logged.
  package var logLevel: DaemonLogLevel = .info
  /// The maximum number of plugin hosts at a time.
  package var hostCountMax: Int = 64
  /// The time for which a stop waits for active runs before it stops them.
  package var drainTimeout: ElapsedTime = .seconds(30)
  /// Settings of the daemon's mode.
  package var mode = ModeSettings()
  /// Settings of the control socket: its path and its users.
  package var control = ControlSettings()
  /// Settings of the ledger.
  package var ledger = LedgerSettings()
  /// Settings of the node in a cluster; `nil` for a daemon without a cluster.
  package var cluster: ClusterConfiguration?
  /// Absolute paths of crontabs, or of directories of crontabs, whose lines become jobs.
  package var crontabs: [String] = []

  /// Makes the settings of an empty configuration.
  package init(zone: Zone) {
    self.zone = zone
  }
}

/// Settings of the control socket and its users: the table `[control]`.
package struct ControlSettings: Sendable, Hashable {
  /// The absolute path of the socket.
  package var socketPath: String?
  /// The group whose members may read: they may connect to the socket.
  package var group: String?
  /// The users who may control the daemon, beside root and the daemon's own user.
  package var users: [String] = []

  /// Makes the settings of an empty configuration.
  package init() {}
}

/// Log level: messages of this level and above are logged.
package enum DaemonLogLevel: String, Sendable, Hashable, CaseIterable, Comparable {
  /// Details for developers only.
  case debug
  /// Normal events.
  case info
  /// Normal events that deserve attention.
  case notice
  /// Conditions that may become errors.
  case warning
  /// Failures.
  case error

  /// Orders levels from the most verbose to the least verbose.
  package static func < (left: DaemonLogLevel, right: DaemonLogLevel) -> Bool { left.rank < right.rank }

  private var rank: Int {
    switch self {
    case .debug: 0
    case .info: 1
    case .notice: 2
    case .warning: 3
    case .error: 4
    }
  }
}
