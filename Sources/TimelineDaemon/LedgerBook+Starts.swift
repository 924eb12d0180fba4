import TimelineCore
import TimelineEngine
import TimelineLedger
import TimelineSystem

// What has to be known of starts before plugins are called, so that nothing else need be done before.
extension LedgerBook {
  /// How many starts are noted in one write: few enough that the first of a great many does not wait for the last.
  static let startsPerNote = 512

  /// Opens the notes of starts beside the ledger; without them the ledger itself is written before each start.
  static func openNotes(beside folder: String?) -> StartNotes? {
    guard let folder, let boot = Machine.bootIdentity else { return nil }
    return try? StartNotes(path: folder + "/starts", boot: boot)
  }

  /// Makes the starts in a row among `effects` from `index` on known to a next daemon; gives the index up to which they are.
  ///
  /// A note is enough until the ledger is written next, unless the intent of one that may run only once is not on the disk by now:
  /// then the ledger is written, and waited for, first.
  func foretell(_ effects: [EngineEffect], from index: Int) -> Int {
    var end = index
    noted.removeAll(keepingCapacity: true)
    while end < effects.count, noted.count < Self.startsPerNote, case .start(let attempt) = effects[end] {
      noted.append(attempt)
      end += 1
    }
    if let notes, haveIntents(noted) || haveIntentsInTheEnd(noted),
      isFiled(noted) || notes.note(noted[...])
    {
      return end
    }
    while end < effects.count, case .start(let attempt) = effects[end] {
      noted.append(attempt)
      end += 1
    }
    for attempt in noted {
      ledger.start(attempt)
      written.insert(attempt.run)
    }
    commit()
    return end
  }

  /// Whether the file has all that the ledger keeps of these starts: of those without a row no more than the numbers of their runs, of
  /// which it is told many at once. A note would say nothing new.
  private func isFiled(_ attempts: [Attempt]) -> Bool {
    guard ledger.isUpToDate, !attempts.contains(where: ledger.hasRow(for:)) else { return false }
    for attempt in attempts {
      ledger.start(attempt)
      written.insert(attempt.run)
    }
    return ledger.isUpToDate
  }

  /// Whether none of the starts has to wait for the disk.
  private func haveIntents(_ attempts: [Attempt]) -> Bool {
    ledger.isReady(at: now()) || !attempts.contains(where: ledger.needsDisk)
  }

  /// Whether none has to wait any more when the wait is over that is under way, which a slow disk has not answered in time.
  private func haveIntentsInTheEnd(_ attempts: [Attempt]) -> Bool {
    guard ledger.isAway else { return false }
    attempt { () throws(LedgerError) in try ledger.takeBack() }
    return haveIntents(attempts)
  }

  /// Has the ledger note a start that was made, unless it has it already.
  func note(_ attempt: Attempt) {
    if written.isEmpty || written.remove(attempt.run) == nil { ledger.start(attempt) }
  }

  /// Tells the ledger of the starts that an earlier daemon noted and perhaps did not live to write.
  func recoverStarts(of memory: Ledger.Memory, at now: WallInstant) throws(LedgerError) -> Ledger.Memory {
    guard let notes, !notes.left.isEmpty else { return memory }
    do throws(LedgerError) {
      try ledger.recover(notes.left)
    } catch {
      // What cannot be written is kept, and known to what follows.
      guard case .full = error else { throw error }
    }
    let memory = try ledger.recall(at: now)
    forgetNotes()
    return memory
  }

  /// Forgets the notes once the ledger has everything.
  func forgetNotes() {
    if ledger.isUpToDate { notes?.clear() }
  }
}
