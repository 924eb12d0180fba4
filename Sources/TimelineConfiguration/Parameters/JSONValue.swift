import FoundationEssentials

/// A JSON value as decoded, for reading schemas. The order of an object's members is lost.
enum JSONValue: Decodable, Sendable, Hashable {
  case null
  case boolean(Bool)
  case integer(Int64)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  /// Decodes `text`, or `nil` when it is not JSON.
  static func decode(_ text: String) -> JSONValue? {
    try? JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .boolean(value)
    } else if let value = try? container.decode(Int64.self) {
      self = .integer(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([JSONValue].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: JSONValue].self))
    }
  }

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
      left.count == right.count && left.allSatisfy { key, value in right[key]?.isSame(as: value) ?? false }
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
