package import TimelineCore
package import TimelineEngine

// What an earlier daemon left.
extension Ledger {
  /// What an earlier daemon left.
  package struct Memory: Sendable {
    /// For each job whose schedule is still the same, the nominal instant of its last entry that is settled or open, or the last
    /// instant before it was first seen if that is later; never after now. What fell due since was missed.
    package var lastSettled: [JobName: WallInstant] = [:]
    /// Runs whose end nobody has filed, oldest first; whether their hosts are alive is not the ledger's to know.
    package var open: [OpenRun] = []
    /// Since when jobs are paused.
    package var paused: [JobName: WallInstant] = [:]
    /// The highest number of a run that any daemon has given, and those in ``open`` that have no other.
    package var lastRun = RunID(number: 0)
    /// Entries that waited for their turn when the daemon died, now settled: nobody would come back to them.
    package var passedOver: [EntryRecord] = []
  }

  /// What becomes of an entry without a disposition.
  private enum Fate {
    /// It runs, or ran, or may have.
    case open
    /// It did not run, and the job stands before it: the missed policy will come to it.
    case givenUp
    /// It did not run, and the job has gone past it.
    case passedOver
  }

  /// Tells what an earlier daemon left, and gives up its claims; called once, after the first ``adopt(jobs:at:)``.
  ///
  /// An entry that had been started is open. So is one with an intent from another boot: it may have been started, and the loss
  /// of power took the note of it; it gets a run's number of its own. So is one that is to be run at least once, had been claimed
  /// and was waiting for its turn when the job had gone past it already. Everything else that was claimed was not run.
  package func recall(at now: WallInstant) throws(LedgerError) -> Memory {
    try commit()
    var memory = Memory()
    var rows: [OpenRow] = []
    var missed: [EntryKey] = []
    try database.transaction { () throws(LedgerError) in
      try readJobs(into: &memory, now)
      try database.run(
        """
        SELECT job, nominal, cause, started_at, attempts, entry_count, run, claimed_in, intended_at FROM entry
          WHERE disposition IS NULL ORDER BY nominal, job
        """
      ) { row in
        if let row = OpenRow(row) { rows.append(row) }
      }
      for row in rows {
        switch fate(of: row, memory) {
        case .open: memory.open.append(row.run(numberedAfter: &memory.lastRun))
        case .givenUp: try database.run(.dropEntry, row.entry.values)
        case .passedOver: missed.append(row.entry)
        }
      }
    }
    numbers = RunNumbers(
      highest: memory.lastRun.number, reserved: memory.lastRun.number, filed: memory.lastRun.number)
    for run in memory.open { remember(run, in: &memory, now) }
    for entry in missed {
      let record = EntryRecord(
        entry: entry, disposition: .missed, reason: "timelined died before its turn came", endedAt: now)
      settle(record)
      memory.passedOver.append(record)
    }
    try commit()
    return memory
  }

  private func fate(of row: OpenRow, _ memory: Memory) -> Fate {
    if row.startedAt != nil { return .open }
    let isOfThisBoot = boot != nil && row.boot == boot
    if row.isIntended, !isOfThisBoot { return .open }
    guard let stand = memory.lastSettled[row.entry.job], row.entry.nominal <= stand else { return .givenUp }
    return delivery(of: row.entry.job) == .atLeastOnce ? .open : .passedOver
  }

  /// Notes that an open run's entry is behind the job, which must not come to it as missed.
  private func remember(_ run: OpenRun, in memory: inout Memory, _ now: WallInstant) {
    var notes = RunNotes(entry: run.entry, number: max(1, run.attempts), startedAt: run.startedAt)
    notes.isOfEarlierDaemon = true
    runs[run.run] = notes
    guard run.cause.isOfSchedule, let stand = memory.lastSettled[run.entry.job] else { return }
    memory.lastSettled[run.entry.job] = max(stand, min(run.entry.nominal, now))
  }

  private func readJobs(into memory: inout Memory, _ now: WallInstant) throws(LedgerError) {
    // A clock that was once set far ahead must not silence a job until then; what was settled there is not run again,
    // for its claim is lost.
    try database.run(
      """
      SELECT name, min(max(coalesce(last_settled, known_since - 1), known_since - 1), ?), paused_since FROM job
        WHERE known_since IS NOT NULL
      """, [.integer(now.nanosecondsSinceEpoch)]
    ) { row in
      guard let job = JobName(row.text(0)) else { return }
      memory.lastSettled[job] = WallInstant(nanosecondsSinceEpoch: row.integer(1))
      memory.paused[job] = row.optionalInteger(2).map(WallInstant.init(nanosecondsSinceEpoch:))
    }
    try database.run(
      """
      SELECT max(coalesce((SELECT max(run) FROM entry WHERE run IS NOT NULL), 0),
        coalesce((SELECT value FROM mark WHERE name = 'last run'), 0))
      """
    ) { memory.lastRun = RunID(number: UInt64(bitPattern: max(0, $0.integer(0)))) }
  }
}

/// An entry without a disposition.
private struct OpenRow {
  var entry: EntryKey
  var cause: RunCause
  var startedAt: WallInstant?
  var attempts: Int
  var entryCount: Int
  var number: RunID?
  var boot: Int64?
  var isIntended: Bool

  init?(_ row: borrowing Row) {
    guard let job = JobName(row.text(0)) else { return nil }
    entry = EntryKey(job: job, nominal: WallInstant(nanosecondsSinceEpoch: row.integer(1)))
    cause = RunCause(rawValue: row.text(2)) ?? .schedule
    startedAt = row.optionalInteger(3).map(WallInstant.init(nanosecondsSinceEpoch:))
    attempts = Int(row.integer(4))
    entryCount = max(1, Int(row.integer(5)))
    number = row.optionalInteger(6).map { RunID(number: UInt64(bitPattern: $0)) }
    boot = row.optionalInteger(7)
    isIntended = row.optionalInteger(8) != nil
  }

  /// The run, with the next number if it has none.
  func run(numberedAfter last: inout RunID) -> OpenRun {
    if number == nil { last.number += 1 }
    return OpenRun(
      run: number ?? last, entry: entry, cause: cause,
      attempts: startedAt == nil && !isIntended ? 0 : max(1, attempts),
      startedAt: startedAt ?? entry.nominal, entryCount: entryCount)
  }
}
