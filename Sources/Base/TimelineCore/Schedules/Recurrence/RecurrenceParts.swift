/// The parts of an RRULE as they are written (RFC 5545, section 3.3.10).
final class RecurrenceParts: Sendable {
  /// The units of a rule, as FREQ names them.
  enum Frequency: Int {
    case yearly, monthly, weekly, daily, hourly, minutely, secondly

    /// Whether the rule steps in elapsed time.
    var isElapsed: Bool { rawValue >= Self.hourly.rawValue }
  }

  /// The names of the parts, in the order of the canonical form. The raw value is an index into ``names``.
  enum Part: Int, CaseIterable {
    case freq, until, count, interval, bySecond, byMinute, byHour, byDay, byMonthDay, byYearDay, byWeekNo,
      byMonth
    case bySetPos, wkst
  }

  static let names = [
    "FREQ", "UNTIL", "COUNT", "INTERVAL", "BYSECOND", "BYMINUTE", "BYHOUR", "BYDAY", "BYMONTHDAY",
    "BYYEARDAY", "BYWEEKNO", "BYMONTH", "BYSETPOS", "WKST",
  ]
  static let frequencies = ["YEARLY", "MONTHLY", "WEEKLY", "DAILY", "HOURLY", "MINUTELY", "SECONDLY"]
  static let weekdays = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"]

  /// The values of each part, ascending; empty for a part that is not given. A day of the week is 8 times its number, 0 without
  /// one, plus 0 for Sunday to 6. UNTIL has the kind of its text and seconds since 1970.
  let values: [[Int]]

  init(_ values: [[Int]]) {
    self.values = values
  }

  subscript(part: Part) -> [Int] { values[part.rawValue] }

  var frequency: Frequency { Frequency(rawValue: self[.freq][0]) ?? .yearly }
  var interval: Int { self[.interval].first ?? 1 }
  /// The first day of a week, 0 for Sunday; Monday by default.
  var weekStart: Int { self[.wkst].first ?? 1 }

  /// The kinds of the text of UNTIL.
  enum UntilKind: Int { case date, local, utc }

  /// The end in seconds since 1970 on the clock of its kind; the last second of a date.
  var until: (kind: UntilKind, second: Int)? {
    let values = self[.until]
    return values.isEmpty ? nil : (UntilKind(rawValue: values[0]) ?? .utc, values[1])
  }
}

extension RecurrenceParts: CustomStringConvertible {
  /// The canonical form: parts in a fixed order, numbers ascending, without what is the default.
  var description: String {
    var parts: [String] = []
    for part in Part.allCases where !self[part].isEmpty {
      let text: String
      switch part {
      case .freq: text = Self.frequencies[frequency.rawValue]
      case .until: text = untilText
      case .interval where interval == 1: continue
      case .wkst where weekStart == 1: continue
      case .byDay, .wkst: text = self[part].map(Self.text).joined(separator: ",")
      default: text = self[part].map(String.init).joined(separator: ",")
      }
      parts.append("\(Self.names[part.rawValue])=\(text)")
    }
    return parts.joined(separator: ";")
  }

  private static func text(ofDay code: Int) -> String {
    (code >> 3 == 0 ? "" : "\(code >> 3)") + weekdays[code & 7]
  }

  private var untilText: String {
    guard let until else { return "" }
    let text = CivilDateTime(secondsSinceEpoch: until.second).written.filter { $0 != "-" && $0 != ":" }
    return until.kind == .date ? String(text.prefix(8)) : text + (until.kind == .utc ? "Z" : "")
  }
}

extension CivilDateTime {
  /// Makes the time that lies whole seconds after 1970-01-01T00:00:00 on the same clock, unchecked.
  init(secondsSinceEpoch second: Int) {
    let day = second.flooredQuotient(by: 86_400)
    self.init(
      date: CivilDate(uncheckedDaysSinceEpoch: day),
      time: CivilTime(uncheckedSecondOfDay: second - day * 86_400, nanosecond: 0))
  }

  /// The time as a configuration writes it: `2026-01-30T17:00:00`.
  package var written: String { "\(date)T\(time)" }
}
