import TimelineCore
import TimelineEngine

// Writes of gathered changes, and the handling of their failures.
extension Ledger {
  /// Writes all that has gathered in one transaction, so that it survives the death of the process; waits for the disk only if
  /// something was started whose claim was not there.
  ///
  /// Changes that cannot be written stay in memory, within a bound, and are tried again with the next commit, in portions. Meanwhile only
  /// the watermarks of jobs are written, over what is there already, for which a full disk has room: an entry that was started
  /// then is not run again after a crash. Throws ``LedgerError/refused(path:doing:reason:)`` when all but one record was
  /// written.
  package func commit() throws(LedgerError) {
    for run in backingOff {
      if let attempt = runs[run]?.attempt { backlog.append(.attempt(run, attempt)) }
    }
    backingOff.removeAll(keepingCapacity: true)
    isPressing = false
    if !backlog.changes.isEmpty || numbers.isDue || claims.isDue {
      if backlog.isBehind {
        try write(Backlog.firstPortion)
        try write(Backlog.nextPortion)
      } else {
        try write(.max)
      }
    }
    if mustSync { try waitForDisk() }
  }

  /// Does what ``commit()`` does, or leaves it for later where that would mean to wait for a thread that has the file: not what
  /// somebody is told is done, nor more than would be kept while nothing can be written.
  package func commitSoon() throws(LedgerError) {
    if isSyncing, !isAwaited { return }
    try commit()
  }

  /// Whether what has gathered is to be written at once: somebody waits for it, it has become much, or a transaction is open.
  var isAwaited: Bool {
    mustSync || isPressing || backlog.changes.count >= Backlog.countMax
      || !isSyncing && heldDatabase.isInTransaction
  }

  /// Whether ``commit()`` would write something.
  var hasGathered: Bool { !isUpToDate || claims.isDue }

  /// Whether everything that it was told is in the file.
  package var isUpToDate: Bool { backlog.changes.isEmpty && backingOff.isEmpty && !numbers.isDue }

  /// Whether something waits because it could not be written.
  package var isBehind: Bool { backlog.isBehind }

  /// Number of outcomes that are in memory and not in the file yet; O(changes that wait).
  package var unwrittenEntryCount: Int {
    backlog.changes.count { if case .settle = $0 { true } else { false } }
  }

  /// Whether ``amend(jobs:gone:at:)`` is enough to take in a reload: nothing waits to be written, and no configuration was given up.
  package var takesAmendments: Bool { !backlog.isBehind && !backlog.lacksConfiguration }

  /// Number of changes dropped while writing last failed.
  package var droppedChangeCount: Int { backlog.droppedCount }

  /// Writes everything, counts included, and lets go of the file; the ledger is of no use after that.
  package func close() throws(LedgerError) {
    defer { database.close() }
    // The log is synced once more below, in one way or another.
    try? finishSync()
    database.giveUpReserve()
    claims.refresh()
    claims.endUnstarted()
    repeat { try commit() } while backlog.isBehind
    try fileCounts(ofJobs: .max)
    numbers.reserved = numbers.highest
    try database.transaction { () throws(LedgerError) in
      try fileNumber()
      try fileAttended()
      try database.run("DELETE FROM mark WHERE name = 'running in boot'")
    }
  }

  private func write(_ countMax: Int) throws(LedgerError) {
    let count = min(countMax, backlog.changes.count)
    let outcome: WriteOutcome
    do throws(LedgerError) {
      outcome = try writeMakingRoom(count)
    } catch {
      backlog.fallBehind()
      saveWatermarksAlone()
      throw error
    }
    numbers.filed = numbers.reserved
    backlog.didWrite(count)
    claims.didWrite()
    contradictionCount += outcome.contradictionCount
    if let refusal = outcome.refusal { throw refusal }
  }

  /// Result of a transaction that was written.
  private struct WriteOutcome {
    var refusal: LedgerError?
    var contradictionCount = 0
  }

  private func writeMakingRoom(_ count: Int) throws(LedgerError) -> WriteOutcome {
    if database.isShort {
      database.reserve()
      // What there is of a reserve is for watermarks.
      if database.isShort { throw .full(path: database.path) }
    }
    do throws(LedgerError) {
      return try writeAtOnce(count)
    } catch {
      // A log that cannot grow can be put into the file, which has a reserve, and begin anew in the room that it has.
      guard case .full = error, database.hasLog else { throw error }
      try? database.checkpoint()
      if database.isShort { throw error }
      return try writeAtOnce(count)
    }
  }

  private func writeAtOnce(_ count: Int) throws(LedgerError) -> WriteOutcome {
    var outcome = WriteOutcome()
    let database = database
    // Written once for all changes of a job.
    var progress: [JobName: JobProgress] = [:]
    try database.transaction { () throws(LedgerError) in
      for change in backlog.changes[..<count] {
        do throws(LedgerError) {
          if case .setWatermarks(let watermarks) = change {
            // A watermark may be lower than before, which an earlier change must not undo.
            for job in watermarks.map(\.job) {
              try progress.removeValue(forKey: job)?.write(of: job, to: database)
            }
          }
          if try !change.write(to: database) { outcome.contradictionCount += 1 }
          if let (job, watermark, cursor) = change.progress {
            progress[job, default: JobProgress()].add(watermark, cursor)
          }
        } catch {
          guard case .refused = error else { throw error }
          outcome.refusal = error
        }
      }
      for (job, reached) in progress { try reached.write(of: job, to: database) }
      try fileNumber()
      try fileAttended()
      if claims.isDue { try database.run(.claims, [.text(claims.text(jobs))]) }
    }
    return outcome
  }

  private func fileNumber() throws(LedgerError) {
    guard numbers.reserved != numbers.filed else { return }
    try database.run(.mark, [.text("last run"), .integer(Int64(bitPattern: numbers.reserved))])
  }

  private func saveWatermarksAlone() {
    guard backlog.hasWatermarksToSave else { return }
    for isSecondTime in [false, true] {
      do {
        try database.transaction { () throws(LedgerError) in
          for (job, nominal) in backlog.watermarks {
            try JobProgress(watermark: nominal).write(of: job, to: database)
          }
        }
        return backlog.didSaveWatermarks()
      } catch {
        // The failure before it is what the operator is told; this is only its mitigation.
        if !isSecondTime { try? database.checkpoint() }
      }
    }
  }

  /// Bounds the file, as a full disk would; for tests.
  func limit(pages: Int) throws(LedgerError) {
    try database.execute("PRAGMA max_page_count=\(pages)")
  }
}
