/// A position in some bytes that only moves forward and never past the end; used by every parser of this module.
struct ByteCursor {
  let bytes: [UInt8]
  var offset = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The byte to be read next, or `nil` at the end.
  var peek: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  /// Whether everything has been read.
  var isAtEnd: Bool { offset == bytes.count }

  /// Reads `text` if it comes next.
  mutating func take(_ text: String) -> Bool {
    guard bytes[offset...].starts(with: text.utf8) else { return false }
    offset += text.utf8.count
    return true
  }

  /// Reads one byte if `matches` returns `true`.
  mutating func take(where matches: (UInt8) -> Bool) -> UInt8? {
    guard let byte = peek, matches(byte) else { return nil }
    offset += 1
    return byte
  }

  /// Reads bytes while `matches` returns `true`, at most `limit`.
  mutating func takeAll(upTo limit: Int = .max, where matches: (UInt8) -> Bool) -> ArraySlice<UInt8> {
    let start = offset
    while offset - start < limit, let byte = peek, matches(byte) { offset += 1 }
    return bytes[start..<offset]
  }

  /// Reads the decimal digits that come next, at most `limit`.
  mutating func takeDigits(upTo limit: Int = .max) -> ArraySlice<UInt8> {
    takeAll(upTo: limit, where: \.isDigit)
  }
}

extension UInt8 {
  /// Whether the byte is an ASCII digit.
  var isDigit: Bool { UInt8(ascii: "0") <= self && self <= UInt8(ascii: "9") }

  /// Whether the byte is an ASCII letter.
  var isLetter: Bool { UInt8(ascii: "a") <= asLowercase && asLowercase <= UInt8(ascii: "z") }

  /// The ASCII letter in lower case, or the byte itself.
  var asLowercase: UInt8 { UInt8(ascii: "A") <= self && self <= UInt8(ascii: "Z") ? self | 0x20 : self }
}

extension Sequence<UInt8> {
  /// The number that these decimal digits write, or `nil` when it does not fit.
  func decimal<Number: FixedWidthInteger>(as type: Number.Type = Int.self) -> Number? {
    var number: Number = 0
    for byte in self {
      let (product, overflow) = number.multipliedReportingOverflow(by: 10)
      let (sum, carry) = product.addingReportingOverflow(Number(byte - UInt8(ascii: "0")))
      if overflow || carry { return nil }
      number = sum
    }
    return number
  }
}
