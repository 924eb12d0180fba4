/// Builds a message: fixed-width integers in little-endian order, text and bytes behind a 32-bit length.
///
/// The bytes are stored into room that is there already: to append them one field after the other costs several times as much,
/// and a run waits for its message.
struct WireWriter {
  private var room: [UInt8]
  private var count = 2

  /// The space that the messages of a run need, so that they are built in place.
  private static let capacity = 240
  /// The beginning of every message: to copy it costs less than to make it.
  private static let blank =
    [WireVersion.current] + [UInt8](repeating: 0, count: capacity - 1)

  init(kind: UInt8) {
    room = Self.blank
    room[1] = kind
  }

  /// The message as it was written.
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

  /// Writes whether there is a value, then the value.
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

  /// The place of the next `length` bytes, for which there is room from here on.
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
