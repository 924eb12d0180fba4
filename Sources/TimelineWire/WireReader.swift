/// Takes a message apart; every length is checked before it is believed, so no bytes can make it trap.
struct WireReader {
  private var bytes: ArraySlice<UInt8>
  /// The kind of the message, its second byte.
  let kind: UInt8

  init(_ message: [UInt8]) throws(WireError) {
    guard message.count <= WireLimits.messageMax else {
      throw .tooLong(field: "a message", length: message.count, max: WireLimits.messageMax)
    }
    guard message.count >= 2 else { throw .truncated }
    guard message[0] == WireVersion.current else { throw .version(found: message[0]) }
    kind = message[1]
    bytes = message[2...]
  }

  mutating func integer<Value: FixedWidthInteger>(_ type: Value.Type = Value.self) throws(WireError) -> Value
  {
    let width = Value.bitWidth / 8
    guard bytes.count >= width else { throw .truncated }
    var value: Value = 0
    for (index, byte) in bytes.prefix(width).enumerated() {
      value |= Value(truncatingIfNeeded: byte) << (8 * index)
    }
    bytes = bytes.dropFirst(width)
    return value
  }

  /// Only 0 and 1 are taken, so that a message has one spelling.
  mutating func boolean(_ field: String) throws(WireError) -> Bool {
    switch try integer(UInt8.self) {
    case 0: return false
    case 1: return true
    default: throw .malformed(field: field)
    }
  }

  mutating func data(_ field: String, max: Int) throws(WireError) -> [UInt8] {
    let length = Int(try integer(UInt32.self))
    guard length <= max else { throw .tooLong(field: field, length: length, max: max) }
    guard bytes.count >= length else { throw .truncated }
    defer { bytes = bytes.dropFirst(length) }
    return Array(bytes.prefix(length))
  }

  mutating func text(_ field: String, max: Int) throws(WireError) -> String {
    guard let text = String(validating: try data(field, max: max), as: UTF8.self) else {
      throw .malformed(field: field)
    }
    return text
  }

  mutating func optional<Value>(
    _ field: String, _ body: (inout WireReader) throws(WireError) -> Value
  ) throws(WireError) -> Value? {
    try boolean(field) ? try body(&self) : nil
  }

  func finish() throws(WireError) {
    guard bytes.isEmpty else { throw .trailing(bytes: bytes.count) }
  }
}
