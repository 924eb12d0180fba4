package import TimelineCore
package import TimelineEngine

/// A thread that does one piece of work at a time beside the one that uses the ledger.
package protocol LedgerThread: AnyObject {
  /// Has the thread do `work`; whoever began it is told when it is done, and then calls ``Ledger/finishSync()``.
  func begin(_ work: @escaping @Sendable () -> Void)
  /// Blocks until the work under way is done; what it has written is seen then.
  func wait()
}

// The waits for the disk, ahead of what depends on them, and where they are done.
extension Ledger {
  /// Time for the next call of ``writeClaims(at:)``; `nil` when no at-most-once entry needs it.
  var nextClaim: WallInstant? { isDurable ? claims.next : nil }

  /// Whether the first attempt may be on its way only when the disk knows of it: its job is to run at most once, and its claim is
  /// not on the disk yet.
  package func needsDisk(before attempt: Attempt) -> Bool {
    guard isDurable, attempt.cause.isOfSchedule else { return false }
    let job = jobs.number(of: attempt.entry.job)
    return !jobs.isAtLeastOnce(job)
      && claims.claim(of: attempt.entry.nominal, of: job).map { !waits.isOnDisk($0.wait) } ?? false
  }

  /// Whether ``needsDisk(before:)`` is false for all that starts at `now`, seen without looking at any of it.
  package func isReady(at now: WallInstant) -> Bool {
    waits.areAllOver && nextClaim.map { $0 > now } ?? true
  }

  /// Writes the claims of all entries that are due soon, in one transaction. They are on the disk when a wait that begins after that
  /// has ended; see ``beginDiskWork(on:isQuiet:)``.
  package func writeClaims(at now: WallInstant) throws(LedgerError) {
    if claims.makeStartable(at: now, before: waits.next) { waits.want() }
    try commitSoon()
  }

  /// Writes the claims of all entries that are due soon, and waits for the disk here.
  package func syncClaims(at now: WallInstant) throws(LedgerError) {
    if claims.makeStartable(at: now, before: waits.next) { waits.want() }
    if waits.isWanted { mustSync = true }
    try commit()
  }

  /// Work that the file needs: that the disk has the claims that are written, that a log that has grown long is put into the file, in
  /// a quiet moment or when none has come for too long, or in a quiet moment that the disk has a new file.
  var diskNeed: LedgerNeeds.Disk {
    guard isDurable, !isSyncing, !claims.isDue, !backlog.isBehind, !heldDatabase.isInTransaction else {
      return .nothing
    }
    if wantsCheckpoint || waits.isWanted || heldDatabase.hasOverlongLog { return .atOnce }
    // Without power a new file would be left half made, and the next daemon would have to take it for damaged.
    return heldDatabase.hasLongLog || heldDatabase.isNew ? .whenQuiet : .nothing
  }

  /// Gives the file to `thread` for what ``LedgerNeeds/disk`` asks for, in a moment in which nothing is due (`isQuiet`) or not.
  /// Returns whether there was anything of that.
  ///
  /// Until ``finishSync()`` everything goes on, but what needs the file waits for the thread; ``commitSoon()`` does not need it.
  package func beginDiskWork(on thread: any LedgerThread, isQuiet: Bool) -> Bool {
    guard let kind = takeDiskWork(isQuiet: isQuiet) else { return false }
    waits.begin()
    let work = DiskWork(kind, of: heldDatabase)
    backgroundSync = BackgroundSync(work: work, thread: thread)
    thread.begin { work.run() }
    return true
  }

  /// Does here what ``beginDiskWork(on:isQuiet:)`` has a thread do.
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

  /// Takes the file back, waiting for the thread that has it; throws what went wrong there, once.
  package func finishSync() throws(LedgerError) {
    endSync()
    if let error = failure.take() { throw error }
  }

  /// Throws ``LedgerError/moved(path:)`` if the next daemon will not find this file; one that is with another thread is not looked at.
  package func checkPlace() throws(LedgerError) {
    if !isSyncing, heldDatabase.hasMoved { throw .moved(path: heldDatabase.path) }
  }

  /// Whether the file is with another thread.
  package var isSyncing: Bool { backgroundSync != nil }

  /// Has whoever needs the file wait for the thread that has it. What went wrong there is told by ``finishSync()``.
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

  /// Waits for the disk here, for all that was written.
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
