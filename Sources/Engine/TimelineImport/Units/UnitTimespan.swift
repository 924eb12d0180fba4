import TimelineCore

/// Time spans of systemd.time(7), for example `1h 30min` or `90`.
enum UnitTimespan {
  /// Names of the units, and their lengths in microseconds.
  private static let units: [(names: [String], microseconds: Int64)] = [
    (["usec", "us", "μs"], 1), (["msec", "ms"], 1_000), (["seconds", "second", "sec", "s", ""], 1_000_000),
    (["minutes", "minute", "min", "m"], 60_000_000), (["hours", "hour", "hr", "h"], 3_600_000_000),
    (["days", "day", "d"], 86_400_000_000), (["weeks", "week", "w"], 604_800_000_000),
    (["months", "month", "M"], 2_629_800_000_000), (["years", "year", "y"], 31_557_600_000_000),
  ]

  /// Parses a time span; `nil` for `infinity` and for a text that is no time span.
  static func parse(_ text: String) -> ElapsedTime? {
    var rest = text.trimmed[...]
    guard !rest.isEmpty else { return nil }
    var total: Int64 = 0
    while !rest.isEmpty {
      let digits = rest.prefix { $0.isASCII && $0.isNumber || $0 == "." }
      rest = rest.dropFirst(digits.count).drop { $0 == " " }
      let word = rest.prefix { !$0.isNumber && $0 != " " }
      rest = rest.dropFirst(word.count).drop { $0 == " " }
      guard let unit = units.first(where: { $0.names.contains(String(word)) }),
        let part = microseconds(digits, unit.microseconds)
      else { return nil }
      let (sum, overflow) = total.addingReportingOverflow(part)
      if overflow { return nil }
      total = sum
    }
    let (nanoseconds, overflow) = total.multipliedReportingOverflow(by: 1_000)
    return overflow ? nil : ElapsedTime(nanoseconds: nanoseconds)
  }

  private static func microseconds(_ digits: Substring, _ unit: Int64) -> Int64? {
    if let whole = Int64(digits) {
      let (product, overflow) = whole.multipliedReportingOverflow(by: unit)
      return overflow ? nil : product
    }
    guard let number = Double(digits), number >= 0, number * Double(unit) < 9e15 else { return nil }
    return Int64((number * Double(unit)).rounded())
  }
}
