/// Restrictions of the kernel for a plugin host, its plugin, and all that the plugin starts.
public struct Sandbox: Sendable, Hashable {
  /// The system calls that fail.
  public var systemCalls = SystemCallPolicy.default
  /// The only trees and files that may be changed; `nil` for all that the user may change.
  public var writable: [ExpectedPath]?
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
