import TimelineCore
import TimelineEngine

// Writes of pending changes, and the handling of their failures.
extension Ledger {
  /// Writes all pending changes in one transaction, so that they survive the death of the process. Waits for the disk only if an
  /// entry was started whose claim was not on the disk.
  ///
  /// Changes that cannot be written stay in memory, within a bound, and are retried in portions with the next commits. Until
  /// then only the watermarks of jobs are written, in place of the existing ones, which is possible on a full disk. An entry
  /// that is started in this time is therefore not run again after a crash. Throws ``LedgerError/refused(path:doing:reason:)``
  /// if all but one record was written.
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

  /// Performs ``commit()``, unless the commit would wait for a thread that uses the file. Changes that a client waits for, and
  /// a backlog at its limit, are not postponed.
  package func commitSoon() throws(LedgerError) {
    if isSyncing, !isAwaited { return }
    try commit()
  }

  /// Whether pending changes must be written at once: a client waits for them, there are many of them, or a transaction is
  /// open.
  var isAwaited: Bool {
    mustSync || isPressing || backlog.changes.count >= Backlog.countMax
      || !isSyncing && heldDatabase.isInTransaction
  }

  /// Whether ``commit()`` would write something.
  var hasGathered: Bool { !isUpToDate || claims.isDue }

  /// Whether all recorded changes are in the file.
  package var isUpToDate: Bool { backlog.changes.isEmpty && backingOff.isEmpty && !numbers.isDue }

  /// Whether changes wait because they could not be written.
  package var isBehind: Bool { backlog.isBehind }

  /// Number of outcomes that are in memory and not in the file yet; O(pending changes).
  package var unwrittenEntryCount: Int {
    backlog.changes.count { if case .settle = $0 { true } else { false } }
  }

  /// Whether ``amend(jobs:gone:at:)`` suffices for a reload: no failed write is pending, and no configuration was dropped.
  package var takesAmendments: Bool { !backlog.isBehind && !backlog.lacksConfiguration }

  /// Number of changes that were dropped the last time that writing failed.
  package var droppedChangeCount: Int { backlog.droppedCount }

  /// Writes everything, including counts, and closes the file. The ledger cannot be used afterwards.
  package func close() throws(LedgerError) {
    defer { database.close() }
    // The log is synced again below in any case.
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
      // The remaining reserve is for watermarks.
      if database.isShort { throw .full(path: database.path) }
    }
    do throws(LedgerError) {
      return try writeAtOnce(count)
    } catch {
      // A log that cannot grow can be written into the file, which has a reserve. The log then restarts in its present space.
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
            // A watermark may be lowered, and earlier changes must not raise it again.
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
        // The error of the failed write is reported to the operator. This write only mitigates it.
        if !isSecondTime { try? database.checkpoint() }
      }
    }
  }

  /// Bounds the file like a full disk; for tests.
  func limit(pages: Int) throws(LedgerError) {
    try database.execute("PRAGMA max_page_count=\(pages)")
  }
}
