import CSQLite

// The file that it is, changed rows, and memory.
extension Database {
  /// Whether the file was removed, or another one has its name: what is written to it nobody will find.
  var hasMoved: Bool {
    guard isDurable, unsafe connection != nil else { return false }
    var hasMoved: Int32 = 0
    let code = unsafe sqlite3_file_control(connection, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
    return code == SQLITE_OK && hasMoved != 0
  }

  /// Sets the step by which the file grows; 0 for no more than it needs.
  func setChunk(_ byteCount: Int32) {
    var chunk = byteCount
    unsafe sqlite3_file_control(connection, "main", SQLITE_FCNTL_CHUNK_SIZE, &chunk)
  }

  /// Whether the statement that was run last has made or changed a row; good after one that writes.
  var hasChangedRows: Bool { unsafe connection != nil && sqlite3_changes(connection) > 0 }

  /// Number of rows changed by this connection.
  var changeCount: Int32 { unsafe connection == nil ? 0 : sqlite3_total_changes(connection) }

  /// Lets go of the pages that are kept in memory, which are read again when they are asked for.
  func dropCache() {
    if unsafe connection != nil { unsafe sqlite3_db_release_memory(connection) }
  }
}
