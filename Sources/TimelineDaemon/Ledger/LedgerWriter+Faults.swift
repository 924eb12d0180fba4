import TimelineCore
import TimelineLedger
import TimelineSystem

// Reports to the operator about a ledger that fails.
extension LedgerWriter {
  /// Does something to the ledger; tells the operator when it begins to fail and when it works again.
  @discardableResult
  func attempt<Result>(_ body: () throws(LedgerError) -> Result) -> Result? {
    do {
      let result = try body()
      // While something still waits to be written it does not work again.
      if fault != nil, !isCutOff, recovery == nil, !ledger.isBehind {
        recovery = loop.after(Self.recoveryTime) { [weak self] in self?.tellOfRecovery() }
      }
      return result
    } catch {
      if case .refused = error {
        announcer.announce(.error, "\(error)")
      } else {
        tell(of: error)
      }
      return nil
    }
  }

  /// Tells that the ledger works again, if it does.
  func tellOfRecovery() {
    recovery?.cancel()
    recovery = nil
    guard fault != nil, !isCutOff, !ledger.isBehind else { return }
    fault = nil
    let lost = ledger.droppedChangeCount
    announcer.announce(
      .notice,
      "the ledger can be written again"
        + (lost == 0 ? ", and nothing is missing from it" : "; \(lost) changes are lost"))
  }

  /// Tells that it fails, once until it works again.
  func tell(of error: LedgerError) {
    recovery?.cancel()
    recovery = nil
    if case .moved = error, !isCutOff { (isCutOff, fault) = (true, nil) }
    guard fault == nil else { return }
    fault = "\(error)"
    announcer.announce(.error, "\(error) (carrying on: jobs run, the ledger has gaps for now)")
  }
}
