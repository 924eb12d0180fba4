import CSQLite

extension LedgerError {
  /// What an extended result code of SQLite means to whoever keeps a ledger at `path`.
  ///
  /// `reason` is in SQLite's words, and `systemReason` in those of the system, `Success` where it has none.
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
