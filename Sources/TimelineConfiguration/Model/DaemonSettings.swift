package import TimelineCore

/// Settings of the daemon as a whole: the tables `[daemon]`, `[control]`, `[ledger]`, `[cluster]` and `[include]` of the main file.
///
/// `nil` means that the file does not give a value. The program then uses the one from systemd, from its command line
/// or from its place of installation.
package struct DaemonSettings: Sendable, Hashable {
  /// The zone of jobs that name none.
  package var zone: Zone
  /// Directories in which plugins are searched by name, in this order; absolute paths.
  package var pluginDirectories: [String]?
  /// The directory of the ledger; an absolute path.
  package var stateDirectory: String?
  /// The lowest level that is logged.
  package var logLevel: DaemonLogLevel = .info
  /// The maximum number of plugin hosts at a time.
  package var hostCountMax: Int = 64
  /// The time that a stop waits for running attempts before it asks them to stop too.
  package var drainTimeout: ElapsedTime = .seconds(30)
  /// Settings of the mode.
  package var mode = ModeSettings()
  /// Settings of the control socket: its path and its users.
  package var control = ControlSettings()
  /// Settings for how long the past is kept.
  package var ledger = LedgerSettings()
  /// Settings of a node of a cluster; `nil` for a daemon by itself.
  package var cluster: ClusterConfiguration?
  /// Paths of crontabs, and of directories of them, whose lines are jobs; absolute.
  package var crontabs: [String] = []

  /// Makes the settings of an empty configuration.
  package init(zone: Zone) {
    self.zone = zone
  }
}

/// Settings of the control socket and its users: the table `[control]`.
package struct ControlSettings: Sendable, Hashable {
  /// An absolute path.
  package var socketPath: String?
  /// The group whose members may read, that is connect at all.
  package var group: String?
  /// The users who may change something, beside root and the daemon's own user.
  package var users: [String] = []

  /// Makes the settings of an empty configuration.
  package init() {}
}

/// Log level: everything at this level and above is logged.
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

  /// Orders levels from the most to the least talkative.
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
