/// Builds a message: fixed-width integers in little-endian order, text and bytes behind a 32-bit length.
struct WireWriter {
  private(set) var bytes: [UInt8]

  /// What the messages of a run need, so that they are built where they begin.
  private static let capacity = 240

  init(kind: UInt8) {
    bytes = []
    bytes.reserveCapacity(Self.capacity)
    bytes.append(WireVersion.current)
    bytes.append(kind)
  }

  mutating func write(_ value: some FixedWidthInteger) {
    unsafe withUnsafeBytes(of: value.littleEndian) { unsafe bytes.append(contentsOf: $0) }
  }

  mutating func write(_ value: Bool) {
    bytes.append(value ? 1 : 0)
  }

  mutating func write(_ value: [UInt8]) {
    write(UInt32(clamping: value.count))
    bytes.append(contentsOf: value)
  }

  mutating func write(_ value: String) {
    let utf8 = value.utf8
    write(UInt32(clamping: utf8.count))
    bytes.append(contentsOf: utf8)
  }

  /// Writes whether there is a value, then the value.
  mutating func write<Value>(_ value: Value?, _ body: (inout WireWriter, Value) -> Void) {
    write(value != nil)
    if let value { body(&self, value) }
  }
}
