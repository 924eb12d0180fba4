/// A buffer for a short line of ASCII, on the stack; every printer of this module writes into one.
package struct ASCIIText: Sendable {
  private var bytes = InlineArray<64, UInt8>(repeating: 0)
  private var count = 0

  /// The space, in bytes, that ``put(into:at:)`` needs for a text of any length.
  package static let room = 64

  init() {}

  /// Adds one character. The longest text, an instant with its zone, has 32.
  mutating func append(_ byte: UInt8) {
    bytes[count] = byte
    count += 1
  }

  /// Adds `number` in decimal with at least `digits` digits.
  mutating func append(_ number: UInt64, digits: Int = 1) {
    var width = digits
    var bound = (0..<digits).reduce(UInt64(1)) { power, _ in power * 10 }
    while number >= bound {
      width += 1
      let (next, overflow) = bound.multipliedReportingOverflow(by: 10)
      if overflow { break }
      bound = next
    }
    var rest = number
    for index in stride(from: count + width - 1, through: count, by: -1) {
      let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
      bytes[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit)
      rest = quotient
    }
    count += width
  }

  /// Adds `number`, 0 to 99, in two digits.
  mutating func append(twoDigits number: Int) {
    let (tens, ones) = UInt8(truncatingIfNeeded: number).quotientAndRemainder(dividingBy: 10)
    append(UInt8(ascii: "0") + tens)
    append(UInt8(ascii: "0") + ones)
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
    append(twoDigits: date.year / 100)
    append(twoDigits: date.year % 100)
    append(UInt8(ascii: "-"))
    append(twoDigits: date.month)
    append(UInt8(ascii: "-"))
    append(twoDigits: date.day)
  }

  /// Adds `03:30:00`, and a fraction if it is not zero. With `toMillisecond`, the fraction has three digits, or is
  /// left out if they are zero.
  mutating func append(_ time: CivilTime, toMillisecond: Bool = false) {
    append(twoDigits: time.hour)
    append(UInt8(ascii: ":"))
    append(twoDigits: time.minute)
    append(UInt8(ascii: ":"))
    append(twoDigits: time.second)
    guard toMillisecond else { return append(fraction: UInt64(time.nanosecond), digits: 9) }
    guard time.nanosecond >= 1_000_000 else { return }
    append(UInt8(ascii: "."))
    append(UInt64(time.nanosecond / 1_000_000), digits: 3)
  }

  /// Removes characters until `length` are left.
  mutating func shorten(to length: Int) {
    precondition(length <= count, "it cannot be made longer")
    count = length
  }

  /// Writes the text into `span` at `offset` and returns the offset at which the text ends.
  ///
  /// All of ``room`` is written, because a copy of a fixed length is a few moves; the bytes after the text have no meaning.
  package func put(into span: inout MutableRawSpan, at offset: Int) -> Int {
    span.storeBytes(of: bytes, toByteOffset: offset, as: InlineArray<64, UInt8>.self)
    return offset + count
  }

  /// The text so far.
  var string: String {
    unsafe String(unsafeUninitializedCapacity: count) { buffer in
      for index in 0..<count { unsafe buffer[index] = bytes[index] }
      return count
    }
  }
}
