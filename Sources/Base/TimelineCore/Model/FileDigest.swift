/// The SHA-256 of a file's contents, as sha256sum(1) prints it.
public struct FileDigest: Sendable, Hashable {
  /// The number of hexadecimal digits.
  package static let digitCount = 64

  /// 64 hexadecimal digits in lower case.
  public let text: String

  /// Reads 64 hexadecimal digits in upper or lower case; `nil` for any other text.
  public init?(_ text: String) {
    guard text.utf8.count == Self.digitCount, text.unicodeScalars.allSatisfy(\.properties.isASCIIHexDigit)
    else { return nil }
    self.text = text.lowercased()
  }
}
