extension Control {
  /// Copies the ledger to a file beside it.
  package struct Backup: ChangingCall {
    /// Reply with the path of the copy, sent when the copy is on disk.
    package typealias Reply = BackupReply

    /// No record in the ledger, because the call does not change the ledger. Only the log names the operator.
    package static var audit: String? { nil }

    package init() {}
  }
}

/// Reply to `Backup`, sent when the copy is on disk.
package struct BackupReply: Codable, Sendable, Equatable {
  package var path: String

  package init(path: String) { self.path = path }
}
