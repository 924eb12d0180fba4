/// The words for whole rules.
enum CronShorthand {
  static let rules: [(name: String, rule: String)] = [
    ("@yearly", "0 0 1 1 *"), ("@annually", "0 0 1 1 *"), ("@monthly", "0 0 1 * *"),
    ("@weekly", "0 0 * * 0"), ("@daily", "0 0 * * *"), ("@midnight", "0 0 * * *"), ("@hourly", "0 * * * *"),
  ]

  /// Returns the rule that the shorthand stands for, which must be the only field.
  static func rule(_ bytes: [UInt8], _ fields: [Range<Int>]) throws(TextFailure) -> [UInt8] {
    let field = fields[0]
    let word = bytes[field].map(\.asLowercase)
    if let found = rules.first(where: { $0.name.utf8.elementsEqual(word) }) {
      if fields.count == 1 { return Array(found.rule.utf8) }
      throw TextFailure(
        offset: fields[1].lowerBound, reason: "the end is expected after \"\(found.name)\"")
    }
    if word.elementsEqual("@reboot".utf8) {
      throw TextFailure(
        offset: field.lowerBound,
        reason:
          "\"@reboot\" names no instant: a job with this rule runs once after each start of the machine")
    }
    let nearest = Keyword.nearest(
      to: Array(word.dropFirst()), among: rules.map { String($0.name.dropFirst()) })
    throw TextFailure(
      offset: field.lowerBound,
      reason: "one of \(rules.map { "\"\($0.name)\"" }.joined(separator: ", ")) is expected",
      correction: nearest.map { (field, "@\($0)") })
  }
}
