import CSQLite

// The file that it is, and memory.
extension Database {
  /// Whether the file was removed, or another one has its name: what is written to it nobody will find.
  var hasMoved: Bool {
    guard isDurable, unsafe connection != nil else { return false }
    var hasMoved: Int32 = 0
    let code = unsafe sqlite3_file_control(connection, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
    return code == SQLITE_OK && hasMoved != 0
  }

  /// Lets go of the pages that are kept in memory, which are read again when they are asked for.
  func dropCache() {
    if unsafe connection != nil { unsafe sqlite3_db_release_memory(connection) }
  }
}
