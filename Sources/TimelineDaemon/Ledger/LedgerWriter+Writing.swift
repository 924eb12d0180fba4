import TimelineCore
import TimelineLedger
import TimelineSystem

// Times at which gathered records are written to the ledger.
extension LedgerWriter {
  /// Pause between two writes of the ledger, unless somebody waits for one. A transaction costs as much as some tens of its rows, so
  /// ends that come one after the other share one. The pause is short because a killed process loses what it has not written.
  private static let restTime = ElapsedTime.milliseconds(5)

  /// Writes what has gathered, or has it written a little later with what comes until then.
  func writeInTime() {
    guard ledger.hasGathered, !ledger.isAwaited, let writtenAt else { return write() }
    let rest = Self.restTime - (monotonic() - writtenAt)
    guard rest > .zero else { return write() }
    guard writing == nil else { return }
    writing = loop.after(rest) { [weak self] in
      self?.write()
      self?.seeToDisk()
    }
  }

  /// Writes what has gathered, if that is not to be left to when the file is back from another thread.
  func write() {
    writing?.cancel()
    writing = nil
    if ledger.hasGathered { writtenAt = monotonic() }
    attempt { () throws(LedgerError) in try ledger.commitSoon() }
    forgetNotes()
  }

  /// Writes what has gathered in any case.
  func commit() {
    attempt { () throws(LedgerError) in try ledger.commit() }
  }
}
