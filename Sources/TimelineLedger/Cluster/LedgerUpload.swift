package import TimelineCore
package import TimelineEngine

/// The identity under which a node of a cluster settled an entry, for the cluster's store.
package struct StoreMark: Sendable, Hashable {
  /// Identity of the node.
  package var epoch: String
  /// Token of the entry's claim, if it was claimed; ``unclaimed`` for an entry that was run, or decided, without the store.
  package var token: Int64?

  /// Token in place of that of an entry that was run, or decided, while the store did not answer: lower than those of all claims.
  package static let unclaimed: Int64 = 0

  /// Makes a mark.
  package init(epoch: String, token: Int64?) {
    (self.epoch, self.token) = (epoch, token)
  }
}

extension StoreMark {
  /// The values of a row about an entry.
  func values(of entry: EntryKey) -> InlineArray<4, Value> {
    [
      entry.job.value, .instant(entry.nominal), .text(epoch), token.map(Value.integer) ?? .null,
    ]
  }
}

extension StoreMark {
  /// Time for which it is kept that the store was told of an outcome: a standby that takes its place may not have been.
  static let kept = ElapsedTime.minutes(10)

  /// Notes that the store has been told the outcomes of entries, and forgets what it was told long ago.
  static func noteUpload(
    of entries: [EntryKey], at now: WallInstant, in database: Database
  ) throws(LedgerError) {
    for entry in entries {
      try database.run(.uploaded, [entry.job.value, .instant(entry.nominal), .instant(now)])
    }
    try database.run("DELETE FROM upload WHERE sent_at < ?", [.instant(now - kept)])
  }
}

/// Memory of a node about its cluster, from one life to the next. The identity of a life is no part of it: a copy of the file has none.
package struct NodeMemory: Sendable, Hashable {
  /// Identity of the store's server.
  package var store: String

  /// Makes a memory.
  package init(store: String) { self.store = store }
}

/// A record that the cluster's store may not have.
package struct LedgerUpload: Sendable, Hashable {
  /// The record.
  package var record: EntryRecord
  /// The identity under which it was settled.
  package var mark: StoreMark
}

// What is asked when a job comes from another node.
extension Ledger {
  /// Nominal instant of the job's last settled entry; `nil` for none.
  package func watermark(of job: JobName) throws(LedgerError) -> WallInstant? {
    try writeBeforeReading()
    var found: WallInstant?
    try database.run("SELECT last_settled FROM job WHERE name = ?", [job.value]) { row in
      found = row.optionalInteger(0).map(WallInstant.init(nanosecondsSinceEpoch:))
    }
    return found
  }

  /// Instant of the job's last start that is filed, its nominal one if it has no row; `nil` for none.
  package func lastStart(of job: JobName) throws(LedgerError) -> WallInstant? {
    let settled = try watermark(of: job)
    var started: WallInstant?
    try database.run(StartQuestion.lastStart, [job.value]) { row in
      started = WallInstant(nanosecondsSinceEpoch: row.integer(0))
    }
    return [settled, started].compactMap(\.self).max()
  }

  /// Spans of the job in which entries after `start` through `end` have a run or an outcome, in no order.
  package func decided(
    of job: JobName, after start: WallInstant, through end: WallInstant
  ) throws(LedgerError) -> [ClosedRange<WallInstant>] {
    try writeBeforeReading()
    let time = try repeated(of: [(job, start, end)])
    let single = (time.decided[job] ?? []).filter { $0 <= end }.map { $0...$0 }
    return single + (time.ranges[job] ?? [])
  }

  /// Keeps a cursor that the job's last run left on another node.
  package func keep(cursor: [UInt8], of job: JobName) {
    cursors[job] = cursor
    backlog.append(.cursor(job, cursor))
  }

  /// Whether the entry has an outcome, by itself or with others.
  package func hasOutcome(of key: EntryKey) throws(LedgerError) -> Bool {
    if backlog.settles(key) { return true }
    guard let entry = try entry(of: key.job, at: key.nominal) else { return false }
    return !entry.isOpen
  }

  /// Run of an entry that is between two attempts, of which the next one is due at once; `nil` for none.
  package func runBetweenAttempts(of key: EntryKey) throws(LedgerError) -> OpenRun? {
    guard let (id, notes) = runs.first(where: { $0.value.entry == key }),
      let endedAt = notes.attempt.endedAt, let entry = try entry(of: key.job, at: key.nominal), entry.isOpen
    else { return nil }
    var run = OpenRun(
      run: id, entry: key, cause: entry.record.cause, attempts: notes.attempt.number,
      startedAt: entry.record.startedAt ?? notes.attempt.startedAt, entryCount: entry.record.entryCount)
    (run.retryAt, run.message) = (endedAt, notes.attempt.message)
    return run
  }
}

// What a cluster's store is to be told. Records wait here as long as it cannot be reached, and go with their entries.
extension Ledger {
  /// Files, with the outcome of an entry, that the cluster's store is to be told.
  package func upload(_ entry: EntryKey, _ mark: StoreMark) { backlog.append(.upload(entry, mark)) }

  /// Files that the cluster's store has been told the outcomes of entries.
  package func uploaded(_ entries: [EntryKey], at now: WallInstant) {
    backlog.append(.uploaded(entries, at: now))
  }

  /// Has the cluster's store told again of what it was told in the last minutes: another server has taken its place.
  package func uploadAgain(at now: WallInstant) {
    backlog.append(.uploadAgain(since: now - StoreMark.kept))
  }

  /// Files what this node is to remember of its cluster, at once.
  package func keep(_ memory: NodeMemory) {
    isPressing = true
    backlog.append(.node(memory))
  }

  /// The oldest records that the cluster's store may not have, at most `limit`. Marks of entries that were forgotten are dropped.
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
