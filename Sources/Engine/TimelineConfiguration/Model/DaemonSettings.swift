package import TimelineCore

/// Settings of the daemon as a whole: the main file's tables `[daemon]`, `[control]`, `[ledger]`, `[cluster]` and
/// `[include]`.
///
/// `nil` means that the file has no value. The program then uses the value from systemd, from its command line or
/// from its installation directory.
package struct DaemonSettings: Sendable, Equatable {
  /// The zone of jobs that name no zone.
  package var zone: Zone
  /// Absolute paths of the directories that are searched for plugins, in this order.
  package var pluginDirectories: [String]?
  /// Absolute path of the ledger's directory.
  package var stateDirectory: String?
  package var logLevel: DaemonLogLevel = .info
  /// Plugin hosts at a time.
  package var hostCountMax: Int = 64
  /// Time that a stop waits for active runs before it stops them.
  package var drainTimeout: ElapsedTime = .seconds(30)
  package var mode = ModeSettings()
  package var control = ControlSettings()
  package var ledger = LedgerSettings()
  /// `nil` for a daemon without a cluster.
  package var cluster: ClusterConfiguration?
  /// Absolute paths of crontabs, or of directories of crontabs, whose lines become jobs.
  package var crontabs: [String] = []

  package init(zone: Zone) {
    self.zone = zone
  }
}

/// Settings of the control socket and its users: the table `[control]`.
package struct ControlSettings: Sendable, Equatable {
  /// Absolute path.
  package var socketPath: String?
  /// The group whose members may connect to the socket and read.
  package var group: String?
  /// The users who may control the daemon, in addition to root and the daemon's own user.
  package var users: [String] = []

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
