import CSQLite

// Identity of the file, changed rows, and memory.
extension Database {
  /// Whether the file was removed or replaced, so that writes go to a file without a name.
  var hasMoved: Bool {
    guard isDurable, unsafe connection != nil else { return false }
    var hasMoved: Int32 = 0
    let code = unsafe sqlite3_file_control(connection, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
    return code == SQLITE_OK && hasMoved != 0
  }

  /// Sets the step by which the file grows; 0 for no more than needed.
  func setChunk(_ byteCount: Int32) {
    var chunk = byteCount
    unsafe sqlite3_file_control(connection, "main", SQLITE_FCNTL_CHUNK_SIZE, &chunk)
  }

  /// Whether the last statement has made or changed a row; valid after a statement that writes.
  var hasChangedRows: Bool { unsafe connection != nil && sqlite3_changes(connection) > 0 }

  /// Number of rows changed by this connection.
  var changeCount: Int32 { unsafe connection == nil ? 0 : sqlite3_total_changes(connection) }

  /// Frees the cached pages, which are read again when needed.
  func dropCache() {
    if unsafe connection != nil { unsafe sqlite3_db_release_memory(connection) }
  }
}
