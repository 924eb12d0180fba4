package import TimelineCore

/// Settings of the ledger, the table `[ledger]`: limits for old entries, and the reaction to a damaged ledger.
package struct LedgerSettings: Sendable, Equatable {
  /// Entries older than this are deleted.
  package var retention: ElapsedTime = .days(30)
  /// Entries kept of each job. The oldest are deleted first.
  package var entriesPerJobMax: Int = 10_000
  package var damaged: DamagedLedger = .setAside

  package init() {}
}

/// Policy for a ledger that is damaged or cannot be read.
package enum DamagedLedger: String, Sendable, Hashable, CaseIterable {
  /// Rename the ledger and begin a new one. It is then unknown which entries were missed in the meantime.
  case setAside = "set-aside"
  /// Do not start, so that an operator can check the ledger first.
  case refuse
}
