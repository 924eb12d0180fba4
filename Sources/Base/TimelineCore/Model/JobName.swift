/// The name of a job: 1 to 64 letters, digits, `-`, `_` or `.`, beginning with a letter or digit.
///
/// The bound and the alphabet keep a name usable as a file name, a journal field and a word on a command line.
public struct JobName: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// The name as written.
  public let text: String

  /// The longest name in bytes.
  public static let lengthMax = 64

  /// Makes the name if `text` is valid.
  public init?(_ text: String) {
    guard let first = text.utf8.first, Self.isAlphanumeric(first), text.utf8.count <= Self.lengthMax,
      text.utf8.allSatisfy({ Self.isAlphanumeric($0) || $0 == 0x2D || $0 == 0x5F || $0 == 0x2E })
    else { return nil }
    self.text = text
  }

  /// The name as written.
  public var description: String { text }

  /// Orders names by their bytes.
  public static func < (left: JobName, right: JobName) -> Bool { left.text < right.text }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: false
    }
  }
}
