import TimelineCore
import TimelineEngine
import TimelineLedger
import TimelineSystem

// Records of starts before plugins are called, so that nothing else need be done before.
extension LedgerWriter {
  /// Number of starts noted in one write: few enough that the first of a great many does not wait for the last.
  static let startsPerNote = 512

  /// Makes the starts in a row among `effects` from `index` on known to a next daemon; returns the index of their end.
  ///
  /// A note is enough until the ledger is written next, unless the intent of one that may run only once is not on the disk by now:
  /// then the ledger is written, and waited for, first.
  func recordStartsAhead(_ effects: [EngineEffect], from index: Int) -> Int {
    var end = index
    noted.removeAll(keepingCapacity: true)
    while end < effects.count, noted.count < Self.startsPerNote, case .start(let attempt) = effects[end] {
      noted.append(attempt)
      end += 1
    }
    if let notes, haveIntents(noted) || haveIntentsInTheEnd(noted),
      notes.note(noted[...], hasRow: ledger.hasRow(for:), isOpen: { ledger.isOpen($0.run) })
    {
      return end
    }
    while end < effects.count, case .start(let attempt) = effects[end] {
      noted.append(attempt)
      end += 1
    }
    for attempt in noted {
      ledger.start(attempt, isNoted: false)
      written.insert(attempt.run)
    }
    commit()
    return end
  }

  /// Whether none of the starts has to wait for the disk.
  private func haveIntents(_ attempts: [Attempt]) -> Bool {
    ledger.isReady(at: now()) || !attempts.contains(where: ledger.needsDisk)
  }

  /// Whether none has to wait any more when the wait is over that is under way, which a slow disk has not answered in time.
  private func haveIntentsInTheEnd(_ attempts: [Attempt]) -> Bool {
    guard ledger.isSyncing else { return false }
    attempt { () throws(LedgerError) in try ledger.finishSync() }
    return haveIntents(attempts)
  }

  /// Has the ledger note a start that was made, unless it has it already.
  func note(_ attempt: Attempt) {
    if written.isEmpty || written.remove(attempt.run) == nil { ledger.start(attempt) }
    if ledger.hasWatermarksToSave { saveWatermarksSoon() }
  }

  /// Takes back what was made known of a start that is not made for want of a plugin host.
  func unstart(_ attempt: Attempt) {
    written.remove(attempt.run)
    notes?.unstart(attempt)
    ledger.unstart(attempt)
  }

  /// Recalls what an earlier daemon left, and tells the ledger of the starts that it noted and perhaps did not live to write.
  func recallStarts(at now: WallInstant) throws(LedgerError) -> Ledger.Memory {
    let bootedAt = now - ElapsedTime(nanoseconds: monotonic().nanosecondsSinceBoot)
    guard let notes else { return try ledger.recall(at: now) }
    let startsAreLost = notes.readFault != nil
    var memory = try ledger.recall(at: now, startsAreLost: startsAreLost, bootedAt: bootedAt)
    tellOfFaults(notes, at: now)
    if startsAreLost, !(try ledger.assumeStarted(upTo: now).isEmpty) {
      memory = try ledger.recall(at: now, startsAreLost: true, bootedAt: bootedAt)
    }
    guard !notes.left.isEmpty else { return memory }
    notes.adopt(try ledger.recover(notes.left, ended: notes.ended))
    memory = try ledger.recall(at: now, bootedAt: bootedAt)
    forgetNotes()
    return memory
  }

  private func tellOfFaults(_ notes: StartLog, at now: WallInstant) {
    if let fault = notes.readFault {
      announcer.announce(
        .warning,
        "start log \(fault.subject): \(fault.reason): starts of the previous daemon are not known; at-most-once entries due by now that may have started are not run again, and end as unknown"
      )
    }
    if let fault = notes.writeFault {
      let remedy = fault.remedyText ?? "make it a file that timelined can write, and restart timelined"
      announcer.announce(
        .warning,
        "start log \(fault.subject): \(fault.reason): each start is written to the ledger first; \(remedy)")
    }
  }

  /// Forgets the notes once the ledger has everything.
  func forgetNotes() {
    if ledger.isUpToDate, !ledger.hasWatermarksToSave { notes?.clear() }
  }
}
