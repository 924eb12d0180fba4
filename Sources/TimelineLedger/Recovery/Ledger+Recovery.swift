package import TimelineCore
package import TimelineEngine

extension Ledger {
  /// Takes in starts that an earlier daemon had made known in another way and may not have written; call it after
  /// ``recall(at:startsAreLost:bootedAt:)``, and recall again. Gives the runs without a row that had not `ended`.
  ///
  /// Their rows in the ledger stay as they are, and so does an entry that has its outcome. Rows that cannot be written are kept,
  /// and known to what follows. With the write-ahead log the claims are lost that a loss of power would leave (`claimsAreLost`): then
  /// the disk is waited for.
  @discardableResult
  package func recover(
    _ attempts: [Attempt], ended: Set<RunID> = [], claimsAreLost: Bool = false
  ) throws(LedgerError) -> [Attempt] {
    if claimsAreLost, isDurable { mustSync = true }
    var open: [RunID: Attempt] = [:]
    for attempt in attempts {
      let job = jobs.number(of: attempt.entry.job)
      let hasRow = self.hasRow(job, attempt.cause)
      numbers.take(attempt.run, reserving: !hasRow)
      if hasRow, !ended.contains(attempt.run) {
        backlog.append(.start(attempt, claimedAt: claims.remove(attempt.entry.nominal, of: job)?.claimedAt))
      } else {
        backlog.append(.raiseWatermark(attempt.entry.job, to: attempt.entry.nominal))
        attendedBefore.append(attempt.entry.nominal...attempt.entry.nominal)
        if !ended.contains(attempt.run) { open[attempt.run] = attempt }
      }
    }
    openWithoutRow = open.values.sorted { $0.run < $1.run }
    do throws(LedgerError) {
      try commit()
    } catch {
      guard case .full = error else { throw error }
    }
    return openWithoutRow
  }

  /// Whether a run with a row is under way as far as the ledger knows.
  package func isOpen(_ run: RunID) -> Bool { runs[run] != nil }

  /// Whether the job has no rows and its entries are to run once at most.
  func isCountedOnce(_ name: JobName) -> Bool {
    jobs.knownNumber(of: name).map { jobs.isCounted($0) && !jobs.isAtLeastOnce($0) } ?? false
  }

  /// Takes it that every entry of a job without rows has run that is to run once at most and fell due up to `now`, because nothing is
  /// known of its starts; gives the jobs.
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

  /// Adds to what the file says what waits to be written because there is no room for it.
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
