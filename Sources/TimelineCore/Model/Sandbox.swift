/// Restrictions of the kernel for a plugin host, its plugin, and all that the plugin starts.
public struct Sandbox: Sendable, Hashable {
  /// The system calls that fail.
  public var systemCalls = SystemCallPolicy.default
  /// The only trees and files that may be changed; `nil` for all that the user may change.
  public var writable: [WritablePath]?
  /// The policy for a kernel that has not what the job asks for.
  public var unsupported = UnsupportedPolicy.refuse

  /// Makes the sandbox of a job that says nothing.
  public init() {}
}

/// System calls that fail with `EPERM` in a plugin host and all that its plugin starts.
public enum SystemCallPolicy: String, Sendable, Hashable, CaseIterable {
  /// Those that change the kernel, and some that jobs can do without.
  case `default`
  /// Those, and all that manage a machine, look into other processes, or make namespaces.
  case strict
  /// None.
  case off
}

/// Handling of a sandbox that the kernel does not support.
public enum UnsupportedPolicy: String, Sendable, Hashable, CaseIterable {
  /// The plugin is not loaded.
  case refuse
  /// The plugin runs without the part that is not supported.
  case run
}

/// A tree or a file that runs may change.
public struct WritablePath: Sendable, Hashable {
  /// The absolute path.
  public var path: String
  /// Whether the plugin is loaded if there is nothing at the path.
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
