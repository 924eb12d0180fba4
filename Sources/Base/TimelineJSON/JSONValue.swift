/// A JSON value (RFC 8259). Numbers keep their written form.
package enum JSONValue: Sendable, Hashable {
  case null
  case boolean(Bool)
  /// A number without fraction and exponent, if it fits in 64 bits.
  case integer(Int64)
  /// Any other number, including `1.0` and `1e3`.
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object(JSONObject)

  /// Returns the value at a JSON Pointer (RFC 6901); `nil` if there is no value or the pointer is malformed.
  package func value(at pointer: String) -> JSONValue? {
    if pointer.isEmpty { return self }
    guard pointer.utf8.first == UInt8(ascii: "/") else { return nil }
    var value = self
    for part in pointer.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    {
      guard let token = Self.unescaped(part), let next = value.child(token) else { return nil }
      value = next
    }
    return value
  }

  private func child(_ token: [UInt8]) -> JSONValue? {
    switch self {
    case .array(let elements):
      // RFC 6901, section 4: no leading zeros.
      guard token.count <= 9, token.allSatisfy({ (0x30...0x39).contains($0) }),
        token.count == 1 || token.first != 0x30, let index = Int(String(decoding: token, as: UTF8.self)),
        elements.indices.contains(index)
      else { return nil }
      return elements[index]
    case .object(let members):
      return members.value(under: token)
    default:
      return nil
    }
  }

  private static func unescaped(_ part: Substring.UTF8View) -> [UInt8]? {
    var token: [UInt8] = []
    var bytes = part.makeIterator()
    while let byte = bytes.next() {
      guard byte == UInt8(ascii: "~") else {
        token.append(byte)
        continue
      }
      switch bytes.next() {
      case UInt8(ascii: "0"): token.append(UInt8(ascii: "~"))
      case UInt8(ascii: "1"): token.append(UInt8(ascii: "/"))
      default: return nil
      }
    }
    return token
  }
}

/// The error in JSON text.
package struct JSONError: Error, CustomStringConvertible {
  /// One line with the error and its byte offset.
  package let description: String
}

extension JSONValue: CustomStringConvertible {
  /// JSON text without spaces.
  package var description: String {
    switch self {
    case .null: "null"
    case .boolean(let value): value ? "true" : "false"
    case .integer(let value): String(value)
    case .number(let value): String(value)
    case .string(let value): JSONText.quoted(value)
    case .array(let elements): JSONText.array(elements.map(\.description))
    case .object(let members): JSONText.object(members.map { ($0.key, $0.value.description) })
    }
  }
}
