extension String {
  /// The text in the form of a part of a URL's path or query. All characters are encoded except RFC 3986's unreserved ones
  /// and colons, which are allowed in paths and queries and occur in every instant. So a value cannot change other parts of
  /// the URL.
  public var percentEncoded: String {
    let digits = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for byte in utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E, 0x3A: bytes.append(byte)
      default: bytes += [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The text with its sequences `%XX` decoded.
  public var percentDecoded: String {
    var (bytes, rest) = ([UInt8](), Substring(self).utf8)
    while let byte = rest.popFirst() {
      let digits = rest.prefix(2)
      if byte == 0x25, digits.count == 2, let value = UInt8(Substring(digits), radix: 16) {
        bytes.append(value)
        rest.removeFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
