import TimelineJSON

// Values of JSON as a schema compares them.
extension JSONValue {
  /// Whether braces and brackets outside strings lie more than `depthMax` deep in one another.
  static func isDeeper(_ text: String, than depthMax: Int) -> Bool {
    var (depth, isInString, isEscaped) = (0, false, false)
    for byte in text.utf8 {
      switch byte {
      case _ where isEscaped: isEscaped = false
      case UInt8(ascii: "\\") where isInString: isEscaped = true
      case UInt8(ascii: "\""): isInString.toggle()
      case UInt8(ascii: "{") where !isInString, UInt8(ascii: "[") where !isInString:
        depth += 1
        if depth > depthMax { return true }
      case UInt8(ascii: "}") where !isInString, UInt8(ascii: "]") where !isInString: depth -= 1
      default: break
      }
    }
    return false
  }

  /// The number, whole or not.
  var asNumber: JSONNumber? {
    switch self {
    case .integer(let value): JSONNumber(value)
    case .number(let value): JSONNumber(value)
    default: nil
    }
  }

  /// Whether both are the same value of JSON, for which 1 and 1.0 are one number.
  func isSame(as other: JSONValue) -> Bool {
    switch (self, other) {
    case (.array(let left), .array(let right)):
      left.count == right.count && zip(left, right).allSatisfy { $0.isSame(as: $1) }
    case (.object(let left), .object(let right)):
      left.count == right.count
        && left.allSatisfy { member in right[member.key]?.isSame(as: member.value) ?? false }
    default: if let number = asNumber { number == other.asNumber } else { self == other }
    }
  }

  /// The value as TOML writes it, for sentences.
  var tomlText: String {
    switch self {
    case .null: "null"
    case .boolean(let value): value ? "true" : "false"
    case .integer(let value): String(value)
    case .number(let value): value.description
    case .string(let text): JSONText.quoted(text)
    case .array(let values): "[" + values.map(\.tomlText).joined(separator: ", ") + "]"
    case .object: "{...}"
    }
  }
}
