import TimelineCore
import TimelineEngine
import TimelineLedger
import TimelineSystem

// Records of starts that are made before plugins are called.
extension LedgerWriter {
  /// Number of starts noted in one write: few enough that the first start of a large batch does not wait for the last.
  static let startsPerNote = 512

  /// Records the consecutive starts among `effects` from `index` on, for the next daemon. Returns the index behind them.
  ///
  /// Until the next write of the ledger, a note in the start log is enough. The ledger is written first if the starts cannot be
  /// noted, or if the claim of an at-most-once entry is not on the disk yet. In the second case the ledger is also synced.
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
    // Noted as well, because the commit is lost if the ledger's write-ahead log is lost.
    _ = startLog?.note(starts[...], hasRow: ledger.hasRow(for:), isOpen: { ledger.isOpen($0.run) })
    return index + starts.count
  }

  /// Returns the consecutive starts from `index` on.
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

  /// Waits for a sync that a slow disk has not finished in time. Returns whether none of the starts has to wait for the disk
  /// after the sync.
  private func haveClaimsAfterSync(_ attempts: [Attempt]) -> Bool {
    guard ledger.isSyncing else { return false }
    attempt { () throws(LedgerError) in try ledger.finishSync() }
    return haveClaims(attempts)
  }

  /// Records a start in the ledger, unless the ledger has it already.
  func note(_ attempt: Attempt) {
    if writtenStarts.isEmpty || writtenStarts.remove(attempt.run) == nil { ledger.start(attempt) }
    scheduleWatermarks()
  }

  /// Records which entry a rerun repeats, and writes this before the rerun is claimed: after a crash the start log has only the
  /// start.
  func note(_ origin: RerunOrigin, at entry: EntryKey) {
    ledger.note(origin, at: entry)
    commit()
  }

  /// Returns the number of the next rerun of an entry; 1 if the ledger cannot be read.
  func nextRerunNumber(of entry: EntryKey) -> Int {
    attempt { () throws(LedgerError) in try ledger.nextRerunNumber(of: entry) } ?? 1
  }

  /// Returns the records of a job's schedule in a stretch of time, ascending; none if the ledger cannot be read.
  func scheduleRecords(
    of job: JobName, from start: WallInstant, to end: WallInstant, limit: Int
  ) -> [LedgerEntry] {
    attempt { () throws(LedgerError) in
      try ledger.scheduleRecords(of: job, from: start, to: end, limit: limit)
    } ?? []
  }

  /// Returns the outcomes of repetitions, by the entries of a job in a stretch of time; none if the ledger cannot be read.
  func repetitions(
    of job: JobName, from start: WallInstant, to end: WallInstant
  ) -> [WallInstant: Outcome] {
    attempt { () throws(LedgerError) in try ledger.repetitions(of: job, from: start, to: end) } ?? [:]
  }

  /// Withdraws the records of a start that is not made because there is no plugin host.
  func unstart(_ attempt: Attempt) {
    writtenStarts.remove(attempt.run)
    startLog?.unstart(attempt)
    ledger.unstart(attempt)
  }

  /// Adds the starts to the ledger that the earlier daemon noted and may not have written to it. Returns the ledger's memory of
  /// that daemon.
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
