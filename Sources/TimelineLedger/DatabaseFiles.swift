import CSQLite
import CTimelineSQLite

/// How SQLite reaches files; settled once for the process, before its first connection.
enum DatabaseFiles {
  /// The name of the way that puts a transaction's frames together; `nil` for SQLite's own where that cannot be had.
  static let way: String? = {
    timeline_sqlite_keep_no_account()
    return unsafe timeline_sqlite_files().map { unsafe String(cString: $0) }
  }()
  /// Whether the database at `path` is missing or empty beside a log that is not: whoever opens it would take it for a new one,
  /// and the log for nothing.
  static func hasOnlyLog(at path: String) -> Bool {
    // Nothing is known to SQLite before this.
    guard sqlite3_initialize() == SQLITE_OK else { return false }
    return unsafe timeline_sqlite_has_content(path) == 0 && timeline_sqlite_has_content(path + "-wal") != 0
  }
}
