import TimelineCore

/// A line with a sixth time field, which cron interprets as the user or the command.
enum SixFields {
  /// Returns both meanings of a line that may be a rule with seconds: with all fields, and without the last one. `nil` if
  /// it is no such rule.
  static func readings(_ five: String, _ sixth: Substring) -> String? {
    guard let withSeconds = withSeconds("\(five) \(sixth)"), let without = try? CronExpression(parsing: five)
    else { return nil }
    return "\(withSeconds); without the last field it is `\(five)`, \(without.words)"
  }

  /// Returns the meaning of the six fields at the beginning of a line; `nil` if they are no rule with seconds.
  static func withSeconds(_ line: String) -> String? {
    let six = line.split { " \t".contains($0) }.prefix(6).joined(separator: " ")
    guard let expression = try? CronExpression(parsing: six), six.split(separator: " ").count == 6 else {
      return nil
    }
    return "with seconds in front it is schedule = { cron = \"\(six)\" }, \(expression.words)"
  }
}
