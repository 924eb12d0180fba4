import TimelineCore
import TimelineEngine

/// Upstream of a reaction: the record of the entry that caused it, kept until the reaction has its outcome. The entry itself
/// has no row if its job is counted, and its row may be dropped earlier.
enum UpstreamRow {
  /// Query for all records, each with its reaction.
  static let all = """
    SELECT job, nominal, upstream_job, upstream_nominal, cause, outcome, reason, run, started_at, ended_at, attempts,
      entry_count, first_nominal, incident FROM upstream
    """

  /// Stores a record for a reaction.
  static func write(
    _ record: EntryRecord, of reaction: EntryKey, to database: Database
  ) throws(LedgerError) {
    try database.run(
      "INSERT OR IGNORE INTO upstream VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)",
      [reaction.job.value, .instant(reaction.nominal), record.entry.job.value] + values(of: record)
        + [record.incident.map { .text(text(of: $0)) } ?? .null])
  }

  /// Returns the values of a record without its job, in the order of the columns.
  static func values(of record: EntryRecord) -> [Value] {
    [
      .instant(record.entry.nominal), .text(record.cause.rawValue), .text(record.stateText),
      .text(record.reason), record.run?.value ?? .null, .instant(record.startedAt), .instant(record.endedAt),
      .integer(Int64(record.attempts)), .integer(Int64(record.entryCount)), .instant(record.firstNominal),
    ]
  }

  /// Deletes the record of a reaction that has its outcome. The row of the reaction keeps the key of its upstream entry.
  static func settle(_ reaction: EntryRecord, in database: Database) throws(LedgerError) {
    let key: [Value] = [.instant(reaction.entry.nominal), reaction.entry.job.value]
    try database.run("DELETE FROM upstream WHERE nominal = ?1 AND job = ?2", key)
    guard let upstream = reaction.upstream else { return }
    try database.run(
      "UPDATE entry SET upstream_nominal = ?3, upstream_job = ?4 WHERE nominal = ?1 AND job = ?2",
      key + [.instant(upstream.nominal), upstream.job.value])
  }

  /// Returns the reactions to an entry that wait or run, the latest first.
  static func reactions(
    to upstream: EntryKey, limit: Int, in database: Database
  ) throws(LedgerError) -> [EntryKey] {
    var keys: [EntryKey] = []
    try database.run(
      """
      SELECT job, nominal FROM upstream INDEXED BY upstream_reactions WHERE upstream_nominal = ?1 AND upstream_job = ?2
        ORDER BY nominal DESC LIMIT ?3
      """, [.instant(upstream.nominal), upstream.job.value, .integer(Int64(limit))]
    ) { row in
      guard let job = JobName(row.text(0)) else { return }
      keys.append(EntryKey(job: job, nominal: WallInstant(nanosecondsSinceEpoch: row.integer(1))))
    }
    return keys
  }

  /// Returns all records by their reactions.
  static func read(from database: Database) throws(LedgerError) -> [EntryKey: EntryRecord] {
    var records: [EntryKey: EntryRecord] = [:]
    try database.run(all) { row in
      guard let job = JobName(row.text(0)), let upstream = JobName(row.text(2)),
        var record = record(of: upstream, in: row, from: 3)
      else { return }
      record.incident = report(row.text(13))
      records[EntryKey(job: job, nominal: WallInstant(nanosecondsSinceEpoch: row.integer(1)))] = record
    }
    return records
  }

  /// Returns the record of a job in the columns from `column` on; `nil` for invalid values.
  static func record(of job: JobName, in row: borrowing Row, from column: Int32) -> EntryRecord? {
    guard let cause = RunCause(rawValue: row.text(column + 1)),
      let (stage, outcome) = EntryRecord.state(ofText: row.text(column + 2))
    else { return nil }
    var record = EntryRecord(
      entry: EntryKey(job: job, nominal: WallInstant(nanosecondsSinceEpoch: row.integer(column))),
      cause: cause, outcome: outcome, reason: row.text(column + 3),
      run: row.optionalInteger(column + 4).map { RunID(number: UInt64(bitPattern: $0)) },
      startedAt: row.optionalInteger(column + 5).map(WallInstant.init(nanosecondsSinceEpoch:)),
      endedAt: WallInstant(nanosecondsSinceEpoch: row.integer(column + 6)),
      attempts: Int(row.integer(column + 7)), entryCount: max(1, Int(row.integer(column + 8))),
      firstNominal: WallInstant(nanosecondsSinceEpoch: row.integer(column + 9)))
    record.stage = stage
    return record
  }

  private static func text(of report: IncidentReport) -> String {
    "\(report.kind.rawValue) \(report.phase.rawValue) \(report.count) \(report.since.nanosecondsSinceEpoch)"
  }

  private static func report(_ text: String) -> IncidentReport? {
    let parts = text.split(separator: " ").map(String.init)
    guard parts.count == 4, let kind = IncidentKind(rawValue: parts[0]),
      let phase = IncidentReport.Phase(rawValue: parts[1]), let count = Int(parts[2]),
      let since = Int64(parts[3])
    else { return nil }
    return IncidentReport(
      kind: kind, phase: phase, count: count, since: WallInstant(nanosecondsSinceEpoch: since))
  }
}
