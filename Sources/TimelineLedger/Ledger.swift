package import TimelineCore
package import TimelineEngine

/// The durable record of entries: what was claimed, what was started, how it ended, and each job's cursor.
///
/// Writes gather in one transaction until ``commit()``, which the shell calls once at the end of a turn and once before it
/// calls a plugin. What is committed survives the death of the daemon. One thread uses a ledger, one daemon a file.
package final class Ledger {
  let database: Database
  private var counted: Set<JobName> = []
  private var countedUntil: [JobName: WallInstant] = [:]

  /// Opens or makes the ledger at `path`; `:memory:` makes one that nobody will remember, for a rehearsal.
  package init(path: String) throws(LedgerError) {
    database = try Database(path: path)
    try Migration.apply(to: database)
  }

  /// What became of an earlier daemon's last claims, and where each job's timeline stood.
  package struct Memory {
    /// For each job whose schedule is still the same, the nominal instant of its last settled entry, or the last instant
    /// before it was first seen if that is later; never after now. What fell due since was missed.
    package var lastSettled: [JobName: WallInstant] = [:]
    /// Entries that had been started and whose end nobody saw; now settled as `unknown`.
    package var unknown: [EntryRecord] = []
  }

  /// Takes in a configuration: forgets where a job stood whose schedule has changed or that is not in it any more.
  ///
  /// A job misses nothing from before it was first seen, nor from the time in which it was disabled or taken out. Cursors stay.
  ///
  /// - Parameters:
  ///   - jobs: Every enabled job with the text of its schedule.
  ///   - countedJobs: Jobs that fire too often for a row an entry; only where they stand is kept.
  package func adopt(
    jobs: [(name: JobName, schedule: String)], countedJobs: Set<JobName>, at now: WallInstant
  ) throws(LedgerError) {
    try begin()
    counted = countedJobs
    var gone: Set<String> = []
    try database.run("SELECT name FROM job WHERE known_since IS NOT NULL OR last_settled IS NOT NULL") {
      gone.insert($0.text(0))
    }
    for job in jobs {
      gone.remove(job.name.text)
      try database.run(
        """
        INSERT INTO job (name, schedule, known_since) VALUES (?1, ?2, ?3) ON CONFLICT (name) DO UPDATE SET
          last_settled = CASE WHEN schedule = ?2 THEN last_settled END,
          known_since = CASE WHEN schedule = ?2 THEN coalesce(known_since, ?3) ELSE ?3 END,
          schedule = ?2
        """, [.text(job.name.text), .text(job.schedule), .integer(now.nanosecondsSinceEpoch)])
    }
    for name in gone {
      try database.run(
        "UPDATE job SET last_settled = NULL, known_since = NULL WHERE name = ?", [.text(name)])
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
    // A clock that was once set far ahead must not silence a job until then; what was settled there is not run again,
    // for its claim is lost.
    try database.run(
      "SELECT name, min(max(coalesce(last_settled, known_since - 1), known_since - 1), ?) FROM job WHERE known_since IS NOT NULL",
      [.integer(now.nanosecondsSinceEpoch)]
    ) { row in
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
      INSERT INTO entry (job, nominal, started_at, cause, attempts, entry_count, first_nominal, run)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?2, ?7)
        ON CONFLICT (job, nominal) DO UPDATE
        SET started_at = coalesce(started_at, ?3), cause = ?4, attempts = ?5, entry_count = ?6, run = ?7
      """,
      Self.key(attempt.entry) + [
        .integer(attempt.startedAt.nanosecondsSinceEpoch), .text(attempt.cause.rawValue),
        .integer(Int64(attempt.number)), .integer(Int64(attempt.entryCount)), Self.run(attempt.run),
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
        first_nominal, run) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
        ON CONFLICT (job, nominal) DO UPDATE SET started_at = coalesce(?3, started_at), ended_at = ?4, cause = ?5,
        disposition = ?6, reason = ?7, attempts = ?8, entry_count = ?9, first_nominal = ?10, run = ?11
      """,
      Self.key(record.entry) + [
        .instant(record.startedAt?.nanosecondsSinceEpoch), .integer(record.endedAt.nanosecondsSinceEpoch),
        .text(record.cause.rawValue), .text(record.disposition.rawValue), .text(record.reason),
        .integer(Int64(record.attempts)), .integer(Int64(record.entryCount)),
        .integer(record.firstNominal.nanosecondsSinceEpoch), record.run.map(Self.run) ?? .null,
      ])
    if record.cause != .trigger { try advance(job, to: record.entry.nominal) }
  }

  /// Makes all that was written durable against the death of the process; does nothing when nothing was.
  package func commit() throws(LedgerError) {
    guard database.isInTransaction else { return }
    do {
      try database.execute("COMMIT")
    } catch {
      // A transaction that cannot be ended, as on a full disk, would be in the way of every later one.
      if database.isInTransaction { try? database.execute("ROLLBACK") }
      throw error
    }
  }

  /// Commits and lets go of the file; the ledger is of no use after that.
  package func close() throws(LedgerError) {
    defer { database.close() }
    try commit()
  }

  /// Files where the counted jobs stand, and drops entries that ended before `horizon`; for quiet times.
  package func tidy(droppingEntriesBefore horizon: WallInstant) throws(LedgerError) {
    try begin()
    for (job, nominal) in countedUntil { try advance(job, to: nominal) }
    countedUntil = [:]
    try database.run(
      "DELETE FROM entry WHERE nominal < ?1 AND ended_at < ?1", [.integer(horizon.nanosecondsSinceEpoch)])
    try commit()
  }

  /// Bounds the file, as a full disk would; for tests.
  func limit(pages: Int) throws(LedgerError) {
    try database.execute("PRAGMA max_page_count=\(pages)")
  }

  private func advance(_ job: JobName, to nominal: WallInstant) throws(LedgerError) {
    try database.run(
      "UPDATE job SET last_settled = max(coalesce(last_settled, ?2), ?2) WHERE name = ?1",
      [.text(job.text), .integer(nominal.nanosecondsSinceEpoch)])
  }

  private func begin() throws(LedgerError) {
    guard !database.isInTransaction else { return }
    try database.execute("BEGIN IMMEDIATE")
  }

  private static func run(_ run: RunID) -> Value { .integer(Int64(bitPattern: run.number)) }

  private static func key(_ entry: EntryKey) -> [Value] {
    [.text(entry.job.text), .integer(entry.nominal.nanosecondsSinceEpoch)]
  }
}
