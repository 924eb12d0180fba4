import TimelineCore

/// A line with a sixth time field, which cron parses as the user or the command.
enum SixFields {
  /// Returns both meanings of a line that may be a rule with seconds: with all fields, and without the last field.
  /// `nil` for any other line.
  static func readings(_ five: String, _ sixth: Substring) -> String? {
    let six = "\(five) \(sixth)"
    guard let all = withSeconds(six) ?? ofOthers(six), let without = try? CronExpression(parsing: five)
    else { return nil }
    return "\(all); without the last field it is `\(five)`, \(without.words)"
  }

  /// Returns the meaning of the six fields at the beginning of a line; `nil` if they are no rule with seconds.
  static func withSeconds(_ line: String) -> String? {
    let six = line.split { " \t".contains($0) }.prefix(6).joined(separator: " ")
    guard let expression = try? CronExpression(parsing: six), six.split(separator: " ").count == 6 else {
      return nil
    }
    return "with seconds in front it is schedule = { cron = \"\(six)\" }, \(expression.words)"
  }

  /// Returns the scheduler of a rule with `?` at the beginning of a line, such as AWS's, and the rule in words of
  /// cron.
  static func ofOthers(_ line: String) -> String? {
    let rule = line.split { " \t".contains($0) }.prefix(7).prefix(while: isField)
    guard rule.count > 4, rule.contains("?") else { return nil }
    do throws(TextError) {
      _ = try CronExpression(parsing: rule.joined(separator: " "))
      return nil
    } catch {
      return ([error.reason] + error.help).joined(separator: ": ")
    }
  }

  /// Whether a word may be a field of a rule: numbers, or names of days or months. Users and commands are no fields.
  private static func isField(_ word: Substring) -> Bool {
    word.split { ",-/#".contains($0) }.allSatisfy { part in
      let text = part.hasSuffix("L") || part.hasSuffix("W") ? part.dropLast() : part
      return ["", "*", "?", "L"].contains(text) || Int(text) != nil
        || CrontabFields.Field.allCases.contains { $0.value(ofName: text) != nil }
    }
  }
}
