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
  /// Time for the next call of ``writeIntents(at:)``; `nil` when no at-most-once entry needs it.
  package var nextIntent: WallInstant? { isDurable ? claims.next : nil }

  /// Whether the first attempt may be on its way only when the disk knows of it: its job is to run at most once, and its intent is
  /// not on the disk yet.
  package func needsDisk(before attempt: Attempt) -> Bool {
    guard isDurable, attempt.cause.isOfSchedule else { return false }
    let job = jobs.number(of: attempt.entry.job)
    return !jobs.isAtLeastOnce(job)
      && claims.claim(of: attempt.entry.nominal, of: job).map { !waits.isOnDisk($0.wait) } ?? false
  }

  /// Whether ``needsDisk(before:)`` is false for all that starts at `now`, seen without looking at any of it.
  package func isReady(at now: WallInstant) -> Bool {
    waits.areAllOver && nextIntent.map { $0 > now } ?? true
  }

  /// Writes the intent of all claimed entries that are due soon, in one transaction. They are on the disk when a wait that begins
  /// after that has ended; see ``beginDiskWork(on:isQuiet:)``.
  package func writeIntents(at now: WallInstant) throws(LedgerError) {
    if claims.intend(at: now, before: waits.next) { waits.want() }
    try commitSoon()
  }

  /// Writes the intents and waits for the disk here.
  package func intend(at now: WallInstant) throws(LedgerError) {
    if claims.intend(at: now, before: waits.next) { waits.want() }
    if waits.isWanted { mustSync = true }
    try commit()
  }

  /// Lends the file to `thread` for what is to be waited for: that the disk has the intents that are written, that a log that has
  /// grown long is put into the file, in a moment in which nothing is due (`isQuiet`) or when none has come for too long, or in such
  /// a moment that the disk has a new file. Gives whether there was anything of that.
  ///
  /// Until ``finishSync()`` everything goes on, but what needs the file waits for the thread; ``commitSoon()`` does not need it.
  package func beginDiskWork(on thread: any LedgerThread, isQuiet: Bool) -> Bool {
    guard loan == nil, let kind = takeDiskWork(isQuiet: isQuiet) else { return false }
    waits.begin()
    let work = DiskWork(kind, of: heldDatabase)
    loan = BackgroundSync(work: work, thread: thread)
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
    guard isDurable, !claims.isDue, !backlog.isBehind, !heldDatabase.isInTransaction else { return nil }
    if isRoundOver || (isQuiet ? heldDatabase.hasLongLog : heldDatabase.hasOverlongLog) {
      isRoundOver = false
      return .checkpoint
    }
    // Without power a new file would be left half made, and the next daemon would have to take it for damaged.
    return waits.isWanted || (isQuiet && heldDatabase.isNew) ? .sync : nil
  }

  /// Takes the file back, waiting for the thread that has it; throws what went wrong there, once.
  package func finishSync() throws(LedgerError) {
    endSync()
    if let error = failure.take() { throw error }
  }

  /// Throws ``LedgerError/moved(path:)`` if the next daemon will not find this file; one that is with another thread is not looked at.
  package func checkPlace() throws(LedgerError) {
    if loan == nil, heldDatabase.hasMoved { throw .moved(path: heldDatabase.path) }
  }

  /// Whether the file is with another thread.
  package var isSyncing: Bool { loan != nil }

  /// Has whoever needs the file wait for the thread that has it. What went wrong there is told by ``finishSync()``.
  func endSync() {
    guard let loan else { return }
    loan.thread.wait()
    self.loan = nil
    endWait(loan.work)
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

/// The file while it is with a thread.
struct BackgroundSync {
  let work: DiskWork
  let thread: any LedgerThread
}

/// Work on a ledger's file that another thread can do, and its result.
///
/// Safe although it hands over what is not Sendable: between ``Ledger/beginDiskWork(on:isQuiet:)`` and the end of the loan the
/// ledger touches neither the database, which it has behind ``Ledger/database``, nor ``outcome``; and beginning work and
/// waiting for it each make known to one thread what the other has written.
final class DiskWork: @unchecked Sendable {
  enum Kind { case sync, checkpoint }

  private let kind: Kind
  private let database: Database
  private(set) var outcome: Result<Void, LedgerError>?

  init(_ kind: Kind, of database: Database) { (self.kind, self.database) = (kind, database) }

  func run() {
    outcome = Result { () throws(LedgerError) in
      switch kind {
      case .sync: try database.syncLog()
      case .checkpoint: try database.shortenLog()
      }
    }
  }
}
