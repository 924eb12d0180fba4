import TimelineCore

/// The choice of some entries of each period.
extension ScheduleReader {
  private static let pickExample =
    "the last entry of each month is pick = { per = \"month\", nth = [-1] }"

  /// Returns the choice that `item` describes; `nil` if it has an error.
  func pick(_ item: Item) -> EntryPick? {
    let example = [Self.pickExample]
    guard let entries = reading.table(item, expected: "a table with `per` and `nth`", help: example) else {
      return nil
    }
    let fields = Fields(entries, of: .pick, path: item.path + ".", in: reading)
    let missing = ["per", "nth"].filter { fields[$0] == nil }.map { "`\($0)`" }
    if !missing.isEmpty, entries.count == fields.ordered.count {
      reading.log.error(
        "`\(item.path)` has no \(missing.joined(separator: " and no "))", at: item.keyPlace,
        label: "expected \(missing.joined(separator: " and ")) in it", help: example)
    }
    let period = fields["per"].flatMap { reading.choice($0, of: EntryPick.Period.self) }
    let positions = fields["nth"].flatMap(positions)
    let weekStart = fields["week-starts"].map(weekday) ?? .monday
    if let period, period != .week, let item = fields["week-starts"] {
      reading.log.error(
        "`\(item.path)` stands beside per = \"\(period.rawValue)\"", at: item.keyPlace,
        label: "expected it beside per = \"week\"", help: ["leave it out"])
      return nil
    }
    guard let period, let positions, let weekStart else { return nil }
    return try? EntryPick(positions, per: period, weekStart: weekStart)
  }

  private func positions(_ item: Item) -> [Int]? {
    var help = ["such as [1] for the first, [-1] for the last, [-2] for the second to last"]
    if case .integer(let number) = item.value.content { help = ["write it in brackets: [\(number)]"] }
    guard let items = reading.array(item, expected: "an array of positions", help: help) else { return nil }
    let most = EntryPick.positionCountMax
    guard 1...most ~= items.count else {
      reading.log.error(
        items.isEmpty ? "`\(item.path)` is empty" : "`\(item.path)` has \(items.count) positions",
        at: item.place, label: "expected 1 to \(most)")
      return nil
    }
    let bound = Int64(EntryPick.positionMax)
    let positions = items.map { reading.integer($0, in: -bound...bound) }
    var isRight = !positions.contains(nil)
    for (index, position) in positions.enumerated() {
      guard let position else { continue }
      if position == 0 {
        reading.log.error(
          "`\(items[index].path)` is 0", at: items[index].place,
          label: "expected a position from 1 to \(bound) or from -1 to -\(bound)",
          help: ["the first is 1, and the last is -1"])
        isRight = false
      } else if let first = positions[..<index].firstIndex(of: position) {
        reading.log.error(
          "the position is given twice", at: items[index].place, label: "expected each position once",
          help: ["leave one of the two out"],
          notes: [Diagnostic.Note(message: "the first is here", place: items[first].place)])
        isRight = false
      }
    }
    return isRight ? positions.compactMap(\.self) : nil
  }

  /// Whether an entry is picked within the next 100 years, if the rules have one by then under `conditions`. Reports an error if
  /// none is. A schedule that its `limit` has ended is not judged.
  func picksSoon(
    _ schedule: ComposedSchedule, _ members: [ScheduleRule], _ conditions: ComposedSchedule.Conditions,
    _ fields: Fields
  ) -> Bool {
    guard let now = reading.context.now, let zone, let pick = conditions.pick, conditions.limit == nil,
      let item = fields["pick"]
    else { return true }
    let horizon = now + ConfigurationLimits.elapsedMax
    if let next = schedule.next(after: now), next <= horizon { return true }
    var all = conditions
    all.pick = nil
    guard let rule = try? ComposedSchedule(members, conditions: all, zone: zone),
      let next = rule.next(after: now), next <= horizon
    else { return true }
    reading.log.error(
      "`\(item.path)` chooses nothing within the next 100 years", at: item.place,
      label: "expected positions that entries of a \(pick.period.rawValue) have",
      help: ["without it, the schedule is next due at \(next)"])
    return false
  }
}
