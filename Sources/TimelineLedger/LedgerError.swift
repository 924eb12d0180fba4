/// Why the ledger cannot be used.
package enum LedgerError: Error, Sendable, Equatable, CustomStringConvertible {
  /// SQLite refused something.
  case database(path: String, doing: String, reason: String)
  /// Another process has the file open.
  case inUse(path: String)
  /// The file was written by a newer program.
  case newer(path: String, migration: String)

  /// What failed, on what, and what to do about it.
  package var description: String {
    switch self {
    case .database(let path, let doing, let reason):
      "\(path): \(doing): \(reason); check the folder's owner and the disk, or move the file aside to begin a new ledger"
    case .inUse(let path):
      "\(path): another process uses this ledger, most likely a second timelined; stop it, or give each a state folder of its own"
    case .newer(let path, let migration):
      "\(path): a newer timelined has changed this ledger (\(migration)); install that version, or move the file aside"
    }
  }
}
