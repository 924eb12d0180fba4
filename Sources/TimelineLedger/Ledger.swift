package import TimelineCore
package import TimelineEngine

/// The durable record of entries: what was claimed, what was started, how it ended, and each job's cursor.
///
/// Writes gather in one transaction until ``commit()``, which the shell calls once at the end of a turn and once before it
/// calls a plugin. What is committed survives the death of the daemon. One thread uses a ledger, one daemon a file.
package final class Ledger {
  private let database: Database
  private var isInTransaction = false
  private var counted: Set<JobName> = []
  private var countedUntil: [JobName: WallInstant] = [:]

  /// Opens or makes the ledger at `path`; `:memory:` makes one that nobody will remember, for a rehearsal.
  package init(path: String) throws(LedgerError) {
    database = try Database(path: path)
    try Migration.apply(to: database)
  }

  /// What became of an earlier daemon's last claims, and where each job's timeline stood.
  package struct Memory {
    /// The nominal instant of the last settled entry of each job whose schedule is still the same.
    package var lastSettled: [JobName: WallInstant] = [:]
    /// Entries that had been started and whose end nobody saw; now settled as `unknown`.
    package var unknown: [EntryRecord] = []
  }

  /// Takes in a configuration: forgets where a job stood whose schedule has changed.
  ///
  /// - Parameters:
  ///   - jobs: Every configured job with the text of its schedule.
  ///   - countedJobs: Jobs that fire too often for a row an entry; only where they stand is kept.
  package func adopt(
    jobs: [(name: JobName, schedule: String)], countedJobs: Set<JobName>
  ) throws(LedgerError) {
    try begin()
    counted = countedJobs
    for job in jobs {
      try database.run(
        """
        INSERT INTO job (name, schedule) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET
          last_settled = CASE WHEN schedule = ?2 THEN last_settled END, schedule = ?2
        """, [.text(job.name.text), .text(job.schedule)])
    }
    try commit()
  }

  /// Settles what a daemon that died has left open, and tells where each job stood; called once, after the first
  /// ``adopt(jobs:countedJobs:)``.
  ///
  /// An entry that had been started ends `unknown`. One that had only been claimed is given up: it was not run, so
  /// the job's missed policy decides.
  package func recall(at now: WallInstant) throws(LedgerError) -> Memory {
    var memory = Memory()
    try begin()
    try database.run("DELETE FROM entry WHERE disposition IS NULL AND started_at IS NULL")
    try database.run(
      "SELECT job, nominal, cause, started_at, attempts, entry_count, first_nominal FROM entry WHERE disposition IS NULL"
    ) { row in
      guard let job = JobName(row.text(0)) else { return }
      memory.unknown.append(
        EntryRecord(
          entry: EntryKey(job: job, nominal: WallInstant(nanosecondsSinceEpoch: row.integer(1))),
          cause: RunCause(rawValue: row.text(2)) ?? .schedule, disposition: .unknown,
          reason: "the daemon died while it ran", startedAt: .init(nanosecondsSinceEpoch: row.integer(3)),
          endedAt: now, attempts: Int(row.integer(4)), entryCount: Int(row.integer(5)),
          firstNominal: WallInstant(nanosecondsSinceEpoch: row.integer(6))))
    }
    for record in memory.unknown { try settle(record) }
    try database.run("SELECT name, last_settled FROM job WHERE last_settled IS NOT NULL") { row in
      guard let job = JobName(row.text(0)) else { return }
      memory.lastSettled[job] = WallInstant(nanosecondsSinceEpoch: row.integer(1))
    }
    try commit()
    return memory
  }

  /// The cursor that the job's last success left; empty for none.
  package func cursor(of job: JobName) throws(LedgerError) -> [UInt8] {
    var cursor: [UInt8] = []
    try database.run("SELECT cursor FROM job WHERE name = ?", [.text(job.text)]) { row in cursor = row.blob(0)
    }
    return cursor
  }

  /// Claims entries; an entry that has a disposition already is lost. The answers are in the order of `keys`.
  package func claim(_ keys: [EntryKey], at now: WallInstant) throws(LedgerError) -> [ClaimAnswer] {
    var answers: [ClaimAnswer] = []
    answers.reserveCapacity(keys.count)
    for key in keys {
      answers.append(ClaimAnswer(entry: key, verdict: try claim(key, at: now) ? .won : .lost))
    }
    return answers
  }

  private func claim(_ key: EntryKey, at now: WallInstant) throws(LedgerError) -> Bool {
    if counted.contains(key.job) { return true }
    var isSettled = false
    try database.run("SELECT disposition IS NOT NULL FROM entry WHERE job = ? AND nominal = ?", Self.key(key))
    {
      row in isSettled = row.integer(0) != 0
    }
    if isSettled { return false }
    try begin()
    try database.run(
      """
      INSERT INTO entry (job, nominal, claimed_at, cause, first_nominal) VALUES (?1, ?2, ?3, 'schedule', ?2)
        ON CONFLICT (job, nominal) DO UPDATE SET claimed_at = ?3
      """, Self.key(key) + [.integer(now.nanosecondsSinceEpoch)])
    return true
  }

  /// Gives claims up.
  package func withdraw(_ keys: [EntryKey]) throws(LedgerError) {
    try begin()
    for key in keys where !counted.contains(key.job) {
      try database.run(
        "DELETE FROM entry WHERE job = ? AND nominal = ? AND disposition IS NULL AND started_at IS NULL",
        Self.key(key))
    }
  }

  /// Notes that a plugin is about to be called; commit before it is.
  package func start(_ attempt: Attempt) throws(LedgerError) {
    if counted.contains(attempt.entry.job) { return }
    try begin()
    try database.run(
      """
      INSERT INTO entry (job, nominal, started_at, cause, attempts, entry_count, first_nominal)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?2)
        ON CONFLICT (job, nominal) DO UPDATE
        SET started_at = coalesce(started_at, ?3), cause = ?4, attempts = ?5, entry_count = ?6
      """,
      Self.key(attempt.entry) + [
        .integer(attempt.startedAt.nanosecondsSinceEpoch), .text(attempt.cause.rawValue),
        .integer(Int64(attempt.number)), .integer(Int64(attempt.entryCount)),
      ])
  }

  /// Files an entry's one disposition, and with it the cursor that its run left (`nil` leaves the old one).
  package func settle(_ record: EntryRecord, cursor: [UInt8]? = nil) throws(LedgerError) {
    let job = record.entry.job
    if let cursor {
      try begin()
      try database.run("UPDATE job SET cursor = ? WHERE name = ?", [.blob(cursor), .text(job.text)])
    }
    if counted.contains(job) {
      if record.cause != .trigger { countedUntil[job] = max(countedUntil[job] ?? .min, record.entry.nominal) }
      return
    }
    try begin()
    try database.run(
      """
      INSERT INTO entry (job, nominal, started_at, ended_at, cause, disposition, reason, attempts, entry_count,
        first_nominal) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
        ON CONFLICT (job, nominal) DO UPDATE SET started_at = coalesce(?3, started_at), ended_at = ?4, cause = ?5,
        disposition = ?6, reason = ?7, attempts = ?8, entry_count = ?9, first_nominal = ?10
      """,
      Self.key(record.entry) + [
        .instant(record.startedAt?.nanosecondsSinceEpoch), .integer(record.endedAt.nanosecondsSinceEpoch),
        .text(record.cause.rawValue), .text(record.disposition.rawValue), .text(record.reason),
        .integer(Int64(record.attempts)), .integer(Int64(record.entryCount)),
        .integer(record.firstNominal.nanosecondsSinceEpoch),
      ])
    if record.cause != .trigger { try advance(job, to: record.entry.nominal) }
  }

  /// Makes all that was written durable against the death of the process; does nothing when nothing was.
  package func commit() throws(LedgerError) {
    guard isInTransaction else { return }
    isInTransaction = false
    try database.execute("COMMIT")
  }

  /// Files where the counted jobs stand, and drops entries that ended before `horizon`; for quiet times.
  package func tidy(droppingEntriesBefore horizon: WallInstant) throws(LedgerError) {
    try begin()
    for (job, nominal) in countedUntil { try advance(job, to: nominal) }
    countedUntil = [:]
    try database.run("DELETE FROM entry WHERE ended_at < ?", [.integer(horizon.nanosecondsSinceEpoch)])
    try commit()
  }

  private func advance(_ job: JobName, to nominal: WallInstant) throws(LedgerError) {
    try database.run(
      "UPDATE job SET last_settled = max(coalesce(last_settled, ?2), ?2) WHERE name = ?1",
      [.text(job.text), .integer(nominal.nanosecondsSinceEpoch)])
  }

  private func begin() throws(LedgerError) {
    guard !isInTransaction else { return }
    try database.execute("BEGIN IMMEDIATE")
    isInTransaction = true
  }

  private static func key(_ entry: EntryKey) -> [Value] {
    [.text(entry.job.text), .integer(entry.nominal.nanosecondsSinceEpoch)]
  }
}
