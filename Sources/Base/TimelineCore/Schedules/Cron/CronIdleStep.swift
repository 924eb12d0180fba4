/// A step past the end of its field, such as `*/90` for minutes: Debian's cron accepts it and allows the first number
/// alone.
struct CronIdleStep {
  let range: Range<Int>
  let field: CronField
  let step: Int
  /// Whether the step applies to the whole field and not to a range.
  let isStar: Bool

  /// The warning for the step in a rule that was read.
  func warning(in bytes: [UInt8], of rule: CronExpression) -> RuleWarning {
    let text = String(decoding: bytes[range], as: UTF8.self)
    // Only the first number is left; for "*" it is the lowest.
    let first = isStar ? String(field.bounds.lowerBound) : String(text.prefix { $0 != "-" && $0 != "/" })
    var help = ["the rule runs \(rule.words)"]
    let standsAlone =
      (range.lowerBound == 0 || Self.isBlank(bytes[range.lowerBound - 1]))
      && (range.upperBound == bytes.count || Self.isBlank(bytes[range.upperBound]))
    if isStar, standsAlone, let unit {
      help.append("for every \(step) \(field.noun)s use periodic: { periodic = { by = \"\(step)\(unit)\" } }")
    }
    return RuleWarning(
      offset: range.lowerBound, length: range.count,
      message:
        "\"\(text)\" means only \(field.noun) \(first), since no other \(field.noun) is \(step) further on",
      help: help)
  }

  /// The unit for an interval of this step; `nil` if the unit has no fixed length.
  private var unit: String? {
    switch field {
    case .second: "s"
    case .minute: "m"
    case .hour: "h"
    case .dayOfMonth: "d"
    case .month, .dayOfWeek: nil
    }
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
  }
}
