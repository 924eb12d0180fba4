extension Control {
  /// The configuration in effect.
  package struct Configuration: ReadingCall {
    /// Reply of the daemon.
    package typealias Reply = ConfigurationReply

    /// The reply shows values from files that may be protected.
    package static var access: ControlAccess { .readProtected }
    /// Pages of tables.
    package static var replies: ReplyForm<ConfigurationReply> { .pages { $0.tables += $1.tables } }

    package init() {}
  }
}

/// The reply to `Configuration`.
package struct ConfigurationReply: Codable, Sendable, Equatable {
  /// Path of the main file, as given to the daemon.
  package var path: String
  /// Settings, holidays, groups, jobs and expectations.
  package var tables: [ConfigurationTable]

  package init(path: String, tables: [ConfigurationTable]) {
    self.path = path
    self.tables = tables
  }
}
