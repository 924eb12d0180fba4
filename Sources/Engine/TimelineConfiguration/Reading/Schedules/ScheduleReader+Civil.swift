import TimelineCore

/// Every n days, weeks, months or years at local time.
extension ScheduleReader {
  /// Returns the rule of `civil`; `dst` is the key beside it.
  func civil(_ item: Item, daylightSaving dst: Item?) -> ScheduleRule? {
    let policy = dst.map { daylightSaving($0) } ?? DaylightSavingPolicy()
    let example = [Self.example(of: .civil)]
    guard let entries = reading.table(item, expected: "a table with `every`, `from` and `at`", help: example)
    else { return nil }
    let fields = Fields(entries, of: .civil, path: item.path + ".", in: reading)
    let missing = ["every", "from", "at"].filter { fields[$0] == nil }.map { "`\($0)`" }
    if !missing.isEmpty, entries.count == fields.ordered.count {
      reading.log.error(
        "`\(item.path)` has no \(missing.joined(separator: " and no "))", at: item.keyPlace,
        label: "expected \(missing.joined(separator: " and ")) in it", help: example)
    }
    let distance = fields["every"].flatMap(distance)
    let from = fields["from"].flatMap(date)
    let times = fields["at"].flatMap(times)
    let weekdays = fields["on"].map(weekdays) ?? []
    let weekStart = fields["week-starts"].map(weekday) ?? .monday
    let choice = fields["short-month"].map { reading.choice($0, of: CivilRecurrence.ShortMonth.self) }
    guard let distance, isForUnit(distance.unit, fields), let from, isComplete(distance.unit, from, fields),
      let weekdays, let weekStart, choice.map({ $0 != nil }) ?? true, let times, let zone, let policy,
      let recurrence = try? CivilRecurrence(
        every: distance.every, distance.unit, from: from, at: times, on: Set(weekdays), weekStart: weekStart,
        shortMonth: choice ?? nil)
    else { return nil }
    let rule = ScheduleRule.civil(CivilSchedule(recurrence: recurrence, zone: zone, daylightSaving: policy))
    guard let first = fields["from"], let every = fields["every"] else { return nil }
    return isSoon(rule, from: first, distance: every) ? rule : nil
  }

  // MARK: the distance

  private func distance(_ item: Item) -> CivilDistance.Distance? {
    let expected = "a number of days, weeks, months or years such as \"2 weeks\""
    guard case .string(let text) = item.value.content else {
      var help: [String] = []
      if case .integer(let number) = item.value.content { help = ["write its unit too: \"\(number) days\""] }
      reading.wrongKind(item, expected: expected, help: help)
      return nil
    }
    guard let distance = CivilDistance.parse(text) else {
      reading.log.error(
        "`\(item.path)` is not a number of days, weeks, months or years", at: item.place,
        label: "expected \(expected)", help: Self.distanceHelp(text))
      return nil
    }
    let range = 1...CivilRecurrence.everyMax
    guard range ~= distance.every else {
      let nearest = CivilRecurrence.interval(distance.every < 1 ? 1 : range.upperBound, distance.unit)
      reading.log.error(
        "`\(item.path)` is out of range", at: item.place,
        label: "expected 1 to \(range.upperBound) \(distance.unit.rawValue)",
        help: ["the nearest is \"\(nearest)\""])
      return nil
    }
    return distance
  }

  /// Remedies for a text that is not a distance: the same in valid words, or an interval of elapsed time.
  private static func distanceHelp(_ text: String) -> [String] {
    var help: [String] = []
    if let near = CivilDistance.resembling(text) {
      help.append("did you mean \"\(CivilRecurrence.interval(near.every, near.unit))\"?")
    }
    var elapsed: ElapsedTime?
    do throws(TextError) {
      elapsed = try ElapsedTime(parsing: text)
    } catch {
      if help.isEmpty { elapsed = error.suggestion.flatMap { try? ElapsedTime(parsing: $0) } }
    }
    if let elapsed, elapsed > .zero {
      let hour = ElapsedTime.hours(1).nanoseconds
      let length = elapsed.nanoseconds % hour == 0 ? "\(elapsed.nanoseconds / hour) hours" : "\(elapsed)"
      help.append("\(length) of elapsed time are { periodic = { by = \"\(elapsed)\" } }")
    }
    return help
  }

  // MARK: the first date

  private func date(_ item: Item) -> CivilDate? {
    let expected = "a date such as 2026-01-05"
    var help: [String] = []
    switch item.value.content {
    case .localDate(let date): return date
    case .localDateTime(let civil), .offsetDateTime(let civil, _):
      help = ["write the date alone: \(civil.date); the times of the day stand in `at`"]
    case .string(let text) where (try? WallInstant(rfc3339: "\(text)T00:00:00Z")) != nil:
      help = ["write it without quotes: \(text)"]
    default: break
    }
    reading.wrongKind(item, expected: expected, help: help)
    return nil
  }

  /// Whether the choice for months without the day is there where it is needed.
  private func isComplete(_ unit: CivilRecurrence.Unit, _ from: CivilDate, _ fields: Fields) -> Bool {
    let isNeeded = CivilRecurrence.needsShortMonth(unit, from: from)
    if let choice = fields["short-month"] {
      guard !isNeeded else { return true }
      reading.log.warning(
        "`\(choice.path)` changes nothing: each of the months has a day \(from.day)", at: choice.keyPlace,
        help: ["leave it out"])
    } else if isNeeded, let item = fields["from"] {
      let day = unit == .years ? "29 February, which most years" : "day \(from.day), which some months"
      reading.log.error(
        "`\(item.path)` is on \(day) do not have", at: item.place, label: "expected `short-month` beside it",
        help: ["\"last\" takes the last day of a month without the day, \"skip\" leaves the month out"])
      return false
    }
    return true
  }

  /// Whether the first entry lies within the next 100 years. Warns if there are entries, but none in the next 100 years.
  func isSoon(_ rule: ScheduleRule, from: Item, distance: Item) -> Bool {
    let now = reading.context.now
    let horizon = now.map { $0 + ConfigurationLimits.elapsedMax } ?? .max
    guard let first = rule.next(after: .min), first <= horizon else {
      reading.log.error(
        "`\(from.path)` is too late: the schedule is never due within the next 100 years",
        at: from.place, label: "expected a date before \(CivilDateTime(horizon, offset: 0).date)")
      return false
    }
    if let now, let next = rule.next(after: now), next > horizon {
      reading.log.warning(
        "the schedule is never due within the next 100 years", at: distance.place,
        label: "the next entry is \(next)", help: ["choose a smaller number, or write `enabled = false`"])
    }
    return true
  }

  // MARK: times and days

  private func times(_ item: Item) -> [CivilTime]? {
    var help = [Self.example(of: .civil)]
    if case .string(let text) = item.value.content { help = ["write it in brackets: [\"\(text)\"]"] }
    guard let items = reading.array(item, expected: "an array of times of the day", help: help) else {
      return nil
    }
    let range = 1...CivilRecurrence.timeCountMax
    guard range ~= items.count else {
      reading.log.error(
        items.isEmpty ? "`\(item.path)` is empty" : "`\(item.path)` has \(items.count) times", at: item.place,
        label: "expected 1 to \(range.upperBound)",
        help: items.isEmpty ? [] : ["so many times of a day are a rule: { calendar = \"*:00/15\" }"])
      return nil
    }
    let times = items.map(time)
    var isAscending = true
    for index in items.indices.dropFirst() {
      guard let previous = times[index - 1], let time = times[index], time <= previous else { continue }
      isAscending = false
      reading.log.error(
        time == previous ? "the time is given twice" : "the time is earlier than the one before it",
        at: items[index].place, label: "expected a time after \(previous)",
        help: [time == previous ? "leave one of the two out" : "put the times in ascending order"],
        notes: [Diagnostic.Note(message: "the one before it", place: items[index - 1].place)])
    }
    return isAscending && !times.contains(nil) ? times.compactMap(\.self) : nil
  }

  private func time(_ item: Item) -> CivilTime? {
    let expected = "a time from \"00:00\" to \"23:59:59\""
    guard case .string(let text) = item.value.content else {
      var help: [String] = []
      if case .localTime(let time) = item.value.content { help = ["write it in quotes: \"\(time)\""] }
      reading.wrongKind(item, expected: expected, help: help)
      return nil
    }
    if let time = Self.time(text) { return time }
    reading.log.error(
      "`\(item.path)` is not a time of the day", at: item.place, label: "expected \(expected)",
      help: Self.nearTime(text).map { ["did you mean \"\($0)\"?"] } ?? [])
    return nil
  }

  /// Returns the time of `HH:MM` or `HH:MM:SS`.
  private static func time(_ text: some StringProtocol) -> CivilTime? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { $0.utf8.count == 2 && $0.allSatisfy(\.isNumber) ? Int($0) : nil }
    guard numbers.count == parts.count, 2...3 ~= parts.count else { return nil }
    return CivilTime(hour: numbers[0], minute: numbers[1], second: numbers.count > 2 ? numbers[2] : 0)
  }

  /// Returns the time that a text such as `9:00`, `9 am` or `noon` means.
  private static func nearTime(_ text: String) -> String? {
    var rule: CalendarExpression?
    do throws(TextError) {
      rule = try CalendarExpression(parsing: text)
    } catch {
      rule = error.suggestion.flatMap { try? CalendarExpression(parsing: $0) }
    }
    let everyDay = "*-*-* "
    guard let form = rule?.description, form.hasPrefix(everyDay),
      let time = time(form.dropFirst(everyDay.count))
    else { return nil }
    return "\(time)".hasSuffix(":00") ? String("\(time)".dropLast(3)) : "\(time)"
  }

  private func weekdays(_ item: Item) -> [Weekday]? {
    var help = ["such as [\"mon\", \"thu\"]"]
    if case .string(let text) = item.value.content, Weekday(name: text) != nil {
      help = ["write it in brackets: [\"\(text)\"]"]
    }
    guard let items = reading.array(item, expected: "an array of days of the week", help: help) else {
      return nil
    }
    guard !items.isEmpty else {
      reading.log.error(
        "`\(item.path)` is empty", at: item.place, label: "expected 1 to 7 days of the week",
        help: ["without it, the weekday of `from` is taken"])
      return nil
    }
    let weekdays = items.map(weekday)
    for index in items.indices {
      guard let day = weekdays[index], let first = weekdays[..<index].firstIndex(of: day) else { continue }
      reading.log.error(
        "the day is given twice", at: items[index].place, label: "expected each day once",
        help: ["leave one of the two out"],
        notes: [Diagnostic.Note(message: "the first is here", place: items[first].place)])
      return nil
    }
    return weekdays.contains(nil) ? nil : weekdays.compactMap(\.self)
  }

  func weekday(_ item: Item) -> Weekday? {
    let words = Weekday.allCases.map(\.word)
    guard let text = reading.string(item, expected: "a day of the week such as \"mon\"") else { return nil }
    if let day = Weekday.allCases.first(where: { $0.word == text }) { return day }
    let near = Weekday(name: text)?.word ?? Spelling.nearest(to: text.lowercased(), among: words)
    reading.log.error(
      "`\(item.path)` cannot be \"\(text)\"", at: item.place,
      label: "expected \(Spelling.alternatives(words))",
      help: near.map { ["did you mean \"\($0)\"?"] } ?? [])
    return nil
  }

  /// Whether no key stands beside a unit that it does not belong to.
  private func isForUnit(_ unit: CivilRecurrence.Unit, _ fields: Fields) -> Bool {
    var isRight = true
    for key in ["on", "week-starts", "short-month"] {
      let isForWeeks = key != "short-month"
      let isMisplaced = isForWeeks ? unit != .weeks : unit == .days || unit == .weeks
      guard isMisplaced, let item = fields[key] else { continue }
      isRight = false
      reading.log.error(
        "`\(item.path)` stands beside \(unit.rawValue)", at: item.keyPlace,
        label: "expected it beside \(isForWeeks ? "weeks" : "months or years")",
        help: [key == "on" && unit == .months ? Self.monthlyHelp : "leave it out"])
    }
    return isRight
  }

  private static let monthlyHelp =
    "the first Monday of each month is { calendar = \"Mon *-*-01..07 09:00\" }; `on` is for weeks"
}
