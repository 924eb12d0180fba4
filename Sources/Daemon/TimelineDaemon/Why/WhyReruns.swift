import TimelineControl
import TimelineCore
import TimelineEngine
import TimelineLedger

extension WhyQuestion {
  /// Returns the latest reruns of an entry that is decided, oldest first: up to ``rerunsMax``, and one more if there are earlier
  /// ones.
  func reruns(at finding: WhyFinding, _ ledger: some LedgerReader) -> [LedgerEntry] {
    switch finding.kind {
    case .settled, .unrecorded:
      let entry = EntryKey(job: job, nominal: finding.nominal)
      return ledger.reruns(of: entry, limit: Self.rerunsMax + 1).reversed()
    case .running, .waiting, .held, .planned, .silent, .omitted, .counted, .none: return []
    }
  }

  /// Largest number of reruns that are shown: a person looks at the last ones.
  static let rerunsMax = 10
}

// Reruns and the entries that they repeat, in words.
extension WhyWords {
  /// The entry that the rerun repeats; empty for any other entry, and if it is not known.
  func repeats(_ origin: RerunOrigin?) -> [WhyReply.Detail] {
    origin.map { [.init("repeats", "the entry \(entry($0.of)), for the \(Self.ordinal($0.number)) time")] }
      ?? []
  }

  /// The reruns of the entry, one line each.
  var rerunLines: [WhyReply.Detail] {
    var lines = finding.reruns.suffix(WhyQuestion.rerunsMax).map { rerun in
      let record = rerun.record
      let state =
        rerun.isOpen ? (record.startedAt == nil ? "waiting" : "running") : record.outcome.rawValue
      let run = record.run.map { ", run \($0)" } ?? ""
      return WhyReply.Detail("rerun", "\(time(record.entry.nominal)), \(state)\(run)")
    }
    if finding.reruns.count > WhyQuestion.rerunsMax {
      lines.insert(.init("rerun", "earlier ones are in `timelinectl history \(question.job)`"), at: 0)
    }
    return lines
  }

  /// Returns a number as `1st`, `2nd`, `3rd` or `11th`.
  private static func ordinal(_ number: Int) -> String {
    let suffix =
      switch (number % 100, number % 10) {
      case (11...13, _): "th"
      case (_, 1): "st"
      case (_, 2): "nd"
      case (_, 3): "rd"
      default: "th"
      }
    return "\(number)\(suffix)"
  }
}
