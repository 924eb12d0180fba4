import TimelineCore
import TimelineLedger
import TimelineSystem

/// Failure of a ledger that operators know of.
struct LedgerFault: Hashable {
  /// The message of the first error.
  var reason: String
  /// Whether it does not pass: the file was removed, or another one has its name.
  var isPermanent: Bool
}

// Records that are lost.
extension LedgerWriter {
  static func text(of aside: Ledger.SetAside) -> String {
    "was damaged (\(aside.reason)) and is now \(aside.path); a new one begins, and what it knew of entries, cursors and pauses is forgotten"
  }

  /// The commits that the start log has seen in this boot and the ledger does not have; `nil` for none. A loss of power takes commits
  /// too: then they are as if never written.
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

  /// Does something to the ledger; reports a failure.
  @discardableResult
  func attempt<Result>(_ body: () throws(LedgerError) -> Result) -> Result? {
    do {
      return try body()
    } catch {
      report(error)
      return nil
    }
  }

  /// Takes in a failure, and reports the first one until the ledger works again.
  func report(_ error: LedgerError) {
    if case .refused = error { return announcer.announce(.error, "\(error)") }
    let isPermanent = if case .moved = error { true } else { false }
    // To write again does not help a file that is gone.
    if !isPermanent {
      state.fail(at: reading)
      setTimer()
    }
    guard knownFault.map({ isPermanent && !$0.isPermanent }) ?? true else { return }
    knownFault = LedgerFault(reason: "\(error)", isPermanent: isPermanent)
    announcer.announce(.error, "\(error) (carrying on: jobs run, the ledger has gaps for now)")
  }

  /// Reports that the ledger works again, if it was known to fail; returns `false` if not everything is written yet.
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
