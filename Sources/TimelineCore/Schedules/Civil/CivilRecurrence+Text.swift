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
  fileprivate var singular: String { String(rawValue.dropLast()) }
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

extension CivilRecurrence {
  /// Returns the distance that a text such as `2 weeks` names, with its number out of range, too; `nil` for any other text.
  package static func interval(parsing text: String) -> (every: Int, unit: Unit)? {
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 2, !words[0].isEmpty, words[0].utf8.allSatisfy(\.isDigit),
      let unit = Unit.allCases.first(where: { $0.rawValue == words[1] || $0.singular == words[1] })
    else { return nil }
    return (Array(words[0].utf8).decimal() ?? .max, unit)
  }

  /// Returns the distance that a text in other words probably means, such as `weekly`, `every 2 wk`, `2w` or `3 quarters`.
  package static func interval(resembling text: String) -> (every: Int, unit: Unit)? {
    var cursor = ByteCursor(text.utf8.map(\.asLowercase))
    func skipSpaces() { _ = cursor.takeAll { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "-") } }
    skipSpaces()
    for word in ["every", "each"] where cursor.take(word) { break }
    skipSpaces()
    var count = 1
    let digits = cursor.takeDigits(upTo: 4)
    if !digits.isEmpty { count = digits.decimal() ?? 0 } else if cursor.take("other") { count = 2 }
    skipSpaces()
    let word = cursor.takeAll(where: \.isLetter)
    guard cursor.isAtEnd, let row = words.first(where: { $0.names.contains { word.elementsEqual($0.utf8) } }),
      1...everyMax ~= count * row.factor
    else { return nil }
    return (count * row.factor, row.unit)
  }

  /// Words of other programs for a number of units.
  private static let words: [(names: [String], factor: Int, unit: Unit)] = [
    (["d", "day", "days", "daily"], 1, .days),
    (["w", "wk", "wks", "week", "weeks", "weekly"], 1, .weeks),
    (["fortnight", "fortnights", "fortnightly", "biweekly"], 2, .weeks),
    (["mo", "month", "months", "monthly"], 1, .months),
    (["q", "quarter", "quarters", "quarterly"], 3, .months),
    (["y", "yr", "yrs", "year", "years", "yearly", "annually"], 1, .years),
  ]
}
