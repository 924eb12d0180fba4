package import TimelineCore

/// What concerns the daemon as a whole: the tables `[daemon]`, `[control]` and `[ledger]` of the main file.
///
/// What is `nil` was not given, and the program knows better: it was told by systemd, by its command line or by
/// where it was installed.
package struct DaemonSettings: Sendable, Hashable {
  /// The zone of jobs that name none.
  package var zone: Zone
  /// Where plugins are looked up by name, the first folder first; absolute paths.
  package var pluginFolders: [String]?
  /// Where the ledger is; an absolute path.
  package var stateFolder: String?
  /// What is logged at most.
  package var logLevel: LogLevel = .info
  /// How many hosts, that is processes with a plugin in them, may live at a time.
  package var hostCountMax: Int = 64
  /// How long a stop waits for running attempts before it asks them to stop too.
  package var drainTimeout: ElapsedTime = .seconds(30)
  /// Who is served on the control socket, and where.
  package var control = ControlSettings()
  /// How long the past is remembered.
  package var ledger = LedgerSettings()

  /// Makes the settings of an empty configuration.
  package init(zone: Zone) {
    self.zone = zone
  }
}

/// Where the control socket is and whom it serves: the table `[control]`.
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

/// How much is logged: everything at this level and above.
package enum LogLevel: String, Sendable, Hashable, CaseIterable, Comparable {
  /// What only a developer wants to know.
  case debug
  /// What happens when all is well.
  case info
  /// What is normal and worth a look.
  case notice
  /// What may become an error.
  case warning
  /// What failed.
  case error

  /// Orders levels from the most to the least talkative.
  package static func < (left: LogLevel, right: LogLevel) -> Bool { left.rank < right.rank }

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
