extension CivilRecurrence: CustomStringConvertible {
  /// The rule as a configuration writes it, such as
  /// `{ every = "2 weeks", from = 2026-01-05, on = ["mon", "thu"], at = ["09:00"] }`; reading it returns the same rule.
  public var description: String {
    var parts = ["every = \"\(interval)\"", "from = \(from)"]
    if weekStart != .monday { parts.append("week-starts = \"\(weekStart.word)\"") }
    if unit == .weeks {
      parts.append("on = [\(weekdays.map { "\"\($0.word)\"" }.joined(separator: ", "))]")
    }
    if let shortMonth { parts.append("short-month = \"\(shortMonth.rawValue)\"") }
    parts.append("at = [\(timeWords.map { "\"\($0)\"" }.joined(separator: ", "))]")
    return "{ \(parts.joined(separator: ", ")) }"
  }

  /// The distance, such as `2 weeks` or `1 month`.
  var interval: String { Self.interval(every, unit) }

  /// A distance as it is written: `2 weeks`, `1 month`.
  package static func interval(_ every: Int, _ unit: Unit) -> String {
    "\(every) \(every == 1 ? unit.singular : unit.rawValue)"
  }

  /// The rule on one line of a table, without its zone.
  var summary: String {
    var text = "every \(interval) from \(from)"
    if weekStart != .monday { text += " week-starts \(weekStart.word)" }
    if unit == .weeks { text += " on \(CalendarExpression.text(ofWeekdays: weekdayBits))" }
    if let shortMonth { text += " short-month \(shortMonth.rawValue)" }
    return "\(text) at \(timeWords.joined(separator: ","))"
  }

  /// The rule as a sentence without a full stop, without its zone.
  var words: String {
    let dayWords: String
    switch unit {
    case .days: dayWords = ""
    case .weeks: dayWords = " on \(RuleWords.weekdays(weekdayBits))"
    case .months: dayWords = " on day \(from.day) of the month"
    case .years: dayWords = " on day \(from.day) of \(RuleWords.monthNames[from.month - 1])"
    }
    // As many as a rule of cron lists.
    let listed =
      times.count <= 6
      ? RuleWords.list(timeWords)
      : "\(times.count) times from \(timeWords[0]) to \(timeWords[times.count - 1])"
    var words = "at \(listed)\(dayWords), \(RuleWords.every(every, unit.singular)) from \(from)"
    if weekStart != .monday {
      words += ", in weeks that begin on \(RuleWords.weekdayNames[weekStart.rawValue % 7])"
    }
    switch shortMonth {
    case .last: words += ", or on the last day of a month without it"
    case .skip: words += ", not in a month without it"
    case nil: break
    }
    return words
  }

  private var timeWords: [String] { times.map(\.short) }
}

extension CivilRecurrence.Unit {
  /// The unit of a single one: `week`.
  package var singular: String { String(rawValue.dropLast()) }
}

extension Weekday {
  /// The day in three lower-case letters, as a configuration writes it: `mon`.
  package var word: String { CalendarWeekday.names[rawValue - 1].lowercased() }

  /// Makes the day from its name in any case, in full or in three letters.
  package init?(name: String) {
    guard let index = CalendarFieldParser.weekdayIndex(Array(name.utf8)[...]) else { return nil }
    self = Weekday.allCases[index]
  }
}
