/// A short line of ASCII under construction, on the stack: what every printer here writes into.
struct ASCIIText {
  private var bytes = InlineArray<64, UInt8>(repeating: 0)
  private var count = 0

  /// Adds one character; the longest text of ours, a length of time, has 24.
  mutating func append(_ byte: UInt8) {
    bytes[count] = byte
    count += 1
  }

  /// Adds `number` in decimal with at least `digits` digits.
  mutating func append(_ number: UInt64, digits: Int = 1) {
    var width = 1
    var bound = number / 10
    while bound > 0 {
      width += 1
      bound /= 10
    }
    width = Swift.max(width, digits)
    var rest = number
    for index in stride(from: count + width - 1, through: count, by: -1) {
      bytes[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
    count += width
  }

  /// Adds a point and the digits of `numerator / 10^digits` without the zeros at their end; nothing for 0.
  mutating func append(fraction numerator: UInt64, digits: Int) {
    guard numerator > 0 else { return }
    append(UInt8(ascii: "."))
    append(numerator, digits: digits)
    while bytes[count - 1] == UInt8(ascii: "0") { count -= 1 }
  }

  /// Adds `2026-03-29`.
  mutating func append(_ date: CivilDate) {
    append(UInt64(date.year), digits: 4)
    append(UInt8(ascii: "-"))
    append(UInt64(date.month), digits: 2)
    append(UInt8(ascii: "-"))
    append(UInt64(date.day), digits: 2)
  }

  /// Adds `03:30:00` and a fraction where there is one.
  mutating func append(_ time: CivilTime) {
    append(UInt64(time.hour), digits: 2)
    append(UInt8(ascii: ":"))
    append(UInt64(time.minute), digits: 2)
    append(UInt8(ascii: ":"))
    append(UInt64(time.second), digits: 2)
    append(fraction: UInt64(time.nanosecond), digits: 9)
  }

  /// The text so far.
  var string: String {
    unsafe String(unsafeUninitializedCapacity: count) { buffer in
      for index in 0..<count { unsafe buffer[index] = bytes[index] }
      return count
    }
  }
}
