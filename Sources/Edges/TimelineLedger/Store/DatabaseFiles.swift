import CSQLite

/// The files of a database before it is opened.
enum DatabaseFiles {
  /// Returns whether the database at `path` is missing or empty, but its log is not. Opening the database would make a new one
  /// and discard the log.
  static func hasOnlyLog(at path: String) -> Bool {
    unsafe hasLog(at: path) && timeline_sqlite_has_content(path) == 0
  }

  /// Returns whether the database at `path` has a log beside it.
  static func hasLog(at path: String) -> Bool {
    // SQLite has no table of file functions before its initialization.
    guard sqlite3_initialize() == SQLITE_OK else { return false }
    return unsafe timeline_sqlite_has_content(path + "-wal") != 0
  }

  /// Denies group and others access to the file at `path` and to the files beside it, because their directory may be open to
  /// all. SQLite makes new files beside the database with the same mode.
  static func makePrivate(at path: String) {
    unsafe timeline_sqlite_make_private(path)
    for file in [path, path + "-wal", path + "-shm"] { unsafe timeline_sqlite_close_to_others(file) }
  }
}
