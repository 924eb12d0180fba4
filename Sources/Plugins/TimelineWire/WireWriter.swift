/// Encodes a message: fixed-width integers in little-endian order; text and bytes after a 32-bit length.
///
/// The bytes are written into memory that is allocated in advance. Appending field by field would take several times as
/// long, and a run waits for its message.
struct WireWriter {
  private var room: [UInt8]
  private var count = 2

  /// Number of bytes that the messages of a run need, so that they are built without a reallocation.
  private static let capacity = 240
  /// The beginning of every message. A copy of it costs less than building it.
  private static let blank =
    [WireVersion.current] + [UInt8](repeating: 0, count: capacity - 1)

  init(kind: UInt8) {
    room = Self.blank
    room[1] = kind
  }

  /// Returns the bytes of the message.
  consuming func finish() -> [UInt8] {
    room.removeLast(room.count - count)
    return room
  }

  mutating func write<Value: FixedWidthInteger & BitwiseCopyable>(_ value: Value) {
    let place = take(Value.bitWidth / 8)
    unsafe room.withUnsafeMutableBytes {
      unsafe $0.storeBytes(of: value.littleEndian, toByteOffset: place, as: Value.self)
    }
  }

  mutating func write(_ value: Bool) {
    write(value ? UInt8(1) : 0)
  }

  mutating func write(_ value: [UInt8]) {
    unsafe value.withUnsafeBytes { unsafe write($0) }
  }

  mutating func write(_ value: String) {
    var value = value
    value.withUTF8 { unsafe write(UnsafeRawBufferPointer($0)) }
  }

  /// Writes whether there is a value, and then the value if there is one.
  mutating func write<Value>(_ value: Value?, _ body: (inout WireWriter, Value) -> Void) {
    write(value != nil)
    if let value { body(&self, value) }
  }

  private mutating func write(_ bytes: UnsafeRawBufferPointer) {
    write(UInt32(clamping: bytes.count))
    let place = take(bytes.count)
    unsafe room.withUnsafeMutableBytes {
      unsafe UnsafeMutableRawBufferPointer(rebasing: $0[place...]).copyMemory(from: bytes)
    }
  }

  /// Reserves the next `length` bytes and returns their position.
  private mutating func take(_ length: Int) -> Int {
    if room.count - count < length { grow(by: length) }
    defer { count += length }
    return count
  }

  @inline(never)
  private mutating func grow(by length: Int) {
    room.append(contentsOf: repeatElement(0, count: max(length, room.count)))
  }
}
