import TimelineJSON

// JSON values under the comparison rules of JSON Schema.
extension JSONValue {
  /// Whether braces and brackets outside strings are nested deeper than `depthMax`.
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

  /// The number; `nil` for any other value.
  var asNumber: JSONNumber? {
    switch self {
    case .integer(let value): JSONNumber(value)
    case .number(let value): JSONNumber(value)
    default: nil
    }
  }

  /// Whether both values are the same in JSON Schema, where 1 and 1.0 are the same number.
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

  /// The value in the syntax of TOML, for messages.
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
