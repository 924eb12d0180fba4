import TimelineCore
import TimelineLedger
import TimelineSystem

/// Failure of the ledger, after it has been reported.
struct LedgerFault: Equatable {
  /// The message of the first error.
  var reason: String
  /// Whether the failure lasts until a restart: the file was removed, or another file has its name.
  var isPermanent: Bool
}

// Loss of records.
extension LedgerWriter {
  static func text(of aside: Ledger.SetAside) -> String {
    "was damaged (\(aside.reason)) and is now \(aside.path); a new one begins, and what it knew of entries, cursors and pauses is forgotten"
  }

  /// Returns a text about commits that the start log has noted in this boot and that the ledger does not have; `nil` for none.
  /// Commits that were lost with the power do not count, because the machine has booted again since.
  static func lostCommits(
    of ledger: Ledger, _ startLog: StartLog, boot: String?
  ) throws(LedgerError) -> String? {
    guard let filing = startLog.formerFiling, let path = ledger.path, boot == filing.boot,
      filing.commit > ledger.commitProgress?.last ?? 0
    else { return nil }
    let since = try ledger.recordedThrough().map { "since \($0)" } ?? "so far"
    return
      "has lost its write-ahead log or a part of it (\(path)-wal), or is an older copy: what it recorded \(since) is forgotten, such as ends of runs, cursors and pauses; entries started since then end as unknown, but those of at-least-once jobs that had not ended run again"
  }
}

// Reports to the operator about a ledger that fails.
extension LedgerWriter {
  /// Reason that the ledger cannot be written; `nil` while it can.
  var fault: String? { knownFault?.reason }

  /// Number of outcomes that are in memory and not in the ledger yet.
  var unwrittenEntryCount: Int { ledger.unwrittenEntryCount }

  /// Performs an operation on the ledger, and reports its failure.
  @discardableResult
  func attempt<Result>(_ body: () throws(LedgerError) -> Result) -> Result? {
    do {
      return try body()
    } catch {
      report(error)
      return nil
    }
  }

  /// Handles a failure. A refused record is always reported. Any other failure is reported if the ledger worked before, or if
  /// the failure is the first permanent one.
  func report(_ error: LedgerError) {
    if case .refused = error { return announcer.announce(.error, "\(error)") }
    let isPermanent = if case .moved = error { true } else { false }
    // A retry does not help if the file is gone or replaced.
    if !isPermanent {
      state.fail(at: reading)
      setTimer()
    }
    guard knownFault.map({ isPermanent && !$0.isPermanent }) ?? true else { return }
    knownFault = LedgerFault(reason: "\(error)", isPermanent: isPermanent)
    announcer.announce(.error, "\(error) (carrying on: jobs run, the ledger has gaps for now)")
  }

  /// Reports that the ledger works again, if its failure was reported. Returns `false` if changes are still to be written.
  @discardableResult
  func reportRecovery() -> Bool {
    guard let knownFault, !knownFault.isPermanent else { return true }
    guard !ledger.isBehind else { return false }
    self.knownFault = nil
    let lost = ledger.droppedChangeCount
    announcer.announce(
      .notice,
      "the ledger can be written again"
        + (lost == 0 ? ", and nothing is missing from it" : "; \(lost) changes are lost"))
    return true
  }
}
