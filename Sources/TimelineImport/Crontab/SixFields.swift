import TimelineCore

/// A line with a sixth time field: cron takes it for the user or the command.
enum SixFields {
  /// Both meanings of the line, where it is a rule with seconds: with all fields, and without the last.
  static func readings(_ five: String, _ sixth: Substring) -> String? {
    guard let withSeconds = withSeconds("\(five) \(sixth)"), let without = try? CronExpression(parsing: five)
    else { return nil }
    return "\(withSeconds); without the last field it is `\(five)`, \(without.words)"
  }

  /// The meaning of six fields at the beginning of a line, where they are a rule with seconds.
  static func withSeconds(_ line: String) -> String? {
    let six = line.split { " \t".contains($0) }.prefix(6).joined(separator: " ")
    guard let expression = try? CronExpression(parsing: six), six.split(separator: " ").count == 6 else {
      return nil
    }
    return "with seconds in front it is schedule = { cron = \"\(six)\" }, \(expression.words)"
  }
}
