/// Restrictions by the kernel for a plugin host, its plugin, and every process that the plugin starts.
public struct Sandbox: Sendable, Hashable {
  /// The system calls that fail.
  public var systemCalls = SystemCallPolicy.default
  /// The only trees and files that the processes may change; `nil` for all that the user may change.
  public var writable: [ExpectedPath]?
  /// The policy for a kernel that lacks a feature that the job requires.
  public var unsupported = UnsupportedPolicy.refuse

  /// Makes the default sandbox.
  public init() {}
}

/// System calls that fail with `EPERM` in a plugin host and every process that its plugin starts.
public enum SystemCallPolicy: String, Sendable, Hashable, CaseIterable {
  /// Calls that change the kernel, and some that jobs rarely need.
  case `default`
  /// The calls of `default`, and all calls that manage the machine, inspect other processes, or make namespaces.
  case strict
  /// No system calls.
  case off
}

/// Handling of a sandbox that the kernel does not support.
public enum UnsupportedPolicy: String, Sendable, Hashable, CaseIterable {
  /// The plugin is not loaded.
  case refuse
  /// The plugin runs without the part that is not supported.
  case run
}
