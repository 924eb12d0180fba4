package import TimelineCore

/// How long the past is remembered, and what a ledger that cannot be read means: the table `[ledger]`.
package struct LedgerSettings: Sendable, Hashable {
  /// How old an entry may become before it is forgotten.
  package var retention: ElapsedTime = .days(30)
  /// How many entries of one job are kept at most, the latest first.
  package var entriesPerJobMax: Int = 10_000
  /// What to do about a ledger that is damaged.
  package var damaged: DamagedLedger = .setAside

  /// Makes the settings of an empty configuration.
  package init() {}
}

/// What to do about a ledger that is damaged or cannot be read.
package enum DamagedLedger: String, Sendable, Hashable, CaseIterable {
  /// Rename it and begin a new one: what was missed meanwhile is not known.
  case setAside = "set-aside"
  /// Do not start, so that somebody looks first.
  case refuse
}
