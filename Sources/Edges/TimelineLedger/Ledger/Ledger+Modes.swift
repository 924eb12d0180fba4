package import TimelineCore
import TimelineEngine

// Changes of the daemon's mode. The file keeps the newest 10,000: see the trigger `mode_limit`.
extension Ledger {
  /// Records a change of the mode with the next commit.
  package func note(_ change: ModeChange) {
    isPressing = true
    backlog.append(.mode(change))
  }

  /// Returns the last change of the mode at or before an instant.
  package func modeChange(atOrBefore instant: WallInstant) throws(LedgerError) -> ModeChange? {
    try writeBeforeReading()
    var found: ModeChange?
    try database.run(
      "SELECT \(ModeChange.columns) FROM mode WHERE at <= ?1 ORDER BY at DESC, number DESC LIMIT 1",
      [.instant(instant)]
    ) { found = ModeChange($0) }
    return found
  }
}

extension ModeChange {
  /// The columns that ``init(_:)`` reads, in its order.
  static let columns = "at, mode, cadence, choice, cause, reason, user, user_name, process, program"

  /// The values of ``columns``.
  var values: InlineArray<10, Value> {
    [
      .instant(at), .text(mode.rawValue), .integer(Int64(cadence.rawValue)), .text(choice.rawValue),
      .text(cause.rawValue), .text(reason), by.map { .integer(Int64($0.user)) } ?? .null,
      by?.name.map(Value.text) ?? .null, by.map { .integer(Int64($0.process)) } ?? .null,
      by?.program.map(Value.text) ?? .null,
    ]
  }

  /// Reads a row; `nil` for a value of a newer program.
  init?(_ row: borrowing Row) {
    guard let mode = ScheduleMode(rawValue: row.text(1)),
      let cadence = Cadence(rawValue: Int(row.integer(2))),
      let choice = ModeChoice(rawValue: row.text(3)), let cause = ModeCause(rawValue: row.text(4))
    else { return nil }
    self.init(
      at: WallInstant(nanosecondsSinceEpoch: row.integer(0)), mode: mode, cadence: cadence, choice: choice,
      cause: cause, reason: row.text(5))
    if row.optionalInteger(6) != nil { by = Operator(row, from: 6) }
  }
}
