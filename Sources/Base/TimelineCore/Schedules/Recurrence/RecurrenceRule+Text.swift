extension RecurrenceRule: CustomStringConvertible {
  /// The rule as a configuration writes it, such as `{ rrule = "FREQ=MONTHLY;BYDAY=-1FR", from = 2026-01-30T17:00:00 }`; reading it
  /// returns the same rule.
  public var description: String {
    var text = "{ rrule = \"\(content.parts)\", from = \(from.written)"
    for (key, times) in [("rdate", rdates), ("exdate", exdates)] where !times.isEmpty {
      text += ", \(key) = [\(times.map(\.written).joined(separator: ", "))]"
    }
    return text + " }"
  }

  /// Returns the rule on one line, such as `rrule FREQ=MONTHLY;BYDAY=-1FR from 2026-01-30T17:00:00 in Europe/Berlin`.
  public func summary(in zone: Zone) -> String {
    var text = "rrule \(content.parts) from \(from.written)"
    if !content.added.isEmpty { text += " rdate \(rdates.map(\.written).joined(separator: ","))" }
    if !content.removed.isEmpty { text += " exdate \(exdates.map(\.written).joined(separator: ","))" }
    return "\(text) in \(zone.name)"
  }

  /// The rule as a sentence without a full stop, without its zone.
  var words: String {
    let parts = content.parts
    let unit = ["year", "month", "week", "day", "hour", "minute", "second"][parts.frequency.rawValue]
    var words = RuleWords.every(parts.interval, unit)
    for (part, word) in Self.partWords where !parts[part].isEmpty {
      let names = parts[part].map { Self.name($0, part) }
      words += " \(word) \(RuleWords.list(names))"
    }
    if !parts[.bySetPos].isEmpty { words += " of each \(unit)" }
    if parts.weekStart != 1 { words += ", in weeks that begin on \(RuleWords.weekdayNames[parts.weekStart])" }
    words += ", from \(from.date) at \(from.time.short)"
    if let count = parts[.count].first { words += ", \(RuleWords.count(count, "time")) at most" }
    if let until = parts.until {
      let end = CivilDateTime(secondsSinceEpoch: until.second)
      words +=
        until.kind == .date ? ", until \(end.date)" : ", until \(end)\(until.kind == .utc ? " UTC" : "")"
    }
    let (added, removed) = (content.added.count, content.removed.count)
    if added > 0 { words += ", and at \(RuleWords.count(added, "more time"))" }
    if removed > 0 { words += ", without \(RuleWords.count(removed, "time"))" }
    return words
  }

  private static let partWords: [(RecurrenceParts.Part, String)] = [
    (.byMonth, "in"), (.byWeekNo, "in"), (.byYearDay, "on"), (.byMonthDay, "on"), (.byDay, "on"),
    (.byHour, "in"), (.byMinute, "at"), (.bySecond, "at"), (.bySetPos, "and only"),
  ]

  private static func name(_ value: Int, _ part: RecurrenceParts.Part) -> String {
    switch part {
    case .byMonth: return RuleWords.monthNames[value - 1]
    case .byWeekNo: return "the \(ordinal(value)) week"
    case .byYearDay: return "the \(ordinal(value)) day of the year"
    case .byMonthDay: return "the \(ordinal(value)) day of the month"
    case .byDay:
      let day = RuleWords.weekdayNames[value & 7]
      return value >> 3 == 0 ? day : "the \(ordinal(value >> 3)) \(day)"
    case .byHour: return "hour \(value)"
    case .byMinute: return "minute \(value)"
    case .bySecond: return "second \(value)"
    default: return "the \(ordinal(value))"
    }
  }

  /// `1st`, `2nd`, `last`, `2nd last`.
  private static func ordinal(_ number: Int) -> String {
    let size = abs(number)
    let ending = size / 10 % 10 == 1 ? "th" : ["th", "st", "nd", "rd"][size % 10 < 4 ? size % 10 : 0]
    return number == -1 ? "last" : "\(size)\(ending)\(number < 0 ? " last" : "")"
  }
}

extension RuleWords {
  /// `1 time`, `2 times`.
  fileprivate static func count(_ number: Int, _ unit: String) -> String {
    "\(number) \(unit)\(number == 1 ? "" : "s")"
  }
}
