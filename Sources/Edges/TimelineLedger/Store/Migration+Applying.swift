extension Migration {
  /// Migrates `database` to the newest form, or to the form after the last of `steps`. Each step has its own transaction, but
  /// a new database is made in a single one.
  static func apply(_ steps: some Sequence<Migration> = all, to database: Database) throws(LedgerError) {
    var isNew = true
    try database.run("SELECT 1 FROM sqlite_master WHERE name = 'migration'") { _ in isNew = false }
    if isNew {
      return try database.transaction { () throws(LedgerError) in
        try database.execute("CREATE TABLE migration (name TEXT PRIMARY KEY NOT NULL) STRICT")
        for migration in steps { try migration.take(in: database) }
      }
    }
    let applied = try names(in: database)
    for migration in steps where !applied.contains(migration.name) {
      try database.transaction { () throws(LedgerError) in try migration.take(in: database) }
    }
  }

  private func take(in database: Database) throws(LedgerError) {
    try database.execute(sql)
    try database.run("INSERT INTO migration VALUES (?)", [.text(name)])
  }

  /// Throws ``LedgerError/newer(path:migration:)`` if the file has a step that comes after ``all``. Throws
  /// ``LedgerError/damaged(path:reason:)`` if the file has a step that never existed.
  static func check(_ database: Database) throws(LedgerError) {
    let foreign = try names(in: database).subtracting(all.map(\.name)).sorted()
    if let newer = foreign.first(where: { (number(of: $0) ?? 0) > all.count }) {
      throw .newer(path: database.path, migration: newer)
    }
    if let unknown = foreign.first {
      throw .damaged(path: database.path, reason: "no timelined has ever made the step '\(unknown)'")
    }
  }

  /// The number at the beginning of a step's name.
  private static func number(of name: String) -> Int? { Int(name.prefix { $0 != " " }) }

  private static func names(in database: Database) throws(LedgerError) -> Set<String> {
    var names: Set<String> = []
    try database.run("SELECT name FROM migration") { row in names.insert(row.text(0)) }
    return names
  }
}
