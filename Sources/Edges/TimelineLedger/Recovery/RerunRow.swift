import TimelineCore
import TimelineEngine

/// Reruns and the entries that they repeat. A rerun has a row from the request on, also before its entry has one.
enum RerunRow {
  /// Minimum time for which a rerun has its row: longer than a year, so that the reruns of a yearly entry keep their numbers.
  private static let spanMin = ElapsedTime.days(400)
  /// Maximum number of reruns of the ledger that have a row without an entry: ten for each of 10,000 jobs.
  private static let rowCountMax: Int64 = 100_000

  /// Writes a rerun. Must be called within a transaction.
  static func write(_ rerun: RerunOrigin, at entry: EntryKey, to database: Database) throws(LedgerError) {
    try database.run(
      "INSERT OR REPLACE INTO rerun (job, nominal, \(origin)) VALUES (?1, ?2, ?3, ?4, ?5)",
      [
        entry.job.value, .instant(entry.nominal), .instant(rerun.of), .integer(Int64(rerun.number)),
        rerun.backfill.map(Value.integer) ?? .null,
      ])
  }

  /// Records the outcome of a repetition. Must be called within a transaction.
  static func settle(_ record: EntryRecord, in database: Database) throws(LedgerError) {
    try database.run(
      "UPDATE rerun SET outcome = ?3 WHERE nominal = ?1 AND job = ?2",
      [.instant(record.entry.nominal), record.entry.job.value, .text(record.outcome.rawValue)])
  }

  /// Returns the entry that the rerun at `entry` repeats; `nil` for any other entry.
  static func rerun(at entry: EntryKey, in database: Database) throws(LedgerError) -> RerunOrigin? {
    var found: RerunOrigin?
    try database.run(
      "SELECT \(origin) FROM rerun WHERE nominal = ?1 AND job = ?2",
      [.instant(entry.nominal), entry.job.value]
    ) { found = rerun(in: $0, from: 0) }
    return found
  }

  /// Returns the reruns since an instant, by their own entries.
  static func read(since start: WallInstant, from database: Database) throws(LedgerError) -> [EntryKey:
    RerunOrigin]
  {
    var found: [EntryKey: RerunOrigin] = [:]
    try database.run(
      "SELECT job, nominal, \(origin) FROM rerun WHERE nominal >= ?1 ORDER BY nominal LIMIT ?2",
      [.instant(start), .integer(rowCountMax)]
    ) { row in
      guard let job = JobName(row.text(0)) else { return }
      let entry = EntryKey(job: job, nominal: WallInstant(nanosecondsSinceEpoch: row.integer(1)))
      found[entry] = rerun(in: row, from: 2)
    }
    return found
  }

  /// Returns the instants of the reruns of an entry, the latest first.
  static func reruns(
    of entry: EntryKey, limit: Int, in database: Database
  ) throws(LedgerError) -> [WallInstant] {
    var found: [WallInstant] = []
    try database.run(
      """
      SELECT nominal FROM rerun INDEXED BY rerun_repeated WHERE job = ?1 AND repeated = ?2
        ORDER BY number DESC LIMIT ?3
      """, [entry.job.value, .instant(entry.nominal), .integer(Int64(limit))]
    ) { found.append(WallInstant(nanosecondsSinceEpoch: $0.integer(0))) }
    return found
  }

  /// Returns the highest number of the reruns of an entry; 0 for none.
  static func lastNumber(of entry: EntryKey, in database: Database) throws(LedgerError) -> Int {
    var number = 0
    try database.run(
      "SELECT max(number) FROM rerun INDEXED BY rerun_repeated WHERE job = ?1 AND repeated = ?2",
      [entry.job.value, .instant(entry.nominal)]
    ) { number = Int(clamping: $0.optionalInteger(0) ?? 0) }
    return number
  }

  /// Removes old reruns whose entries are dropped. Must be called within a transaction.
  static func tidy(
    at now: WallInstant, keeping age: ElapsedTime, in database: Database
  ) throws(LedgerError) {
    let hasNoEntry =
      "NOT EXISTS (SELECT 1 FROM entry WHERE entry.nominal = rerun.nominal AND entry.job = rerun.job)"
    try database.run(
      "DELETE FROM rerun WHERE nominal < ?1 AND \(hasNoEntry)", [.instant(now - max(age, spanMin))])
    try database.run(
      """
      DELETE FROM rerun WHERE nominal < (SELECT nominal FROM rerun ORDER BY nominal DESC LIMIT 1 OFFSET ?1)
        AND \(hasNoEntry)
      """, [.integer(rowCountMax)])
  }

  /// The columns of a ``TimelineEngine/RerunOrigin``.
  private static let origin = "repeated, number, backfill"

  private static func rerun(in row: borrowing Row, from column: Int32) -> RerunOrigin {
    RerunOrigin(
      of: WallInstant(nanosecondsSinceEpoch: row.integer(column)),
      number: Int(clamping: row.integer(column + 1)), backfill: row.optionalInteger(column + 2))
  }
}
