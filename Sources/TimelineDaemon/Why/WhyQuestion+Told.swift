import TimelineCore
import TimelineEngine
import TimelineLedger

extension WhyQuestion {
  /// Returns the upstream entry of a reaction; several where the ledger does not show which of those that ended
  /// together it was.
  ///
  /// The ledger does not keep a run's upstream entry. But a reaction's entry is made at the end of its upstream entry,
  /// moved on by nanoseconds where there are more at once, so the entries that ended then are found by that.
  func told(at finding: WhyFinding, _ ledger: some LedgerReader) -> [EntryRecord] {
    switch finding.kind {
    case .running(let run, _):
      if let upstream = run.attempt.upstream { return [upstream] }
      return run.attempt.cause == .reaction ? ended(at: finding.nominal, ledger) : []
    case .settled(let entry) where entry.record.cause == .reaction:
      return ended(at: finding.nominal, ledger)
    default: return []
    }
  }

  private func ended(at instant: WallInstant, _ ledger: some LedgerReader) -> [EntryRecord] {
    let ends = tellers.prefix(Self.matesMax).flatMap { teller in
      ledger.history(HistoryQuery(job: teller, until: instant + .nanoseconds(1), limit: Self.candidatesMax))
    }
    return ends.filter { end in
      !end.isOpen && end.record.cause != .reaction && end.record.endedAt <= instant
        && instant - end.record.endedAt < Self.reactionDelayMax
    }.map(\.record)
  }

  /// Further from the end of what it tells no reaction's entry is: a microsecond has room for a thousand of them.
  private static let reactionDelayMax = ElapsedTime.microseconds(1)
}
