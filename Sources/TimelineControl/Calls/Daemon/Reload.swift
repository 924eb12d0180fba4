extension Control {
  /// Reads the configuration again.
  package struct Reload: ChangingCall {
    /// The changes, when they are active.
    package typealias Reply = ReloadReply

    package init() {}
  }
}

/// Reply to `Reload`, sent when the new configuration is active.
package struct ReloadReply: Codable, Sendable, Hashable {
  /// Jobs that are new.
  package var added: [String]
  /// Jobs that have changed.
  package var changed: [String]
  /// Jobs that were removed.
  package var removed: [String]
  /// Number of jobs that kept running and kept their phase.
  package var unchangedCount: Int
  /// Settings that take effect only after a restart, and jobs with missing requirements: a sentence each.
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
