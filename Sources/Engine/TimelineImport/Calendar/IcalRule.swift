/// The parts of an RRULE as text, for changes before it is read.
struct IcalRule: Sendable {
  private var parts: [(name: String, text: String)]

  /// Parts a text. A semicolon behind the last part, which some programs write, is left out.
  init(_ text: String) {
    let text = text.filter { $0 != " " }
    parts = text.split(separator: ";").map { part in
      let words = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (name: words[0].uppercased(), text: words.count > 1 ? "=\(words[1])" : "")
    }
  }

  var text: String { parts.map { $0.name + $0.text }.joined(separator: ";") }

  /// The value of a part in capitals; `nil` if the rule does not have the part.
  subscript(name: String) -> String? {
    parts.first { $0.name == name }.map { $0.text.dropFirst().uppercased() }
  }

  /// Whether a part begins with `BY`.
  var hasBy: Bool { parts.contains { $0.name.hasPrefix("BY") } }

  /// Whether the rule counts hours or shorter units.
  var isElapsed: Bool { ["HOURLY", "MINUTELY", "SECONDLY"].contains(self["FREQ"] ?? "") }

  /// Leaves out the times of the day, which RFC 5545 ignores for a start without a time, and the time of UNTIL.
  ///
  /// Returns whether the rule has changed.
  mutating func makeWholeDays() -> Bool {
    let former = text
    parts.removeAll { ["BYHOUR", "BYMINUTE", "BYSECOND"].contains($0.name) }
    for index in parts.indices where parts[index].name == "UNTIL" {
      parts[index].text = String(parts[index].text.prefix { $0 != "T" && $0 != "t" })
    }
    return text != former
  }

  /// The kinds of rules for which libical 3.0.16 has other times than RFC 5545: the sentence that it does not follow; `nil` for
  /// other rules.
  var faultOfLibical: String? {
    func has(_ name: String) -> Bool { self[name] != nil }
    let frequency = self["FREQ"] ?? ""
    let hasNegativeDays = self["BYMONTHDAY"]?.contains("-") == true
    if has("BYWEEKNO") {
      return "\"the week numbering defined in ISO 8601\"; without BYDAY the day is that of DTSTART"
    }
    if has("BYSETPOS"),
      frequency == "WEEKLY" || frequency == "DAILY" || hasNegativeDays
        || ["BYYEARDAY", "BYHOUR", "BYMINUTE", "BYSECOND"].contains(where: has)
    {
      return "\"BYSETPOS operates on a set of recurrence instances in one interval\", in order of time"
    }
    if has("BYYEARDAY"), has("BYMONTH") {
      return "\"BYxxx rule parts are applied to the current set of evaluated occurrences\": both must hold"
    }
    if isElapsed, hasBy { return "a part of FREQ or of a longer unit limits, and negative numbers count too" }
    if frequency == "WEEKLY", has("INTERVAL") {
      return "\"WKST is significant when a WEEKLY RRULE has an interval greater than 1\", MO by default"
    }
    if hasNegativeDays, frequency == "DAILY" {
      return "\"-10 represents the tenth to the last day of the month\", beside DAILY too"
    }
    if has("BYMONTHDAY"), frequency == "YEARLY", !has("BYMONTH") {
      return "BYMONTHDAY beside YEARLY expands, to each month"
    }
    return nil
  }
}
