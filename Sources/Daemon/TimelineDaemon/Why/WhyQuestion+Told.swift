import TimelineCore
import TimelineEngine
import TimelineLedger

/// The upstream entry of a reaction.
struct WhyUpstream {
  var entry: EntryKey
  /// Its record; `nil` if the ledger has none.
  var record: EntryRecord?
}

extension WhyQuestion {
  /// Returns the upstream entry of a reaction; `nil` if the entry is no reaction, or its upstream is not known.
  func told(at finding: WhyFinding, _ ledger: some LedgerReader) -> WhyUpstream? {
    switch finding.kind {
    case .running(let run, _):
      return run.attempt.upstream.map { WhyUpstream(entry: $0.entry, record: $0) }
    case .settled(let entry):
      return entry.record.upstream.map { upstream in
        let found = ledger.entry(of: upstream.job, at: upstream.nominal).flatMap { $0.isOpen ? nil : $0 }
        return WhyUpstream(entry: upstream, record: found?.record)
      }
    default: return nil
    }
  }

  /// Returns the latest reactions to an entry that is due, oldest first: up to ``reactionsMax``, and one more if there are
  /// earlier ones.
  func reactions(at finding: WhyFinding, _ ledger: some LedgerReader) -> [LedgerEntry] {
    let entry: EntryKey
    switch finding.kind {
    case .settled(let settled): entry = settled.record.entry
    case .running, .waiting, .held: entry = EntryKey(job: job, nominal: finding.nominal)
    case .planned, .silent, .omitted, .counted, .unrecorded, .none: return []
    }
    return ledger.reactions(to: entry, limit: Self.reactionsMax + 1).reversed()
  }

  /// Largest number of reactions that are shown: the reminders of a long incident all have the same upstream entry.
  static let reactionsMax = 10
}
