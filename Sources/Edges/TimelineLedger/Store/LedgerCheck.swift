/// The check whether a file is a complete ledger.
package enum LedgerCheck {
  /// Size in bytes of the largest file that is checked completely: about 0.2 s if the file is cached in memory.
  package static let wholeByteCountMax: Int64 = 64 << 20

  /// Throws ``LedgerError/newer(path:migration:)`` for a ledger of a newer program, in any state. Throws
  /// ``LedgerError/damaged(path:reason:)`` for a file that is not a ledger or is incomplete.
  ///
  /// Returns whether the whole file was checked. In a file larger than `byteCountMax` only the small tables are checked.
  static func check(_ database: Database, upTo byteCountMax: Int64) throws(LedgerError) -> Bool {
    var tables: Set<String> = []
    try database.run("SELECT name FROM sqlite_master WHERE type = 'table'") { row in
      tables.insert(row.text(0))
    }
    guard !tables.isEmpty else { return true }
    guard tables.contains("migration") else {
      throw .damaged(path: database.path, reason: "it is a database of something else")
    }
    try Migration.check(database)
    var byteCount: Int64 = 0
    try database.run("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size") {
      byteCount = $0.integer(0)
    }
    if byteCount <= byteCountMax {
      try check(database, "PRAGMA quick_check(1)")
      return true
    }
    for table in ["migration", "job", "mark", "boot", "claims"] where tables.contains(table) {
      try check(database, "PRAGMA quick_check(\(table))")
    }
    return false
  }

  private static func check(_ database: Database, _ pragma: String) throws(LedgerError) {
    var finding: String?
    try database.run(pragma) { row in
      if finding == nil, row.text(0) != "ok" { finding = row.text(0) }
    }
    guard let finding else { return }
    // A heading that names the database, such as `*** in database main ***`, comes first. There is only one.
    let lines = finding.split(separator: "\n").filter { !$0.hasPrefix("***") }
    throw .damaged(path: database.path, reason: lines.joined(separator: "; "))
  }
}
