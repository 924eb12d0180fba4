package import TimelineCore
import TimelineEngine

/// Limits of the entries that are kept.
package struct LedgerRetention: Sendable, Equatable {
  /// Maximum time since the end of an entry. Older entries are dropped.
  package var age: ElapsedTime
  /// Number of newest entries that are kept of each job; at least 1.
  package var entriesPerJob: Int

  /// Makes limits. The default is 30 days and 10,000 entries per job, about 2 MiB.
  package init(age: ElapsedTime = .days(30), entriesPerJob: Int = 10_000) {
    self.age = age
    self.entriesPerJob = max(1, entriesPerJob)
  }
}

// Work for idle times.
extension Ledger {
  /// Limits of one portion: jobs read, and entries dropped with their attempts and output. A portion takes about 10 ms on a
  /// slow machine, and may delay a start by this time.
  static let tidyJobCount = 4
  static let tidyEntryCount = 80

  /// Does a portion of idle work: writes counts and drops old entries. Returns whether a later iteration has more to do.
  ///
  /// `now` decides which rows are old. `elapsed` is the time since the ledger was opened, by a clock that cannot be set. If
  /// `elapsed` is given, a wall clock that has jumped far ahead is trusted only after a day.
  ///
  /// An open entry is never dropped, and dropping does not change watermarks. After the last portion of a round a checkpoint is
  /// requested, which ``beginDiskWork(on:isQuiet:)`` or ``close()`` makes.
  package func tidy(
    at now: WallInstant, elapsed: ElapsedTime? = nil, keeping retention: LedgerRetention
  ) throws(LedgerError) -> Bool {
    let now = elapsed.map { believedTime.instant(for: now, elapsed: $0) } ?? now
    claims.refresh()
    try commit()
    try fileCounts(ofJobs: Self.tidyJobCount)
    var budget = Self.tidyEntryCount
    try database.transaction { () throws(LedgerError) in
      for _ in 1...Self.tidyJobCount where budget > 0 {
        guard let job = try nextJob(after: tidyPosition) else {
          tidyPosition = ""
          try MovedRow.tidy(at: now, in: database)
          try RerunRow.tidy(at: now, keeping: retention.age, in: database)
          return
        }
        budget -= try drop(of: job, at: now, keeping: retention, countMax: budget)
        // With no budget left, this job may have more old entries.
        if budget > 0 { tidyPosition = job }
      }
    }
    let hasMore = tidyPosition != "" || budget <= 0 || counts.hasMore
    if !hasMore, database.hasLog { wantsCheckpoint = true }
    return hasMore
  }

  /// Makes a checkpoint of a long log, and waits for the disk. If something is due (not `isQuiet`), only an overlong log is
  /// shortened.
  package func shortenLog(isQuiet: Bool) throws(LedgerError) {
    guard isQuiet ? database.hasLongLog : database.hasOverlongLog else { return }
    try database.shortenLog()
  }

  private func nextJob(after name: String) throws(LedgerError) -> String? {
    var next: String?
    try database.run(
      """
      SELECT min(job) FROM (SELECT min(job) AS job FROM entry WHERE job > ?1
        UNION ALL SELECT min(job) FROM tally WHERE job > ?1)
      """, [.text(name)]
    ) { next = $0.optionalText(0) }
    return next
  }

  private func drop(
    of job: String, at now: WallInstant, keeping retention: LedgerRetention, countMax: Int
  ) throws(LedgerError) -> Int {
    let horizon = (now - retention.age).nanosecondsSinceEpoch
    try database.run("DELETE FROM tally WHERE job = ? AND hour < ?", [.text(job), .integer(horizon)])
    var beyond = Int64.min
    try database.run(
      "SELECT nominal FROM entry WHERE job = ? ORDER BY nominal DESC LIMIT 1 OFFSET ?",
      [.text(job), .integer(Int64(retention.entriesPerJob))]
    ) { beyond = $0.integer(0) }
    var old: [(nominal: Int64, run: Int64?)] = []
    // Entries that ended before the horizon fell due before it, unless the clock was set: the primary key bounds the search.
    try database.run(
      """
      SELECT nominal, run FROM entry WHERE job = ?1 AND nominal <= max(?2, ?3) AND outcome IS NOT NULL
        AND (nominal <= ?2 OR ended_at < ?3) ORDER BY nominal LIMIT ?4
      """, [.text(job), .integer(beyond), .integer(horizon), .integer(Int64(countMax))]
    ) { old.append(($0.integer(0), $0.optionalInteger(1))) }
    for entry in old {
      try database.run(.dropEntry, [.text(job), .integer(entry.nominal)])
      guard let run = entry.run else { continue }
      try database.run(.dropAttempts, [.integer(run)])
      try database.run(.dropOutput, [.integer(run)])
    }
    return old.count
  }
}

extension Database {
  /// Makes a checkpoint that is not urgent. Without room the log stays long, but nothing is lost. The first commit without
  /// room reports the full disk.
  func shortenLog() throws(LedgerError) {
    do throws(LedgerError) {
      try checkpoint()
    } catch {
      guard case .full = error else { throw error }
      putOffCheckpoint()
      try syncLog()
    }
  }
}
