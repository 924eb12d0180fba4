internal import TimelineCore
internal import TimelineSystem

/// Decides what a kernel is asked for, by what it has.
struct SandboxPlan {
  /// The system calls that fail; without any there is no filter.
  var rules: [SystemCallRule]
  /// Whether calls that are newer than the lists of rules fail too.
  var deniesNewerCalls: Bool
  /// Changes that are denied outside ``places``; `nil` for no rules of Landlock.
  var changes: Landlock.Changes?
  /// The trees and files that may be changed.
  var places: [ExpectedPath] = []
  /// Whether the plugin is not loaded if the filter cannot be had.
  var needsFilter: Bool

  /// A plan for a kernel with this version of Landlock; `nil` for one without, where a sandbox that needs it has no plan unless its
  /// job runs without.
  init?(_ sandbox: Sandbox, landlock version: Int?) {
    let mustHold = sandbox.unsupported == .refuse
    rules = SystemCallRule.rules(of: sandbox.systemCalls)
    deniesNewerCalls = sandbox.systemCalls == .strict
    needsFilter = mustHold && sandbox.systemCalls == .strict
    guard let writable = sandbox.writable else {
      // By any rules of Landlock the kernel keeps a process out of others that are not under them. These deny no change of a file.
      // Before version 2 each set of rules denies moving files between directories.
      guard sandbox.systemCalls == .strict, let version, version >= 2 else { return }
      changes = .refer
      places = [ExpectedPath(path: "/")]
      return
    }
    guard let version else {
      if mustHold { return nil }
      return
    }
    let changes = Landlock.Changes.all(in: version)
    let hasTruncate = changes.contains(.truncate)
    if !hasTruncate { rules += SystemCallRule.emptying.filter { !rules.contains($0) } }
    needsFilter = needsFilter || mustHold && !hasTruncate
    self.changes = changes
    places = writable + Self.devices.map { ExpectedPath(path: $0, mayBeMissing: true) }
  }

  /// Devices that keep nothing, and terminals: programs write to them without changing a file.
  static let devices = [
    "/dev/full", "/dev/null", "/dev/ptmx", "/dev/pts", "/dev/random", "/dev/tty", "/dev/urandom", "/dev/zero",
  ]
}

extension Landlock.Changes {
  /// All changes that this version can deny. Of later versions nothing is used: their rules about devices, networks and signals deny
  /// what does not change a file.
  static func all(in version: Int) -> Landlock.Changes {
    switch version {
    case ...1: [.write, .entries]
    case 2: [.write, .entries, .refer]
    default: [.write, .entries, .refer, .truncate]
    }
  }
}
