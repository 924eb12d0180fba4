/// Text in the encoding quoted-printable (RFC 2045, 6.7), whose lines have at most 76 characters. No library of a plugin has it.
enum QuotedPrintable {
  private static let lineMax = 76

  /// Encodes a text whose lines end with `\n`.
  static func encode(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map(line).joined(separator: "\n")
  }

  private static func line(_ text: Substring) -> String {
    var encoded = ""
    var length = 0
    let bytes = Array(text.utf8)
    for (place, byte) in bytes.enumerated() {
      let isLast = place == bytes.count - 1
      let word = word(byte, isLast: isLast)
      // Room for the `=` of a line that goes on.
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
    // Blanks at the end of a line are removed on the way.
    case 0x20 where !isLast, 0x09 where !isLast: String(Unicode.Scalar(byte))
    default: "=" + hexadecimal(byte >> 4) + hexadecimal(byte & 0xF)
    }
  }

  private static func hexadecimal(_ digit: UInt8) -> String { String(digit, radix: 16, uppercase: true) }
}
