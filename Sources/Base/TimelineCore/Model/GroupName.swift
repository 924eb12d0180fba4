/// The name of a group of jobs that share a limit; it has the alphabet and the length limit of a ``JobName``.
public struct GroupName: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// The name as written.
  public let text: String

  /// Makes the name if `text` is valid.
  public init?(_ text: String) {
    guard JobName(text) != nil else { return nil }
    self.text = text
  }

  /// The name as written.
  public var description: String { text }

  /// Orders names by their bytes.
  public static func < (left: GroupName, right: GroupName) -> Bool { left.text < right.text }
}
