/// Decodes a message. Every length is checked before it is used, so no input can make it trap.
struct WireReader {
  private let bytes: [UInt8]
  private var offset = 2
  /// The kind of the message, its second byte.
  let kind: UInt8

  init(_ message: [UInt8]) throws(WireError) {
    guard message.count <= WireLimits.messageMax else {
      throw .tooLong(field: "a message", length: message.count, max: WireLimits.messageMax)
    }
    guard message.count >= 2 else { throw .truncated }
    guard message[0] == WireVersion.current else { throw .version(found: message[0]) }
    kind = message[1]
    bytes = message
  }

  mutating func integer<Value: FixedWidthInteger & BitwiseCopyable>(
    _ type: Value.Type = Value.self
  ) throws(WireError) -> Value {
    let range = try take(Value.bitWidth / 8)
    // Loaded as one word: a loop over the bytes would take most of the time of a short run.
    let value = unsafe bytes.withUnsafeBytes {
      unsafe $0.loadUnaligned(fromByteOffset: range.lowerBound, as: Value.self)
    }
    return Value(littleEndian: value)
  }

  /// Returns the range of the next `length` bytes; throws if the message is shorter.
  private mutating func take(_ length: Int) throws(WireError) -> Range<Int> {
    guard bytes.count - offset >= length else { throw .truncated }
    defer { offset += length }
    return offset..<offset + length
  }

  /// Accepts only 0 and 1, so that each message has one encoding.
  mutating func boolean(_ field: String) throws(WireError) -> Bool {
    switch try integer(UInt8.self) {
    case 0: return false
    case 1: return true
    default: throw .malformed(field: field)
    }
  }

  mutating func data(_ field: String, max: Int) throws(WireError) -> [UInt8] {
    Array(bytes[try range(of: field, max: max)])
  }

  mutating func text(_ field: String, max: Int) throws(WireError) -> String {
    let range = try range(of: field, max: max)
    if range.isEmpty { return "" }
    let text = unsafe bytes.withUnsafeBytes { unsafe String(decoding: $0[range], as: UTF8.self) }
    // The decoder replaces invalid UTF-8, so the bytes then differ from the message. The validating initializer is slower.
    guard text.utf8.count == range.count, text.utf8.elementsEqual(bytes[range]) else {
      throw .malformed(field: field)
    }
    return text
  }

  /// Returns the range of a field that begins with its length.
  private mutating func range(of field: String, max: Int) throws(WireError) -> Range<Int> {
    let length = Int(try integer(UInt32.self))
    guard length <= max else { throw .tooLong(field: field, length: length, max: max) }
    return try take(length)
  }

  mutating func optional<Value>(
    _ field: String, _ body: (inout WireReader) throws(WireError) -> Value
  ) throws(WireError) -> Value? {
    try boolean(field) ? try body(&self) : nil
  }

  func finish() throws(WireError) {
    guard offset == bytes.count else { throw .trailing(bytes: bytes.count - offset) }
  }
}
