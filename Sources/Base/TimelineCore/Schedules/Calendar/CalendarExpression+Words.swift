extension CalendarExpression {
  /// The rule in words, without a zone and without the symbols of its language.
  var words: String {
    let fields = storage.fields
    var words = ""
    var second = 0
    if storage.seconds.count == 1, storage.seconds[0] % 1_000_000 == 0 {
      second = storage.seconds[0] / 1_000_000
    } else if case .progression(0, let step, _) = storage.seconds, SecondsOfMinute.minute % step == 0,
      fields.seconds[0].stop == nil
    {
      words = step == 1_000_000 ? "every second, " : "every \(ElapsedTime.microseconds(Int64(step))), "
    } else {
      words = RuleWords.seconds(fields.seconds) + ", "
    }
    words += RuleWords.times(hours: storage.hours, minutes: storage.minutes, second: second)
    return "\(words) \(dayWords)\(monthWords)"
  }

  private var dayWords: String {
    let fields = storage.fields
    let weekdays = fields.weekdays == 0x7F ? nil : RuleWords.weekdays(fields.weekdays)
    guard !fields.days.isEmpty else { return "on \(weekdays ?? "every day")" }
    // Days of a month of 31 days; counted from the end, the last is day 1.
    let days = storage.days[3]
    let text =
      fields.daysCountFromEnd
      ? RuleWords.lastDays((1...31).reduce(0) { $0 | (days >> UInt64(32 - $1) & 1) << UInt64($1) })
      : days == 0xFFFF_FFFE ? "every day" : "day " + RuleWords.numbers(days, in: 1...31)
    return weekdays.map { "on \(text) of the month, if it is \($0)" } ?? "on \(text) of the month"
  }

  private var monthWords: String {
    let fields = storage.fields
    let months =
      fields.months.isEmpty
      ? "" : " in " + RuleWords.numbers(storage.months, in: 1...12) { RuleWords.monthNames[$0 - 1] }
    return fields.years.isEmpty ? months : "\(months) in \(RuleWords.years(fields.years))"
  }
}

extension RuleWords {
  /// Days counted from the end of a month; bit 1 is the last: `the last day`, `the last 7 days`, `day 3 and 5 from the end`.
  static func lastDays(_ mask: UInt64) -> String {
    if mask == 2 { return "the last day" }
    // Consecutive days at the end.
    let count = mask.nonzeroBitCount
    if mask == 2 << UInt64(count) - 2 { return "the last \(count) days" }
    return "day \(numbers(mask, in: 1...31)) from the end"
  }

  /// Seconds of a minute: `at second 1.5 and 30 to 40`, `every 250ms from second 1.5 on`.
  static func seconds(_ components: [CalendarComponent]) -> String {
    let unit = CalendarField.second.unit
    func text(_ microseconds: Int) -> String {
      var text = ASCIIText()
      text.append(UInt64(microseconds / unit))
      text.append(fraction: UInt64(microseconds % unit), digits: 6)
      return text.string
    }
    let plain = components.filter { $0.step == 0 || $0.step == unit && $0.stop != nil }
    let parts = components.filter { !plain.contains($0) }.map { component in
      let step =
        "every \(ElapsedTime.microseconds(Int64(component.step))) from second \(text(component.start))"
      return step + (component.stop.map { " to \(text($0))" } ?? " on")
    }
    let numbers = plain.map { component in
      text(component.start) + (component.stop.map { " to \(text($0))" } ?? "")
    }
    return list((numbers.isEmpty ? [] : ["at second \(list(numbers))"]) + parts)
  }

  /// Years: `the year 2026`, `the years 2020 to 2022 and 2030`, `every 2 years from 2020 to 2030`.
  static func years(_ components: [CalendarComponent]) -> String {
    let plain = components.filter { $0.step == 0 || $0.step == 1 && $0.stop != nil }
    let parts = components.filter { !plain.contains($0) }.map { component in
      "\(every(component.step, "year")) from \(component.start)\(component.stop.map { " to \($0)" } ?? " on")"
    }
    let numbers = plain.map { component in "\(component.start)\(component.stop.map { " to \($0)" } ?? "")" }
    let isOne = plain.count == 1 && plain[0].stop == nil
    return list((numbers.isEmpty ? [] : ["the year\(isOne ? "" : "s") \(list(numbers))"]) + parts)
  }
}

extension CivilWindow {
  /// The window in words, such as `Monday to Friday from 08:00 to 18:00`.
  var words: String {
    var words: [String] = []
    switch days {
    case .weekdays(let mask): words.append(mask == 0x7F ? "every day" : RuleWords.weekdays(mask))
    case .dates(let range):
      let first = CivilDate(uncheckedDaysSinceEpoch: range.lowerBound)
      let last = CivilDate(uncheckedDaysSinceEpoch: range.upperBound)
      words.append(first == last ? "\(first)" : "\(first) to \(last)")
    case .holidays(let list):
      words.append("the holidays \(list.name)")
      // After it, no day is a holiday.
      if let last = lastDate { words.append("(the last known day is \(last))") }
    }
    if let hours { words.append("from \(Self.text(hours.from)) to \(Self.text(hours.to))") }
    return words.joined(separator: " ")
  }
}
