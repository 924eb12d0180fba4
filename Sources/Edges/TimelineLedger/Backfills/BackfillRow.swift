import TimelineCore

/// The backfills, a row each. An open one stays; of those that have ended the newest ``endedCountMax`` stay.
enum BackfillRow {
  /// The number that a client is shown beside the open ones.
  private static let endedCountMax: Int64 = 100

  static let columns = """
    number, job, schedule, first, until, outcomes, unrecorded, newest_first, parallel, pace, state, total, left_out,
    position, succeeded, failed, last_failure, user, user_name, process, program, requested_at, ended_at
    """

  /// Writes a backfill in place of its former row. Must be called within a transaction.
  static func write(_ backfill: Backfill, to database: Database) throws(LedgerError) {
    let request = backfill.request
    let outcomes = Outcome.allCases.filter(request.outcomes.contains).map(\.rawValue)
    try database.run(
      """
      INSERT OR REPLACE INTO backfill (\(columns))
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23)
      """,
      [
        .integer(backfill.number), backfill.job.value, .text(backfill.schedule), .instant(request.from),
        .instant(request.until), .text(outcomes.joined(separator: " ")),
        .integer(request.includesUnrecorded ? 1 : 0), .integer(request.isNewestFirst ? 1 : 0),
        .integer(Int64(request.parallel)), .integer(request.pace.nanoseconds), .text(backfill.state.rawValue),
        .integer(Int64(backfill.totalCount)), .integer(Int64(backfill.unrecordedCount)),
        .instant(backfill.position), .integer(Int64(backfill.succeededCount)),
        .integer(Int64(backfill.failedCount)), .instant(backfill.lastFailure),
        .integer(Int64(backfill.by.user)), backfill.by.name.map(Value.text) ?? .null,
        .integer(Int64(backfill.by.process)), backfill.by.program.map(Value.text) ?? .null,
        .instant(backfill.requestedAt), .instant(backfill.endedAt),
      ])
    guard !backfill.state.isOpen else { return }
    try database.run(
      """
      DELETE FROM backfill WHERE ended_at IS NOT NULL
        AND number <= (SELECT number FROM backfill WHERE ended_at IS NOT NULL ORDER BY number DESC LIMIT 1 OFFSET ?1)
      """, [.integer(endedCountMax)])
  }

  /// Returns all backfills, ascending by their numbers.
  static func read(from database: Database) throws(LedgerError) -> [Backfill] {
    var found: [Backfill] = []
    try database.run("SELECT \(columns) FROM backfill ORDER BY number") { row in
      if let backfill = Backfill(row) { found.append(backfill) }
    }
    return found
  }
}

extension Backfill {
  /// Reads a row of ``BackfillRow/columns``; `nil` for a value of a newer program.
  fileprivate init?(_ row: borrowing Row) {
    guard let job = JobName(row.text(1)), let state = State(rawValue: row.text(10)) else { return nil }
    let instant = { (number: Int64) in WallInstant(nanosecondsSinceEpoch: number) }
    let outcomes = row.text(5).split(separator: " ").compactMap { Outcome(rawValue: String($0)) }
    var request = Request(
      from: instant(row.integer(3)), until: instant(row.integer(4)), outcomes: Set(outcomes))
    (request.includesUnrecorded, request.isNewestFirst) = (row.integer(6) != 0, row.integer(7) != 0)
    (request.parallel, request.pace) = (Int(clamping: row.integer(8)), .nanoseconds(row.integer(9)))
    self.init(
      number: row.integer(0), job: job, schedule: row.text(2), request,
      totalCount: Int(clamping: row.integer(11)), unrecordedCount: Int(clamping: row.integer(12)),
      by: Operator(row, from: 17), at: instant(row.integer(21)))
    self.state = state
    position = row.optionalInteger(13).map(instant)
    (succeededCount, failedCount) = (Int(clamping: row.integer(14)), Int(clamping: row.integer(15)))
    lastFailure = row.optionalInteger(16).map(instant)
    endedAt = row.optionalInteger(22).map(instant)
  }
}
