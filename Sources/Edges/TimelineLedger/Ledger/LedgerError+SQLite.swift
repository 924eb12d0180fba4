import CSQLite

extension LedgerError {
  /// Converts an extended result code of SQLite to an error of the ledger at `path`.
  ///
  /// `reason` is SQLite's message. `systemReason` is the system's message, `Success` for none.
  init(sqlite code: Int32, path: String, doing: String, reason: String, systemReason: String) {
    self =
      switch code & 0xFF {
      case SQLITE_BUSY, SQLITE_LOCKED: .inUse(path: path)
      case SQLITE_FULL: .full(path: path)
      case SQLITE_CORRUPT, SQLITE_NOTADB: .damaged(path: path, reason: reason)
      case SQLITE_IOERR where code == timeline_sqlite_short_read():
        .damaged(path: path, reason: "it ends too early")
      case SQLITE_CONSTRAINT, SQLITE_TOOBIG, SQLITE_MISMATCH:
        .refused(path: path, doing: doing, reason: reason)
      case SQLITE_CANTOPEN, SQLITE_IOERR, SQLITE_PERM, SQLITE_READONLY:
        .database(
          path: path, doing: doing,
          reason: systemReason == "Success" ? reason : "\(reason) (\(systemReason))")
      default: .database(path: path, doing: doing, reason: reason)
      }
  }
}

extension Database {
  /// The error of a ledger that was closed.
  var closed: LedgerError { .database(path: path, doing: "using the ledger", reason: "it is closed") }

  /// The error for a result code of SQLite.
  func failure(_ doing: String, _ code: Int32) -> LedgerError {
    let reason = unsafe String(
      cString: connection == nil ? sqlite3_errstr(code) : sqlite3_errmsg(connection))
    return unsafe LedgerError(
      sqlite: code, path: path, doing: doing, reason: reason,
      systemReason: String(cString: timeline_sqlite_system_error(connection)))
  }
}
