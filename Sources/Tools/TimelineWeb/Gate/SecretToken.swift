/// The secret for signing in.
package struct SecretToken: Sendable {
  private let bytes: [UInt8]

  /// Makes a token of the contents of a file, without surrounding white space; `nil` if they are not a valid token.
  package init?(contents: [UInt8]) {
    let isBlank = { (byte: UInt8) in [0x20, 0x09, 0x0A, 0x0D].contains(byte) }
    var text = contents.drop(while: isBlank)
    while let last = text.last, isBlank(last) { text.removeLast() }
    guard WebLimits.tokenLengths.contains(text.count), text.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      return nil
    }
    bytes = Array(text)
  }

  /// Whether `text` is the token. The time of the comparison does not depend on the first byte that differs.
  func matches(_ text: String) -> Bool {
    let other = Array(text.utf8)
    var difference = other.count ^ bytes.count
    for index in bytes.indices { difference |= Int(bytes[index] ^ (index < other.count ? other[index] : 0)) }
    return difference == 0
  }
}
