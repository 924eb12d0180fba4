/// A file of variables for runs, as `EnvironmentFile=` of systemd.exec(5) names one.
public struct EnvironmentFile: Sendable, Hashable {
  /// The absolute path.
  public var path: String
  /// Whether a run starts without the file if it is not there.
  public var mayBeMissing: Bool

  /// Makes a file of that path.
  public init(path: String, mayBeMissing: Bool = false) {
    self.path = path
    self.mayBeMissing = mayBeMissing
  }

  /// Reads a path with a `-` in front of it if the file may be missing.
  package init(_ text: String) {
    self.init(path: text.hasPrefix("-") ? String(text.dropFirst()) : text, mayBeMissing: text.hasPrefix("-"))
  }

  /// The path, with a `-` in front of it if the file may be missing.
  package var text: String { (mayBeMissing ? "-" : "") + path }
}
