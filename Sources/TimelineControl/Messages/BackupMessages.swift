/// Reply to `Backup`, sent when the copy is on disk.
package struct BackupReply: Codable, Sendable, Hashable {
  /// The path of the copy.
  package var path: String

  /// Makes a reply.
  package init(path: String) {
    self.path = path
  }
}

extension ControlClient {
  /// Makes a copy of the ledger beside it; returns when the copy is on disk.
  package func backup() throws(VarlinkClientError) -> BackupReply {
    try client.call(ControlMethod.backup.fullName, NoParameters())
  }
}
