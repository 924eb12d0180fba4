import TimelineCore

/// Whether entries are claimed before they are run.
package enum ClaimRule: Sendable, Hashable {
  /// Each claim is requested with ``EngineEffect/claim(_:)``, and its answer awaited.
  ///
  /// Counted jobs, which have more than one entry per second, are not claimed: their entries are kept as counts.
  case ask
  /// Every claim is granted without a request: a rehearsal, or a daemon without a ledger.
  case grant
}

/// Claims to request and to give up with the effects of one event, in one effect for each kind.
struct ClaimTable: Sendable {
  private let rule: ClaimRule
  private var requests: [EntryKey] = []
  private var withdrawals: [EntryKey] = []

  init(_ rule: ClaimRule) { self.rule = rule }

  /// Whether there is a ledger that answers claims and keeps waiting entries.
  var hasLedger: Bool { rule == .ask }

  /// Requests the claim to an entry.
  mutating func ask(for entry: EntryKey) { requests.append(entry) }

  /// Gives up the claim to an entry. If this event requests the claim, cancels the request instead.
  mutating func withdraw(_ entry: EntryKey) {
    if !cancelRequest(for: entry) { withdrawals.append(entry) }
  }

  /// Cancels the request for an entry in this event. Returns whether there was one.
  @discardableResult
  mutating func cancelRequest(for entry: EntryKey) -> Bool {
    guard let position = requests.firstIndex(of: entry) else { return false }
    requests.remove(at: position)
    return true
  }

  /// Appends the effects. Claims are given up before other claims are requested.
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
