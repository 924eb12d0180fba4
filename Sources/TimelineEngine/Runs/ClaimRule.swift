/// Whether entries are claimed before they are run.
package enum ClaimRule: Sendable, Hashable {
  /// Ask with ``EngineEffect/claim(_:)`` and wait for the answer.
  ///
  /// Jobs that fire more often than once a second are not claimed: they are kept as counters, not as entries.
  case ask
  /// Every claim is won, nobody is asked: a rehearsal, or a daemon without a ledger.
  case takeAsWon
}
