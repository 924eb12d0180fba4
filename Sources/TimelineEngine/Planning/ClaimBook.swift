import TimelineCore

/// Whether entries are claimed before they are run.
package enum ClaimRule: Sendable, Hashable {
  /// Each claim is asked for with ``EngineEffect/claim(_:)``, and its answer awaited.
  ///
  /// Counted jobs, which have more than one entry per second, are not claimed: they are kept as counters, not as entries.
  case ask
  /// Every claim is granted without a question: a rehearsal, or a daemon without a ledger.
  case grant
}

/// Claims to ask for, and claims to give up, with the effects of one event: all of a kind in one effect.
struct ClaimBook: Sendable {
  private let rule: ClaimRule
  private var requests: [EntryKey] = []
  private var withdrawals: [EntryKey] = []

  /// A book with no claims.
  init(_ rule: ClaimRule) { self.rule = rule }

  /// Whether there is a ledger that answers claims and keeps what waits.
  var hasLedger: Bool { rule == .ask }

  /// Asks for an entry.
  mutating func ask(for entry: EntryKey) { requests.append(entry) }

  /// Gives the claim to an entry up; one that was to be asked for with this very event is not asked for.
  mutating func withdraw(_ entry: EntryKey) {
    if !cancelRequest(for: entry) { withdrawals.append(entry) }
  }

  /// Does not ask for an entry in this event after all; returns whether it was to be asked for.
  @discardableResult
  mutating func cancelRequest(for entry: EntryKey) -> Bool {
    guard let position = requests.firstIndex(of: entry) else { return false }
    requests.remove(at: position)
    return true
  }

  /// Appends the effects: claims are given up before others are asked for.
  mutating func flush(_ effects: inout some EffectSink) {
    if !withdrawals.isEmpty {
      effects.append(.withdraw(withdrawals))
      withdrawals.removeAll()
    }
    if !requests.isEmpty {
      effects.append(.claim(requests))
      requests.removeAll()
    }
  }
}
