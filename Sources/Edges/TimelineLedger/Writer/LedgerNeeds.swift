package import TimelineCore

/// Pending work of the ledger; input of `WriterState`.
package struct LedgerNeeds: Sendable, Equatable {
  /// Changes that have gathered since the last commit.
  package enum Gathered: Sendable {
    case nothing
    case some
    /// Some that must be written at once: a client waits for them, there are many of them, or a transaction is open.
    case awaited
  }

  /// Work on the file that waits for the disk.
  package enum Disk: Sendable {
    case nothing
    /// Work that may wait for a moment in which nothing is due.
    case whenQuiet
    case atOnce
  }

  /// Changes for ``Ledger/commitSoon()``.
  package var gathered: Gathered
  /// Time for the next ``Ledger/writeClaims(at:)``; `nil` if no at-most-once entry needs the call.
  package var nextClaim: WallInstant?
  /// Work for ``Ledger/beginDiskWork(on:isQuiet:)``.
  package var disk: Disk
  /// Whether another thread uses the file.
  package var isSyncing: Bool

  package init(
    gathered: Gathered = .nothing, nextClaim: WallInstant? = nil, disk: Disk = .nothing,
    isSyncing: Bool = false
  ) {
    (self.gathered, self.nextClaim, self.disk, self.isSyncing) = (gathered, nextClaim, disk, isSyncing)
  }
}

extension Ledger {
  /// Present work of the ledger.
  package var needs: LedgerNeeds {
    let gathered: LedgerNeeds.Gathered =
      if hasGathered || mustSync { isAwaited ? .awaited : .some } else { .nothing }
    return LedgerNeeds(
      gathered: gathered, nextClaim: nextClaim, disk: diskNeed, isSyncing: isSyncing)
  }
}
