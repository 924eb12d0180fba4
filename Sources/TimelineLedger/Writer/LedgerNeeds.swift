package import TimelineCore

/// Work that a ledger asks for, as facts for whoever decides when it is done.
package struct LedgerNeeds: Sendable, Hashable {
  /// Changes that have gathered since the last commit.
  package enum Gathered: Sendable {
    case nothing
    case some
    /// Some, and somebody waits for them, they have become many, or a transaction is open.
    case awaited
  }

  /// Work on the file for which the disk is waited for.
  package enum Disk: Sendable {
    case nothing
    /// Work that may wait for a moment in which nothing is due.
    case whenQuiet
    case atOnce
  }

  /// Changes for ``Ledger/commitSoon()``.
  package var gathered: Gathered
  /// Time for the next ``Ledger/writeClaims(at:)``; `nil` when no at-most-once entry needs it.
  package var nextClaim: WallInstant?
  /// Work for ``Ledger/beginDiskWork(on:isQuiet:)``.
  package var disk: Disk
  /// Whether the file is with another thread.
  package var isSyncing: Bool

  /// Makes needs; without arguments there are none.
  package init(
    gathered: Gathered = .nothing, nextClaim: WallInstant? = nil, disk: Disk = .nothing,
    isSyncing: Bool = false
  ) {
    (self.gathered, self.nextClaim, self.disk, self.isSyncing) = (gathered, nextClaim, disk, isSyncing)
  }
}

extension Ledger {
  /// Work that the ledger asks for now.
  package var needs: LedgerNeeds {
    let gathered: LedgerNeeds.Gathered =
      if hasGathered || mustSync { isAwaited ? .awaited : .some } else { .nothing }
    return LedgerNeeds(
      gathered: gathered, nextClaim: nextClaim, disk: diskNeed, isSyncing: isSyncing)
  }
}
