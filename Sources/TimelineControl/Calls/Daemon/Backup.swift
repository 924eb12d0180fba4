extension Control {
  /// Copies the ledger to a file beside it.
  package struct Backup: ChangingCall {
    /// The path of the copy, when it is on disk.
    package typealias Reply = BackupReply

    /// The log alone names the operator: the ledger itself is not changed.
    package static var audit: String? { nil }

    package init() {}
  }
}

/// Reply to `Backup`, sent when the copy is on disk.
package struct BackupReply: Codable, Sendable, Hashable {
  /// The path of the copy.
  package var path: String

  /// Makes a reply.
  package init(path: String) { self.path = path }
}
