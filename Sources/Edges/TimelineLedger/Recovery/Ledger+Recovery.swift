package import TimelineCore
package import TimelineEngine

extension Ledger {
  /// Adds starts from an earlier daemon's start log, because the ledger may lack them. Call it after
  /// ``recall(at:startsAreLost:bootedAt:)``, and recall again. Returns the runs without a row that have not `ended`.
  ///
  /// Existing rows and outcomes in the ledger stay as they are. An entry whose run has `ended`, and whose outcome the ledger
  /// has lost, ends as unknown. Its row may be among the runs in `open`. Rows that cannot be written are kept in memory, and
  /// later queries include them. If the write-ahead log was lost (`claimsAreLost`), the claims that protect against a loss of
  /// power were lost with it. The commit then waits for the disk.
  @discardableResult
  package func recover(
    _ attempts: [Attempt], ended: Set<RunID> = [], open former: [OpenRun] = [], claimsAreLost: Bool = false
  ) throws(LedgerError) -> [Attempt] {
    if claimsAreLost, isDurable { mustSync = true }
    var open: [RunID: Attempt] = [:]
    for attempt in attempts {
      let job = jobs.number(of: attempt.entry.job)
      let hasRow = self.hasRow(job, attempt.cause)
      numbers.take(attempt.run, reserving: !hasRow)
      if hasRow {
        backlog.append(.start(attempt, claimedAt: claims.remove(attempt.entry.nominal, of: job)?.claimedAt))
      } else {
        backlog.append(.raiseWatermark(attempt.entry.job, to: attempt.entry.nominal))
        attendedBefore.append(attempt.entry.nominal...attempt.entry.nominal)
        if !ended.contains(attempt.run) { open[attempt.run] = attempt }
      }
    }
    openWithoutRow = open.values.sorted(on: \.run)
    try settle(ended, attempts, former)
    do throws(LedgerError) {
      try commit()
    } catch {
      guard case .full = error else { throw error }
    }
    return openWithoutRow
  }

  /// Settles entries that have rows, if their runs have ended and their outcomes are not in the file.
  private func settle(
    _ ended: Set<RunID>, _ attempts: [Attempt], _ former: [OpenRun]
  ) throws(LedgerError) {
    let filed = former.lazy.filter { $0.attempts > 0 }.map { run in
      Attempt(
        run: run.run, entry: run.entry, cause: run.cause, number: run.attempts, startedAt: run.startedAt,
        entryCount: run.entryCount)
    }
    var last: [RunID: Attempt] = [:]
    for attempt in filed + attempts where ended.contains(attempt.run) && hasRow(for: attempt) {
      last[attempt.run] = attempt
    }
    for attempt in last.values.sorted(on: \.run) {
      var isSettled = false
      let values: InlineArray<3, Value> = [
        attempt.entry.job.value, .instant(attempt.entry.nominal), .instant(.min),
      ]
      try database.run(.findEntry, values) { isSettled = isSettled || $0.integer(0) != 0 }
      if isSettled { continue }
      settle(
        EntryRecord(
          entry: attempt.entry, cause: attempt.cause, outcome: .unknown,
          reason: "it ended, and its outcome was lost with a part of the ledger", run: attempt.run,
          startedAt: attempt.startedAt, endedAt: attempt.startedAt, attempts: attempt.number,
          entryCount: attempt.entryCount))
    }
  }

  /// Whether a run with a row is active according to the ledger.
  package func isOpen(_ run: RunID) -> Bool { runs[run] != nil }

  /// Whether the job has no rows and its entries run at most once.
  func isCountedOnce(_ name: JobName) -> Bool {
    jobs.knownNumber(of: name).map { jobs.isCounted($0) && !jobs.isAtLeastOnce($0) } ?? false
  }

  /// Assumes that all at-most-once entries of counted jobs that fell due up to `now` have run, because the record of their
  /// starts is lost. Returns the jobs.
  package func assumeStarted(upTo now: WallInstant) throws(LedgerError) -> [JobName] {
    let counted = jobs.configured.filter(isCountedOnce)
    for name in counted { backlog.append(.raiseWatermark(name, to: now)) }
    do throws(LedgerError) {
      try commit()
    } catch {
      guard case .full = error else { throw error }
    }
    return counted
  }

  /// Adds the pending changes, for which the disk has no room, to the state that was read from the file.
  func addUnwritten(to memory: inout Memory, _ rows: inout [OpenRow]) throws(LedgerError) {
    for change in backlog.changes {
      switch change {
      case .raiseWatermark(let job, let nominal):
        if let watermark = memory.lastSettled[job] { memory.lastSettled[job] = max(watermark, nominal) }
      case .start(let attempt, _):
        if let index = rows.firstIndex(where: { $0.entry == attempt.entry }) {
          rows[index].start(attempt)
        } else {
          var hasRow = false
          let values: InlineArray<3, Value> = [
            attempt.entry.job.value, .instant(attempt.entry.nominal), .instant(.min),
          ]
          try database.run(.findEntry, values) { _ in hasRow = true }
          if !hasRow { rows.append(OpenRow(attempt)) }
        }
      case .unstart(let attempt):
        if let index = rows.firstIndex(where: { $0.entry == attempt.entry }) { rows[index].unstart(attempt) }
      default: break
      }
    }
    rows += openWithoutRow.map(OpenRow.init)
  }
}
