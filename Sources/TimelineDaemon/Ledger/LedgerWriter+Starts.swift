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
  /// A note is enough until the ledger is written next, unless the claim of one that may run only once is not on the disk by now:
  /// then the ledger is written, and waited for, first.
  func recordStartsAhead(_ effects: [EngineEffect], from index: Int) -> Int {
    var starts = Self.starts(in: effects, from: index, atMost: Self.startsPerNote)
    if let startLog, haveClaims(starts) || haveClaimsAfterSync(starts),
      startLog.note(starts[...], hasRow: ledger.hasRow(for:), isOpen: { ledger.isOpen($0.run) })
    {
      return index + starts.count
    }
    starts = Self.starts(in: effects, from: index, atMost: .max)
    for attempt in starts {
      ledger.start(attempt, isNoted: false)
      writtenStarts.insert(attempt.run)
    }
    commit()
    // A loss of the ledger's log takes the commit.
    _ = startLog?.note(starts[...], hasRow: ledger.hasRow(for:), isOpen: { ledger.isOpen($0.run) })
    return index + starts.count
  }

  /// Returns the starts in a row from `index` on.
  private static func starts(
    in effects: [EngineEffect], from index: Int, atMost countMax: Int
  ) -> [Attempt] {
    var starts: [Attempt] = []
    var next = index
    while next < effects.count, starts.count < countMax, case .start(let attempt) = effects[next] {
      starts.append(attempt)
      next += 1
    }
    return starts
  }

  /// Whether none of the starts has to wait for the disk.
  private func haveClaims(_ attempts: [Attempt]) -> Bool {
    ledger.isReady(at: now()) || !attempts.contains(where: ledger.needsDisk)
  }

  /// Whether none has to wait any more when the sync is over that is under way, which a slow disk has not ended in time.
  private func haveClaimsAfterSync(_ attempts: [Attempt]) -> Bool {
    guard ledger.isSyncing else { return false }
    attempt { () throws(LedgerError) in try ledger.finishSync() }
    return haveClaims(attempts)
  }

  /// Has the ledger note a start that was made, unless it has it already.
  func note(_ attempt: Attempt) {
    if writtenStarts.isEmpty || writtenStarts.remove(attempt.run) == nil { ledger.start(attempt) }
    scheduleWatermarks()
  }

  /// Takes back what was made known of a start that is not made for want of a plugin host.
  func unstart(_ attempt: Attempt) {
    writtenStarts.remove(attempt.run)
    startLog?.unstart(attempt)
    ledger.unstart(attempt)
  }

  /// Recalls what an earlier daemon left, and tells the ledger of the starts that it noted and perhaps did not live to write.
  func recallStarts(at now: WallInstant) throws(LedgerError) -> Ledger.Memory {
    let bootedAt = now - ElapsedTime(nanoseconds: monotonic().nanosecondsSinceBoot)
    guard let startLog else { return try ledger.recall(at: now) }
    ledger.requestCheckpointAfterCrash()
    let startsAreLost = startLog.readFault != nil
    var memory = try ledger.recall(at: now, startsAreLost: startsAreLost, bootedAt: bootedAt)
    tellOfFaults(startLog)
    if startsAreLost, !(try ledger.assumeStarted(upTo: now).isEmpty) {
      memory = try ledger.recall(at: now, startsAreLost: true, bootedAt: bootedAt)
    }
    guard !startLog.left.isEmpty || !startLog.ended.isEmpty else { return memory }
    startLog.adopt(
      try ledger.recover(
        startLog.left, ended: startLog.ended, open: memory.open, claimsAreLost: loss != nil))
    memory = try ledger.recall(at: now, bootedAt: bootedAt)
    fileStartLog()
    return memory
  }

  private func tellOfFaults(_ startLog: StartLog) {
    if let fault = startLog.readFault {
      announcer.announce(
        .warning,
        "start log \(fault.subject): \(fault.reason): starts of the previous daemon are not known; at-most-once entries due by now that may have started are not run again, and end as unknown"
      )
    }
    if let fault = startLog.writeFault {
      let remedy = fault.remedyText ?? "make it a file that timelined can write, and restart timelined"
      announcer.announce(
        .warning,
        "start log \(fault.subject): \(fault.reason): each start is written to the ledger first; \(remedy)")
    }
  }
}
