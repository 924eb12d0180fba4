import TimelineCore
import TimelineLedger

// Backfills in the ledger. A ledger that cannot be read has none.
extension LedgerWriter {
  /// Records a backfill, or a change of it.
  func note(_ backfill: Backfill) { ledger.note(backfill) }

  /// Returns all backfills that are kept, ascending by their numbers.
  func backfills() -> [Backfill] {
    attempt { () throws(LedgerError) in try ledger.backfills() } ?? []
  }

  /// Returns the entries after a backfill's position that it has begun.
  func begunEntries(of backfill: Backfill) -> Set<WallInstant> {
    attempt { () throws(LedgerError) in try ledger.begunEntries(of: backfill) } ?? []
  }

  /// Returns the entries that a backfill has begun and that have no outcome, by the nominal instants of their repetitions.
  func unsettledEntries(of backfill: Backfill) -> [WallInstant: WallInstant] {
    attempt { () throws(LedgerError) in try ledger.unsettledEntries(of: backfill) } ?? [:]
  }

  /// Returns the lengths of a job's last successful runs, the latest first.
  func durations(of job: JobName, limit: Int) -> [ElapsedTime] {
    attempt { () throws(LedgerError) in try ledger.durations(of: job, limit: limit) } ?? []
  }
}
