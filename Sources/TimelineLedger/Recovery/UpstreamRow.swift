import TimelineCore
import TimelineEngine

/// Upstream of a reaction: the record of the entry that caused it, kept until the reaction has its outcome. The entry itself has no
/// row if its job is counted, and its row may be dropped earlier.
enum UpstreamRow {
  /// Every one, with the reaction that it is kept for.
  static let all = """
    SELECT job, nominal, upstream_job, upstream_nominal, cause, outcome, reason, run, started_at, ended_at, attempts,
      entry_count, first_nominal FROM upstream
    """

  /// Keeps a record for a reaction.
  static func write(
    _ record: EntryRecord, of reaction: EntryKey, to database: Database
  ) throws(LedgerError) {
    try database.run(
      "INSERT OR IGNORE INTO upstream VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",
      [
        reaction.job.value, .instant(reaction.nominal), record.entry.job.value,
        .instant(record.entry.nominal),
        .text(record.cause.rawValue), .text(record.outcome.rawValue), .text(record.reason),
        record.run?.value ?? .null, .instant(record.startedAt), .instant(record.endedAt),
        .integer(Int64(record.attempts)), .integer(Int64(record.entryCount)), .instant(record.firstNominal),
      ])
  }

  /// Forgets what was kept for a reaction.
  static func drop(of reaction: EntryKey, in database: Database) throws(LedgerError) {
    try database.run(
      "DELETE FROM upstream WHERE nominal = ?1 AND job = ?2",
      [.instant(reaction.nominal), reaction.job.value])
  }

  /// The record of every reaction that has one.
  static func read(from database: Database) throws(LedgerError) -> [EntryKey: EntryRecord] {
    var records: [EntryKey: EntryRecord] = [:]
    try database.run(all) { row in
      guard let job = JobName(row.text(0)), let record = record(in: row) else { return }
      records[EntryKey(job: job, nominal: WallInstant(nanosecondsSinceEpoch: row.integer(1)))] = record
    }
    return records
  }

  /// The record in a row of ``all``; `nil` for one that no program of ours has written.
  private static func record(in row: borrowing Row) -> EntryRecord? {
    guard let job = JobName(row.text(2)), let cause = RunCause(rawValue: row.text(4)),
      let outcome = Outcome(rawValue: row.text(5))
    else { return nil }
    return EntryRecord(
      entry: EntryKey(job: job, nominal: WallInstant(nanosecondsSinceEpoch: row.integer(3))), cause: cause,
      outcome: outcome, reason: row.text(6),
      run: row.optionalInteger(7).map { RunID(number: UInt64(bitPattern: $0)) },
      startedAt: row.optionalInteger(8).map(WallInstant.init(nanosecondsSinceEpoch:)),
      endedAt: WallInstant(nanosecondsSinceEpoch: row.integer(9)), attempts: Int(row.integer(10)),
      entryCount: max(1, Int(row.integer(11))),
      firstNominal: WallInstant(nanosecondsSinceEpoch: row.integer(12)))
  }
}
