package import TimelineCore

/// Settings of the ledger: how long the past is kept, and the reaction to an unreadable ledger; the table `[ledger]`.
package struct LedgerSettings: Sendable, Hashable {
  /// The maximum age of an entry before it is deleted.
  package var retention: ElapsedTime = .days(30)
  /// The maximum number of entries kept of one job, the latest first.
  package var entriesPerJobMax: Int = 10_000
  /// The policy for a damaged ledger.
  package var damaged: DamagedLedger = .setAside

  /// Makes the settings of an empty configuration.
  package init() {}
}

/// Policy for a ledger that is damaged or cannot be read.
package enum DamagedLedger: String, Sendable, Hashable, CaseIterable {
  /// Rename it and begin a new one: what was missed meanwhile is not known.
  case setAside = "set-aside"
  /// Do not start, so that somebody looks first.
  case refuse
}
