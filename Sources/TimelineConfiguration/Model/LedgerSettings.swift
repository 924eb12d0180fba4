package import TimelineCore

/// Settings of the ledger, the table `[ledger]`: how long the past is kept, and the reaction to a damaged ledger.
package struct LedgerSettings: Sendable, Hashable {
  /// The age after which an entry is deleted.
  package var retention: ElapsedTime = .days(30)
  /// The maximum number of entries that are kept of one job. The oldest are deleted first.
  package var entriesPerJobMax: Int = 10_000
  /// The policy for a damaged ledger.
  package var damaged: DamagedLedger = .setAside

  /// Makes the settings of an empty configuration.
  package init() {}
}

/// Policy for a ledger that is damaged or cannot be read.
package enum DamagedLedger: String, Sendable, Hashable, CaseIterable {
  /// Rename the ledger and begin a new one. Then it is unknown which entries were missed in the meantime.
  case setAside = "set-aside"
  /// Do not start, so that an operator can check the ledger first.
  case refuse
}
