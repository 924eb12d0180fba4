import CSQLite
import CTimelineSQLite

/// How SQLite reaches files; settled once for the process, before its first connection.
enum DatabaseFiles {
  /// The name of the way that puts a transaction's frames together; `nil` for SQLite's own where that cannot be had.
  static let way: String? = {
    timeline_sqlite_keep_no_account()
    return unsafe timeline_sqlite_files().map { unsafe String(cString: $0) }
  }()
}
