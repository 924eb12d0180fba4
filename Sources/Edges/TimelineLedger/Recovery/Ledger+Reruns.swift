package import TimelineCore
package import TimelineEngine

// Reruns of entries.
extension Ledger {
  /// Records that the entry at `entry` is a rerun. Comes before the claim of this entry.
  package func note(_ rerun: RerunOrigin, at entry: EntryKey) {
    isPressing = true
    backlog.append(.rerun(rerun, at: entry))
  }

  /// Returns the number of the next rerun of an entry: numbers count from 1, and none is used twice.
  package func nextRerunNumber(of entry: EntryKey) throws(LedgerError) -> Int {
    try writeBeforeReading()
    var last = try RerunRow.lastNumber(of: entry, in: database)
    for case .rerun(let rerun, at: let own) in backlog.changes
    where own.job == entry.job && rerun.of == entry.nominal {
      last = max(last, rerun.number)
    }
    return last + 1
  }

  /// Returns the reruns of an entry, the latest first, as far as their entries are kept.
  package func reruns(of entry: EntryKey, limit: Int) throws(LedgerError) -> [LedgerEntry] {
    try writeBeforeReading()
    var found: [LedgerEntry] = []
    for nominal in try RerunRow.reruns(of: entry, limit: limit, in: database) {
      if let rerun = try self.entry(of: entry.job, at: nominal) { found.append(rerun) }
    }
    return found
  }

  /// Returns the outcomes of repetitions, by the entries of a job from `start` to before `end` that they repeat: a success, or
  /// the outcome of the last repetition that has ended.
  package func repetitions(
    of job: JobName, from start: WallInstant, to end: WallInstant
  ) throws(LedgerError) -> [WallInstant: Outcome] {
    try writeBeforeReading()
    var found: [WallInstant: Outcome] = [:]
    try database.run(
      """
      SELECT repeated, outcome FROM rerun INDEXED BY rerun_repeated WHERE job = ?1 AND repeated >= ?2 AND repeated < ?3
        AND outcome IS NOT NULL ORDER BY repeated, number
      """, [job.value, .instant(start), .instant(end)]
    ) { row in
      let repeated = WallInstant(nanosecondsSinceEpoch: row.integer(0))
      if found[repeated] != .succeeded { found[repeated] = Outcome(rawValue: row.text(1)) ?? .unknown }
    }
    return found
  }

  /// Returns the records of a job's schedule from `start` to before `end`, ascending: of started entries, and of entries with an
  /// outcome. A record of several entries counts by its last entry.
  package func scheduleRecords(
    of job: JobName, from start: WallInstant, to end: WallInstant, limit: Int
  ) throws(LedgerError) -> [LedgerEntry] {
    try writeBeforeReading()
    return try entries(
      """
      entry INDEXED BY entry_job WHERE job = ?1 AND nominal >= ?2 AND nominal < ?3 AND cause IN \(RunCause.ofSchedule)
        ORDER BY nominal LIMIT ?4
      """, [job.value, .instant(start), .instant(end), .integer(Int64(limit))], hasDetails: false)
  }

  /// Returns the reruns since `start`, by their own entries, including those that are still to be written.
  func reruns(since start: WallInstant) throws(LedgerError) -> [EntryKey: RerunOrigin] {
    var found = try RerunRow.read(since: start, from: database)
    for case .rerun(let rerun, at: let entry) in backlog.changes { found[entry] = rerun }
    return found
  }
}
