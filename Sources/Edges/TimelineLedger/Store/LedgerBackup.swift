import CSQLite

/// A copy of a ledger in use, made a few pages at a time. The copy includes changes that are written to the ledger in the
/// meantime.
///
/// Safe although it holds C pointers: this type alone uses them, and `deinit` closes them.
@safe
package final class LedgerBackup {
  private let ledger: Ledger
  private let path: String
  private var copy: OpaquePointer?
  private var backup: OpaquePointer?

  /// Pages per step, 256 KiB: less than a millisecond of work, because nothing waits for the disk.
  private static let pagesAtOnce: Int32 = 64

  /// Begins a copy in the empty file at `path`.
  package init(of ledger: Ledger, at path: String) throws(LedgerError) {
    self.ledger = ledger
    self.path = path
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    try check(unsafe sqlite3_open_v2(path, &copy, flags, nil))
    try check(unsafe sqlite3_exec(copy, "PRAGMA synchronous=OFF", nil, nil, nil))
  }

  deinit { close() }

  /// Copies some pages. Returns whether the copy is complete and closed. A complete copy is possibly not on the disk yet.
  package func advance() throws(LedgerError) -> Bool {
    // During a background sync, another thread uses the ledger.
    guard ledger.backgroundSync == nil else { return false }
    if unsafe backup == nil {
      unsafe backup = sqlite3_backup_init(copy, "main", ledger.database.connection, "main")
      guard unsafe backup != nil else { throw failure(unsafe sqlite3_extended_errcode(copy)) }
    }
    switch unsafe sqlite3_backup_step(backup, Self.pagesAtOnce) {
    case SQLITE_OK, SQLITE_BUSY, SQLITE_LOCKED: return false
    case SQLITE_DONE: break
    case let code: throw failure(code)
    }
    let code = unsafe sqlite3_backup_finish(backup)
    unsafe backup = nil
    try check(code)
    // Other programs can read a single file without a log, even without write access.
    try check(unsafe sqlite3_exec(copy, "PRAGMA journal_mode=DELETE", nil, nil, nil))
    close()
    return true
  }

  private func close() {
    if unsafe backup != nil { unsafe sqlite3_backup_finish(backup) }
    unsafe sqlite3_close_v2(copy)
    unsafe (backup, copy) = (nil, nil)
  }

  private func check(_ code: Int32) throws(LedgerError) {
    if code != SQLITE_OK { throw failure(code) }
  }

  private func failure(_ code: Int32) -> LedgerError {
    let (reason, systemReason) = unsafe (
      String(cString: sqlite3_errmsg(copy)), String(cString: timeline_sqlite_system_error(copy))
    )
    return LedgerError(
      sqlite: code, path: path, doing: "copying the ledger", reason: reason, systemReason: systemReason)
  }
}

extension Ledger {
  /// Path of the ledger's file; `nil` for a ledger in memory.
  package var path: String? { isDurable ? heldDatabase.path : nil }
}
