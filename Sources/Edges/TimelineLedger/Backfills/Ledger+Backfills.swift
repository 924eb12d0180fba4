package import TimelineCore
import TimelineEngine

// Backfills, and what their runs need.
extension Ledger {
  /// Records a backfill, or a change of it, with the next commit.
  package func note(_ backfill: Backfill) {
    isPressing = true
    backlog.append(.backfill(backfill))
  }

  /// Returns all backfills that are kept, ascending by their numbers.
  package func backfills() throws(LedgerError) -> [Backfill] {
    try writeBeforeReading()
    return try BackfillRow.read(from: database)
  }

  /// Returns the entries after a backfill's position that it has begun. A crash can come between the start of a run and the record
  /// of the position.
  package func begunEntries(of backfill: Backfill) throws(LedgerError) -> Set<WallInstant> {
    try writeBeforeReading()
    let rest = backfill.rest
    var found: Set<WallInstant> = []
    try database.run(
      """
      SELECT repeated FROM rerun INDEXED BY rerun_backfill WHERE backfill = ?1 AND repeated >= ?2 AND repeated < ?3
        AND (outcome IS NOT NULL
          OR EXISTS (SELECT 1 FROM entry WHERE entry.nominal = rerun.nominal AND entry.job = rerun.job))
      """, [.integer(backfill.number), .instant(rest.from), .instant(rest.until)]
    ) { found.insert(WallInstant(nanosecondsSinceEpoch: $0.integer(0))) }
    return found
  }

  /// Returns the entries that a backfill has begun and that have no outcome, by the nominal instants of their repetitions.
  package func unsettledEntries(of backfill: Backfill) throws(LedgerError) -> [WallInstant: WallInstant] {
    try writeBeforeReading()
    var found: [WallInstant: WallInstant] = [:]
    try database.run(
      "SELECT nominal, repeated FROM rerun INDEXED BY rerun_backfill WHERE backfill = ?1 AND outcome IS NULL",
      [.integer(backfill.number)]
    ) { row in
      found[WallInstant(nanosecondsSinceEpoch: row.integer(0))] = WallInstant(
        nanosecondsSinceEpoch: row.integer(1))
    }
    return found
  }

  /// Returns the lengths of a job's last successful runs, at most `limit`, the latest first.
  package func durations(of job: JobName, limit: Int) throws(LedgerError) -> [ElapsedTime] {
    let runs = try history(
      HistoryQuery(job: job, onlyRuns: true, limit: limit * 2, hasDetails: false))
    return runs.lazy.filter { $0.record.outcome == .succeeded }.compactMap(\.record.elapsed).prefix(limit).map
    { $0 }
  }
}
