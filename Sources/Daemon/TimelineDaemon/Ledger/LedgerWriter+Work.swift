import TimelineControl
import TimelineCore
import TimelineLedger
import TimelineSystem

// Work that ``WriterState`` requests.
extension LedgerWriter {
  /// Longest time for consecutive portions of tidying: as long as a slow machine needs for the smallest portion.
  private static let tidyingMax = ElapsedTime.milliseconds(5)

  /// Handles an event, which happened at `instant` at the earliest, and does all work that is due.
  func handle(_ event: WriterState.Event, at instant: MonotonicInstant? = nil) {
    let now = reading
    let moment = ClockStepDetector.Reading(
      wall: now.wall, monotonic: max(now.monotonic, instant ?? now.monotonic))
    var next = state.handle(event, ledger.needs, at: moment)
    while let work = next {
      let outcome = perform(work)
      next = state.handle(.ended(work, outcome), ledger.needs, at: reading)
    }
    setTimer()
  }

  /// Handles the end of a sync on the disk thread.
  func endSync() {
    let isOnDisk = attempt { () throws(LedgerError) in try ledger.finishSync() } != nil
    handle(.synced(isOnDisk: isOnDisk))
  }

  /// Commits all pending changes now. If another thread or process uses the file, waits for it.
  func commit() {
    attempt { () throws(LedgerError) in try ledger.commit() }
  }

  private func perform(_ work: WriterState.Work) -> WriterState.Outcome {
    do throws(LedgerError) {
      return try run(work)
    } catch {
      report(error)
      // All records but the refused one were written.
      if case .refused = error { return .done }
      return .failed
    }
  }

  private func run(_ work: WriterState.Work) throws(LedgerError) -> WriterState.Outcome {
    switch work {
    case .claims:
      try ledger.writeClaims(at: now())
      return .done
    case .commit:
      let begin = SystemTime.monotonic()
      try ledger.commitSoon()
      commits.add(SystemTime.monotonic() - begin)
      fileStartLog()
      return .done
    case .watermarks:
      let hasMore = try ledger.saveWatermarks()
      fileStartLog()
      return hasMore ? .more : .done
    case .recovery:
      return reportRecovery() ? .done : .more
    case .tidying:
      return try tidyPortions() ? .more : .done
    case .sync(let isQuiet):
      if let diskThread { return ledger.beginDiskWork(on: diskThread, isQuiet: isQuiet) ? .begun : .done }
      try ledger.doDiskWork(isQuiet: isQuiet)
      return .done
    }
  }

  /// Tidies for up to ``tidyingMax``; returns whether there is more to do.
  private func tidyPortions() throws(LedgerError) -> Bool {
    attempt { () throws(LedgerError) in try ledger.checkPlace() }
    let end = SystemTime.monotonic() + Self.tidyingMax
    while try ledger.tidy(at: now(), elapsed: monotonic() - openedAt, keeping: retention) {
      if SystemTime.monotonic() >= end { return true }
    }
    return false
  }

  /// Notes a filing in the start log if the ledger has all changes, and requests a checkpoint if the start log has become long.
  func fileStartLog() {
    guard let startLog, let commits = ledger.commitProgress else { return }
    guard ledger.isUpToDate, !ledger.hasWatermarksToSave else { return startLog.noteCommit(commits.last) }
    startLog.noteFiling(commits)
    if startLog.takeCheckpointWish() { ledger.requestCheckpoint() }
  }
}
