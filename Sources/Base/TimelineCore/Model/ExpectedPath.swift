/// A path that must exist, or may be missing: a leading `-` makes it optional, as in systemd.exec(5).
public struct ExpectedPath: Sendable, Hashable {
  /// The absolute path.
  public var path: String
  /// Whether a missing file or directory is no error.
  public var mayBeMissing: Bool

  /// Makes a path.
  public init(path: String, mayBeMissing: Bool = false) {
    self.path = path
    self.mayBeMissing = mayBeMissing
  }

  /// Reads a path, with a leading `-` if it may be missing.
  package init(_ text: String) {
    self.init(path: text.hasPrefix("-") ? String(text.dropFirst()) : text, mayBeMissing: text.hasPrefix("-"))
  }

  /// The path, with a leading `-` if it may be missing.
  package var text: String { (mayBeMissing ? "-" : "") + path }
}
