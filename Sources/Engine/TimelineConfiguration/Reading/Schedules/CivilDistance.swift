import TimelineCore

/// The distance of a civil rule as text, such as `2 weeks`.
enum CivilDistance {
  typealias Distance = (every: Int, unit: CivilRecurrence.Unit)

  /// Returns the distance that a text names, with its number out of range, too; `nil` for a text in another form.
  static func parse(_ text: String) -> Distance? {
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 2, !words[0].isEmpty, words[0].utf8.allSatisfy({ 48...57 ~= $0 }),
      let unit = CivilRecurrence.Unit.allCases.first(where: {
        $0.rawValue == words[1] || $0.singular == words[1]
      })
    else { return nil }
    return (Int(words[0]) ?? .max, unit)
  }

  /// Returns the distance that a text in other words probably means, such as `weekly`, `every 2 wk`, `2w` or `3 quarters`.
  static func resembling(_ text: String) -> Distance? {
    var words = text.lowercased().split { $0 == " " || $0 == "-" }
    if words.first == "every" || words.first == "each" { words.removeFirst() }
    var rest = words.joined()[...]
    let digits = rest.prefix { $0.isNumber }
    rest = rest.dropFirst(digits.count)
    var count = digits.isEmpty ? 1 : Int(digits) ?? 0
    if digits.isEmpty, rest.hasPrefix("other") {
      count = 2
      rest = rest.dropFirst("other".count)
    }
    guard let row = rows.first(where: { $0.names.contains(String(rest)) }),
      1...CivilRecurrence.everyMax ~= count, 1...CivilRecurrence.everyMax ~= count * row.factor
    else { return nil }
    return (count * row.factor, row.unit)
  }

  /// Words of other programs for a number of units.
  private static let rows: [(names: [String], factor: Int, unit: CivilRecurrence.Unit)] = [
    (["d", "day", "days", "daily"], 1, .days),
    (["w", "wk", "wks", "week", "weeks", "weekly"], 1, .weeks),
    (["fortnight", "fortnights", "fortnightly", "biweekly"], 2, .weeks),
    (["mo", "month", "months", "monthly"], 1, .months),
    (["q", "quarter", "quarters", "quarterly"], 3, .months),
    (["y", "yr", "yrs", "year", "years", "yearly", "annually"], 1, .years),
  ]
}
