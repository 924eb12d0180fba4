package import TimelineCore
package import TimelineEngine

/// A thread that does one piece of work at a time, in addition to the thread that uses the ledger.
package protocol LedgerThread: AnyObject {
  /// Begins `work` on the thread. After the work, the owner of the ledger is notified and calls ``Ledger/finishSync()``.
  func begin(_ work: @escaping @Sendable () -> Void)
  /// Blocks until the current work is done. The writes of the work are visible afterwards.
  func wait()
}

// Syncs, the starts that depend on them, and the thread on which they are done.
extension Ledger {
  /// Time for the next call of ``writeClaims(at:)``; `nil` if no at-most-once entry needs the call.
  var nextClaim: WallInstant? { isDurable ? claims.next : nil }

  /// Whether the first attempt must not start yet: its job runs at most once, and its claim is not on the disk yet.
  package func needsDisk(before attempt: Attempt) -> Bool {
    guard isDurable, attempt.cause.isOfSchedule else { return false }
    let job = jobs.number(of: attempt.entry.job)
    return !jobs.isAtLeastOnce(job)
      && claims.claim(of: attempt.entry.nominal, of: job).map { !waits.isOnDisk($0.wait) } ?? false
  }

  /// Whether ``needsDisk(before:)`` is false for every start at `now`. Does not check each start.
  package func isReady(at now: WallInstant) -> Bool {
    waits.areAllOver && nextClaim.map { $0 > now } ?? true
  }

  /// Writes the claims of all entries that are due soon, in one transaction. They are on the disk after a sync that begins later;
  /// see ``beginDiskWork(on:isQuiet:)``.
  package func writeClaims(at now: WallInstant) throws(LedgerError) {
    if claims.makeStartable(at: now, before: waits.next) { waits.want() }
    try commitSoon()
  }

  /// Writes the claims of all entries that are due soon, and syncs them here.
  package func syncClaims(at now: WallInstant) throws(LedgerError) {
    if claims.makeStartable(at: now, before: waits.next) { waits.want() }
    if waits.isWanted { mustSync = true }
    try commit()
  }

  /// Disk work that the file needs: a sync of written claims, a checkpoint of a long log, or a sync of a new file. The log
  /// and the new file wait for a quiet moment, but an overlong log does not.
  var diskNeed: LedgerNeeds.Disk {
    guard isDurable, !isSyncing, !claims.isDue, !backlog.isBehind, !heldDatabase.isInTransaction else {
      return .nothing
    }
    if wantsCheckpoint || waits.isWanted || heldDatabase.hasOverlongLog { return .atOnce }
    // A loss of power would leave a new file incomplete, and the next daemon would regard it as damaged.
    return heldDatabase.hasLongLog || heldDatabase.isNew ? .whenQuiet : .nothing
  }

  /// Passes the file to `thread` for the work in ``LedgerNeeds/disk``. `isQuiet` is true if nothing is due at the moment.
  /// Returns whether there was work.
  ///
  /// Until ``finishSync()`` the ledger can be used, but access to the file waits for the thread. ``commitSoon()`` needs no
  /// access.
  package func beginDiskWork(on thread: any LedgerThread, isQuiet: Bool) -> Bool {
    guard let kind = takeDiskWork(isQuiet: isQuiet) else { return false }
    waits.begin()
    let work = DiskWork(kind, of: heldDatabase)
    backgroundSync = BackgroundSync(work: work, thread: thread)
    thread.begin { work.run() }
    return true
  }

  /// Does the work of ``beginDiskWork(on:isQuiet:)`` here.
  package func doDiskWork(isQuiet: Bool) throws(LedgerError) {
    guard let kind = takeDiskWork(isQuiet: isQuiet) else { return }
    let work = DiskWork(kind, of: database)
    waits.begin()
    work.run()
    endWait(work)
    try finishSync()
  }

  private func takeDiskWork(isQuiet: Bool) -> DiskWork.Kind? {
    switch diskNeed {
    case .atOnce: break
    case .whenQuiet where isQuiet: break
    default: return nil
    }
    defer { wantsCheckpoint = false }
    let isLong = isQuiet ? heldDatabase.hasLongLog : heldDatabase.hasOverlongLog
    return wantsCheckpoint || isLong ? .checkpoint : .sync
  }

  /// Waits for the thread that uses the file, and takes the file back. Throws the error of the thread's work, once.
  package func finishSync() throws(LedgerError) {
    endSync()
    if let error = failure.take() { throw error }
  }

  /// Throws ``LedgerError/moved(path:)`` if the next daemon will not find this file. Does not check while another thread uses
  /// the file.
  package func checkPlace() throws(LedgerError) {
    if !isSyncing, heldDatabase.hasMoved { throw .moved(path: heldDatabase.path) }
  }

  /// Whether another thread uses the file.
  package var isSyncing: Bool { backgroundSync != nil }

  /// Waits for the thread that uses the file. ``finishSync()`` throws the error of its work.
  func endSync() {
    guard let sync = backgroundSync.take() else { return }
    sync.thread.wait()
    endWait(sync.work)
  }

  private func endWait(_ work: DiskWork) {
    switch work.outcome {
    case .success: waits.end(isOnDisk: true)
    case .failure(let error):
      waits.end(isOnDisk: false)
      failure = error
    case nil: preconditionFailure("work that is done has an outcome")
    }
  }

  /// Syncs all written changes here.
  func waitForDisk() throws(LedgerError) {
    let database = database
    waits.begin()
    var isOnDisk = false
    defer { waits.end(isOnDisk: isOnDisk) }
    try database.syncLog()
    isOnDisk = true
    mustSync = false
  }
}
