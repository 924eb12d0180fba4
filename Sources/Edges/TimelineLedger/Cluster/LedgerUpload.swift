package import TimelineCore
package import TimelineEngine

/// The identity under which a node of a cluster settled an entry, for the cluster's store.
package struct StoreMark: Sendable, Equatable {
  /// Identity of the node.
  package var epoch: String
  /// Token of the entry's claim; `nil` without a claim. ``unclaimed`` for an entry that was run, or decided, without the
  /// store.
  package var token: Int64?
  /// Whether the outcome is not to be sent before this node owns the job.
  package var isWithheld: Bool

  /// Token of an entry that was run, or decided, while the store did not answer. It is lower than the tokens of all claims.
  package static let unclaimed: Int64 = 0

  package init(epoch: String, token: Int64?, isWithheld: Bool = false) {
    (self.epoch, self.token, self.isWithheld) = (epoch, token, isWithheld)
  }
}

extension StoreMark {
  /// The values of a row about an entry.
  func values(of entry: EntryKey) -> InlineArray<5, Value> {
    [
      entry.job.value, .instant(entry.nominal), .text(epoch), token.map(Value.integer) ?? .null,
      isWithheld ? .integer(Self.withheldAt) : .null,
    ]
  }

  /// Value of the column `sent_at` of a withheld outcome: neither `NULL`, which means unsent, nor an instant of a clock. So
  /// queries for unsent outcomes do not read withheld ones, however many there are.
  static let withheldAt: Int64 = -1
}

extension StoreMark {
  /// Time for which uploaded outcomes stay marked, because after a failover the new server may lack them.
  static let kept = ElapsedTime.minutes(10)

  /// Marks outcomes of entries as uploaded, and deletes old marks.
  static func noteUpload(
    of entries: [EntryKey], at now: WallInstant, in database: Database
  ) throws(LedgerError) {
    for entry in entries {
      try database.run(.uploaded, [entry.job.value, .instant(entry.nominal), .instant(now)])
    }
    try database.run(
      "DELETE FROM upload WHERE sent_at < ? AND sent_at <> \(withheldAt)", [.instant(now - kept)])
  }

  /// Queues the outcomes that were sent since an instant once more.
  static func sendAgain(since: WallInstant, in database: Database) throws(LedgerError) {
    try database.run("UPDATE upload SET sent_at = NULL WHERE sent_at >= ?", [.instant(since)])
  }

  /// Queues the withheld outcomes of a job.
  static func release(_ job: JobName, in database: Database) throws(LedgerError) {
    try database.run(
      "UPDATE upload SET sent_at = NULL WHERE sent_at = \(withheldAt) AND job = ?", [job.value])
  }

  /// Deletes an entry with its attempts and its mark: it is decided anew.
  static func reopen(_ entry: EntryKey, in database: Database) throws(LedgerError) {
    let isEntry = "nominal = ? AND job = ?"
    for rows in [
      "attempt WHERE run = (SELECT run FROM entry WHERE \(isEntry))", "entry WHERE \(isEntry)",
      "upload WHERE \(isEntry)",
    ] {
      try database.run("DELETE FROM \(rows)", [.instant(entry.nominal), entry.job.value])
    }
  }
}

/// State of a node in its cluster, kept from one daemon process to the next. The state does not contain the epoch, because a
/// copy of the file would duplicate the epoch.
package struct NodeMemory: Sendable, Equatable {
  /// Identity of the store's server.
  package var store: String

  package init(store: String) { self.store = store }
}

/// A record that may still be missing in the cluster's store.
package struct LedgerUpload: Sendable, Equatable {
  package var record: EntryRecord
  /// Identity under which the entry was settled.
  package var mark: StoreMark
}

// Queries about a job that comes from another node.
extension Ledger {
  /// Returns the nominal instant of the job's last settled entry; `nil` for none.
  package func watermark(of job: JobName) throws(LedgerError) -> WallInstant? {
    try writeBeforeReading()
    var found: WallInstant?
    try database.run("SELECT last_settled FROM job WHERE name = ?", [job.value]) { row in
      found = row.optionalInteger(0).map(WallInstant.init(nanosecondsSinceEpoch:))
    }
    return found
  }

  /// Returns the instant of the job's last recorded start, or its watermark if that is later; `nil` for neither.
  package func lastStart(of job: JobName) throws(LedgerError) -> WallInstant? {
    let settled = try watermark(of: job)
    var started: WallInstant?
    try database.run(StartQuestion.lastStart, [job.value]) { row in
      started = WallInstant(nanosecondsSinceEpoch: row.integer(0))
    }
    return [settled, started].compactMap(\.self).max()
  }

  /// Returns the spans of the job, after `start` through `end`, whose entries have a run or an outcome; in no order.
  package func decided(
    of job: JobName, after start: WallInstant, through end: WallInstant
  ) throws(LedgerError) -> [ClosedRange<WallInstant>] {
    try writeBeforeReading()
    let time = try repeated(of: [(job, start, end)])
    let single = (time.decided[job] ?? []).filter { $0 <= end }.map { $0...$0 }
    return single + (time.ranges[job] ?? [])
  }

  /// Stores a cursor that the job's last run left on another node.
  package func keep(cursor: [UInt8], of job: JobName) {
    cursors[job] = cursor
    backlog.append(.cursor(job, cursor))
  }

  /// Whether the entry has an outcome, alone or shared with others.
  package func hasOutcome(of key: EntryKey) throws(LedgerError) -> Bool {
    if backlog.settles(key) { return true }
    guard let entry = try entry(of: key.job, at: key.nominal) else { return false }
    return !entry.isOpen
  }

  /// Returns the run of an entry that is between two attempts; `nil` for none. The next attempt is due at once.
  package func runBetweenAttempts(of key: EntryKey) throws(LedgerError) -> OpenRun? {
    guard let (id, notes) = runs.first(where: { $0.value.entry == key }),
      let endedAt = notes.attempt.endedAt, let entry = try entry(of: key.job, at: key.nominal), entry.isOpen
    else { return nil }
    var run = OpenRun(
      run: id, entry: key, cause: entry.record.cause, attempts: notes.attempt.number,
      startedAt: entry.record.startedAt ?? notes.attempt.startedAt, entryCount: entry.record.entryCount)
    (run.retryAt, run.message, run.rerun) = (endedAt, notes.attempt.message, entry.record.rerun)
    return run
  }
}

// Uploads to the cluster's store. Records wait here while the store cannot be reached, and are dropped with their entries.
extension Ledger {
  /// Queues the outcome of an entry for the cluster's store.
  package func upload(_ entry: EntryKey, _ mark: StoreMark) { backlog.append(.upload(entry, mark)) }

  /// Marks outcomes of entries as uploaded to the cluster's store.
  package func uploaded(_ entries: [EntryKey], at now: WallInstant) {
    backlog.append(.uploaded(entries, at: now))
  }

  /// Queues the uploads of the last minutes again, because of a failover.
  package func uploadAgain(at now: WallInstant) {
    backlog.append(.uploadAgain(since: now - StoreMark.kept))
  }

  /// Queues the withheld outcomes of a job for the cluster's store.
  package func releaseUploads(of job: JobName) { backlog.append(.releaseUploads(job)) }

  /// Drops the outcome of an entry, which is decided anew.
  package func reopen(_ entry: EntryKey) { backlog.append(.reopen(entry)) }

  /// Returns the nominal instants of a job's entries with withheld outcomes, in no order.
  package func withheldEntries(of job: JobName) throws(LedgerError) -> [WallInstant] {
    try writeBeforeReading()
    var found: [WallInstant] = []
    try database.run(
      "SELECT nominal FROM upload WHERE sent_at = \(StoreMark.withheldAt) AND job = ?", [job.value]
    ) { row in found.append(WallInstant(nanosecondsSinceEpoch: row.integer(0))) }
    return found
  }

  /// Returns the jobs with withheld outcomes. Deletes the marks of dropped entries.
  package func jobsWithWithheldUploads() throws(LedgerError) -> Set<JobName> {
    try writeBeforeReading()
    try database.run(
      """
      DELETE FROM upload WHERE sent_at = \(StoreMark.withheldAt) AND NOT EXISTS
        (SELECT 1 FROM entry WHERE entry.nominal = upload.nominal AND entry.job = upload.job)
      """)
    var found: Set<JobName> = []
    try database.run("SELECT DISTINCT job FROM upload WHERE sent_at = \(StoreMark.withheldAt)") { row in
      if let job = JobName(row.text(0)) { found.insert(job) }
    }
    return found
  }

  /// Writes the state of this node in its cluster, at once.
  package func keep(_ memory: NodeMemory) {
    isPressing = true
    backlog.append(.node(memory))
  }

  /// Returns the oldest records that may still be missing in the cluster's store, at most `limit`. Deletes the marks of
  /// dropped entries.
  package func uploads(limit: Int) throws(LedgerError) -> [LedgerUpload] {
    try writeBeforeReading()
    var found: [LedgerUpload] = []
    try database.run(
      """
      SELECT \(Self.entryColumns), upload.epoch, upload.token FROM upload JOIN entry USING (nominal, job)
        WHERE sent_at IS NULL AND outcome IS NOT NULL ORDER BY nominal, job LIMIT ?
      """, [.integer(Int64(limit))]
    ) { row in
      guard let entry = LedgerEntry(row) else { return }
      let mark = StoreMark(
        epoch: row.text(Self.entryColumnCount), token: row.optionalInteger(Self.entryColumnCount + 1))
      found.append(LedgerUpload(record: entry.record, mark: mark))
    }
    if found.isEmpty {
      try database.run(
        """
        DELETE FROM upload WHERE sent_at IS NULL AND NOT EXISTS
          (SELECT 1 FROM entry WHERE entry.nominal = upload.nominal AND entry.job = upload.job)
        """)
    }
    return found
  }
}
