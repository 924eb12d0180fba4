extension Control {
  /// Reads the configuration again.
  package struct Reload: ChangingCall {
    /// Reply with the changes, sent when they are active.
    package typealias Reply = ReloadReply

    package init() {}
  }
}

/// Reply to `Reload`, sent when the new configuration is active.
package struct ReloadReply: Codable, Sendable, Equatable {
  package var added: [String]
  package var changed: [String]
  package var removed: [String]
  /// Number of jobs that kept running and kept their phase.
  package var unchangedCount: Int
  /// One sentence for each setting that takes effect only after a restart, and for each job with a missing requirement.
  package var warnings: [String]

  package init(
    added: [String] = [], changed: [String] = [], removed: [String] = [], unchangedCount: Int = 0,
    warnings: [String] = []
  ) {
    self.added = added
    self.changed = changed
    self.removed = removed
    self.unchangedCount = unchangedCount
    self.warnings = warnings
  }
}
