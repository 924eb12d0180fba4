/// A path at which something is expected, or may be missing. As in systemd.exec(5), a `-` in front of the path says that it may.
public struct ExpectedPath: Sendable, Hashable {
  /// The absolute path.
  public var path: String
  /// Whether it is no error that there is nothing at the path.
  public var mayBeMissing: Bool

  /// Makes a path.
  public init(path: String, mayBeMissing: Bool = false) {
    self.path = path
    self.mayBeMissing = mayBeMissing
  }

  /// Reads a path with a `-` in front of it if it may be missing.
  package init(_ text: String) {
    self.init(path: text.hasPrefix("-") ? String(text.dropFirst()) : text, mayBeMissing: text.hasPrefix("-"))
  }

  /// The path, with a `-` in front of it if it may be missing.
  package var text: String { (mayBeMissing ? "-" : "") + path }
}
