package import TimelineCore

// Actions of operators. The file keeps the newest 10,000, and the actions that still pause a job: see the trigger
// `action_limit`.
extension Ledger {
  /// Records the start of a job's pause, or with `nil` the end of the pause.
  package func pause(_ job: JobName, since: WallInstant?) {
    isPressing = true
    backlog.append(.pause(job, since: since))
  }

  /// Records an action with the next commit. Call ``pause(_:since:)`` before the action of a pause.
  package func note(_ action: OperatorAction) {
    isPressing = true
    backlog.append(.action(action))
  }

  /// Returns the actions that triggered or cancelled an entry, oldest first.
  package func actions(on entry: EntryKey) throws(LedgerError) -> [OperatorAction] {
    var found: [OperatorAction] = []
    let values: InlineArray<2, Value> = [entry.job.value, .instant(entry.nominal)]
    try database.run(.findActions, values) { row in
      if let action = OperatorAction(row) { found.append(action) }
    }
    return found
  }

  /// Returns the last action of one kind on a job, or on the daemon if `job` is `nil`, at or before an instant.
  package func lastAction(
    _ verb: OperatorAction.Verb, on job: JobName?, atOrBefore instant: WallInstant
  ) throws(LedgerError) -> OperatorAction? {
    try action(verb, on: job, "at <= ?3 ORDER BY at DESC, number DESC", instant)
  }

  /// Returns the first action of one kind on a job, or on the daemon if `job` is `nil`, at or after an instant.
  package func firstAction(
    _ verb: OperatorAction.Verb, on job: JobName?, atOrAfter instant: WallInstant
  ) throws(LedgerError) -> OperatorAction? {
    try action(verb, on: job, "at >= ?3 ORDER BY at, number", instant)
  }

  private func action(
    _ verb: OperatorAction.Verb, on job: JobName?, _ condition: String, _ instant: WallInstant
  ) throws(LedgerError) -> OperatorAction? {
    try writeBeforeReading()
    var found: OperatorAction?
    try database.run(
      "SELECT \(OperatorAction.columns) FROM action WHERE job IS ?1 AND nominal IS NULL AND verb = ?2 AND \(condition) LIMIT 1",
      [job?.value ?? .null, .text(verb.rawValue), .instant(instant)]
    ) { found = OperatorAction($0) }
    return found
  }
}

extension OperatorAction {
  /// The columns that ``init(_:)`` reads, in its order.
  static let columns = "verb, at, job, nominal, user, user_name, process, program, reason"

  /// The values of ``columns``.
  var values: InlineArray<9, Value> {
    [
      .text(verb.rawValue), .instant(at), job?.value ?? .null, .instant(entry), .integer(Int64(by.user)),
      by.name.map(Value.text) ?? .null, .integer(Int64(by.process)), by.program.map(Value.text) ?? .null,
      .text(reason),
    ]
  }

  /// Reads a row; `nil` for an action of a newer program.
  init?(_ row: borrowing Row) {
    guard let verb = Verb(rawValue: row.text(0)) else { return nil }
    self.init(
      verb, at: WallInstant(nanosecondsSinceEpoch: row.integer(1)),
      job: row.optionalText(2).flatMap { JobName($0) },
      entry: row.optionalInteger(3).map(WallInstant.init(nanosecondsSinceEpoch:)),
      by: Operator(row, from: 4),
      reason: row.text(8))
  }
}

extension Operator {
  /// Reads the columns `user, user_name, process, program`, from `column` on.
  init(_ row: borrowing Row, from column: Int32) {
    self.init(
      user: UInt32(truncatingIfNeeded: row.integer(column)), name: row.optionalText(column + 1),
      process: Int32(truncatingIfNeeded: row.integer(column + 2)), program: row.optionalText(column + 3))
  }
}
