import CSQLite

/// The files of a database before it is opened.
enum DatabaseFiles {
  /// Returns whether the database at `path` is missing or empty beside a log that is not: opening it would make a new database and
  /// discard the log.
  static func hasOnlyLog(at path: String) -> Bool {
    unsafe hasLog(at: path) && timeline_sqlite_has_content(path) == 0
  }

  /// Returns whether the database at `path` has a log beside it.
  static func hasLog(at path: String) -> Bool {
    // SQLite has no table of functions for files before this.
    guard sqlite3_initialize() == SQLITE_OK else { return false }
    return unsafe timeline_sqlite_has_content(path + "-wal") != 0
  }

  /// Keeps group and others from the file at `path` and from those beside it, because their directory may be open to all. SQLite gives the
  /// mode of the file to those that it makes beside it.
  static func makePrivate(at path: String) {
    unsafe timeline_sqlite_make_private(path)
    for file in [path, path + "-wal", path + "-shm"] { unsafe timeline_sqlite_close_to_others(file) }
  }
}
