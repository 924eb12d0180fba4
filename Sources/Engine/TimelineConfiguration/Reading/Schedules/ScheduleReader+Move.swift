import TimelineCore

/// The move of entries that windows exclude.
extension ScheduleReader {
  /// Fate of an entry that windows exclude.
  private enum Excluded: String, CaseIterable {
    /// It stays excluded.
    case skip
    /// It moves: the words of ``EntryMove/Direction``.
    case before, after, nearest
  }

  /// The periods that a moved entry may have to stay in.
  private enum Within: String, CaseIterable {
    case month
  }

  /// The keys of a move, besides `on-excluded` itself.
  private static let moveKeys = ["move-max", "move-within"]

  /// Reads the move of excluded entries into `conditions`. Returns false if it has an error.
  func readMove(_ fields: Fields, into conditions: inout ComposedSchedule.Conditions) -> Bool {
    let choice = fields["on-excluded"].map { reading.choice($0, of: Excluded.self) } ?? .skip
    guard let choice else { return false }
    guard let direction = EntryMove.Direction(rawValue: choice.rawValue) else {
      for item in Self.moveKeys.compactMap({ fields[$0] }) {
        reading.log.error(
          "`\(item.path)` stands beside no move", at: item.keyPlace,
          label: "expected `on-excluded` beside it",
          help: [
            "a move looks like { cron = \"0 9 28 * *\", except = [\"Sat,Sun\"], on-excluded = \"before\" }"
          ])
      }
      return Self.moveKeys.allSatisfy { fields[$0] == nil }
    }
    let dayMax = fields["move-max"].map(moveMax) ?? EntryMove.dayMaxDefault
    let within = fields["move-within"].map { reading.choice($0, of: Within.self) != nil } ?? false
    guard let dayMax, within || fields["move-within"] == nil else { return false }
    if fields["only"] == nil, fields["except"] == nil, let item = fields["on-excluded"] {
      reading.log.error(
        "`\(item.path)` has nothing to move: no window excludes an entry", at: item.keyPlace,
        label: "expected `only` or `except` beside it", help: ["such as except = [\"Sat,Sun\"]"])
      return false
    }
    conditions.move = try? EntryMove(direction, dayMax: dayMax, isWithinMonth: within)
    return conditions.move != nil
  }

  private func moveMax(_ item: Item) -> Int? {
    let days = EntryMove.days
    let day = ElapsedTime.days(1)
    guard let length = reading.elapsed(item, atLeast: .zero) else { return nil }
    let count = Int(length.nanoseconds / day.nanoseconds)
    if length.nanoseconds % day.nanoseconds == 0, days.contains(count) { return count }
    let nearest = min(max(count, days.lowerBound), days.upperBound)
    reading.log.error(
      "`\(item.path)` cannot be \"\(length)\"", at: item.place,
      label: "expected whole days from \"\(days.lowerBound)d\" to \"\(days.upperBound)d\"",
      help: ["the nearest is \"\(nearest)d\""])
    return nil
  }

  /// The years in which at least one of the excluded entries must move.
  private static let movedYears = 5

  /// Whether an excluded entry moves in the coming years, if there is one. Reports an error if none does.
  func movesSoon(_ schedule: ComposedSchedule, _ fields: Fields) -> Bool {
    guard let now = reading.context.now, let item = fields["on-excluded"],
      let entry = schedule.firstIfNoneMoves(after: now, through: now + .days(366 * Int64(Self.movedYears))),
      let words = schedule.moveWords(of: entry), let zone
    else { return true }
    reading.log.error(
      "`\(item.path)` moves nothing in the next \(Self.movedYears) years: \(entry.text(in: zone)) is \(words)",
      at: item.place, label: "expected windows that let the entry's local time through on a day near it",
      help: ["widen the windows, or leave `on-excluded` out"])
    return false
  }
}
