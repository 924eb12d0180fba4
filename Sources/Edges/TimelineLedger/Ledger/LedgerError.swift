/// Error of a ledger that cannot be used or did not store a record.
package enum LedgerError: Error, Sendable, Equatable, CustomStringConvertible {
  /// SQLite failed in a way that has no case of its own.
  case database(path: String, doing: String, reason: String)
  /// Another process has the file open.
  case inUse(path: String)
  /// The file was written by a newer program.
  case newer(path: String, migration: String)
  /// The file is not a ledger, or is incomplete.
  case damaged(path: String, reason: String)
  /// The file was removed, or another file has its name. The ledger continues in the file that no longer has a name.
  case moved(path: String)
  /// The file system is full. Pending changes are kept for a while and written when there is room.
  case full(path: String)
  /// One record was refused because of its content; everything else was written.
  case refused(path: String, doing: String, reason: String)

  /// Message for operators: the file, the failure and the remedy.
  package var description: String {
    switch self {
    case .database(let path, let doing, let reason):
      "\(path): \(doing): \(reason); check the directory's owner and the disk, or move the file aside to begin a new ledger"
    case .inUse(let path):
      "\(path): another process uses this ledger, such as a second timelined or a reader; end it, or give each daemon a state directory of its own"
    case .newer(let path, let migration):
      "\(path): a newer timelined has changed this ledger (\(migration)); install that version, or move the file aside"
    case .damaged(let path, let reason):
      "\(path): the ledger is damaged: \(reason); restore it from a backup, or move the file aside to begin a new one"
    case .moved(let path):
      "\(path): the ledger's file was removed or replaced; what happens from now on is forgotten at the next start; restart timelined"
    case .full(let path):
      "\(path): no room to write; free some on its file system"
    case .refused(let path, let doing, let reason):
      "\(path): \(doing): \(reason); this one record is not in the ledger"
    }
  }
}
