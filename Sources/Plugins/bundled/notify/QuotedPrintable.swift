/// Text in the encoding quoted-printable (RFC 2045, 6.7), in lines of at most 76 characters. Implemented here because the
/// plugins link no library that has this encoding.
enum QuotedPrintable {
  private static let lineMax = 76

  /// Encodes a text whose lines end with `\n`.
  static func encode(_ text: String) -> String {
    text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(line)
      .joined(separator: "\n")
  }

  private static func line(_ bytes: Substring.UTF8View) -> String {
    var (encoded, length) = ("", 0)
    for place in bytes.indices {
      let byte = bytes[place]
      let isLast = bytes.index(after: place) == bytes.endIndex
      let word = word(byte, isLast: isLast)
      // The line must have room for the `=` of a continued line.
      if length + word.utf8.count > (isLast ? lineMax : lineMax - 1) {
        encoded += "=\n"
        length = 0
      }
      encoded += word
      length += word.utf8.count
    }
    return encoded
  }

  private static func word(_ byte: UInt8, isLast: Bool) -> String {
    switch byte {
    case UInt8(ascii: "="): "=3D"
    case 0x21...0x7E: String(Unicode.Scalar(byte))
    // Mail servers may remove blanks at the end of a line.
    case 0x20 where !isLast, 0x09 where !isLast: String(Unicode.Scalar(byte))
    default: "=" + hexadecimal(byte >> 4) + hexadecimal(byte & 0xF)
    }
  }

  private static func hexadecimal(_ digit: UInt8) -> String { String(digit, radix: 16, uppercase: true) }
}
