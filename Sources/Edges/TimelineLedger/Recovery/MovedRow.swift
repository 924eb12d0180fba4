import TimelineCore
import TimelineEngine

/// The instants from which the entries of runs had moved.
enum MovedRow {
  /// Maximum number of rows that are read: ten for each of 10,000 jobs.
  private static let rowCountMax: Int64 = 100_000

  /// Writes the instants of an attempt. Must be called within a transaction.
  static func write(_ attempt: Attempt, to database: Database) throws(LedgerError) {
    for origin in attempt.movedFrom {
      try database.run(
        "INSERT OR IGNORE INTO moved (job, nominal, origin) VALUES (?1, ?2, ?3)",
        [attempt.entry.job.value, .instant(attempt.entry.nominal), .instant(origin)])
    }
  }

  /// Removes the instants of an entry that was not started. Must be called within a transaction.
  static func remove(_ entry: EntryKey, from database: Database) throws(LedgerError) {
    try database.run(
      "DELETE FROM moved WHERE nominal = ?1 AND job = ?2", [.instant(entry.nominal), entry.job.value])
  }

  /// Removes rows that are too old to have an effect on a later entry. Must be called within a transaction.
  static func tidy(at now: WallInstant, in database: Database) throws(LedgerError) {
    try database.run("DELETE FROM moved WHERE nominal < ?1", [.instant(now - EngineLimits.movedSpan)])
  }

  /// Returns the runs of all jobs whose entries had moved, except old ones.
  static func read(at now: WallInstant, from database: Database) throws(LedgerError) -> [JobName:
    [MovedEntry]]
  {
    var found: [JobName: [MovedEntry]] = [:]
    try database.run(
      "SELECT job, nominal, origin FROM moved WHERE nominal >= ?1 ORDER BY nominal DESC, job, origin LIMIT ?2",
      [.instant(now - EngineLimits.movedSpan), .integer(rowCountMax)]
    ) { row in
      guard let job = JobName(row.text(0)) else { return }
      let nominal = WallInstant(nanosecondsSinceEpoch: row.integer(1))
      let origin = WallInstant(nanosecondsSinceEpoch: row.integer(2))
      var entries = found[job] ?? []
      if let last = entries.indices.last, entries[last].nominal == nominal {
        entries[last].origins.append(origin)
      } else {
        entries.append(MovedEntry(nominal: nominal, origins: [origin]))
      }
      found[job] = entries
    }
    return found
  }
}
