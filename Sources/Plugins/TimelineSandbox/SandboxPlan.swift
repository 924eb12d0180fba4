internal import TimelineCore
internal import TimelineSystem

/// Plan of the restrictions to request from a kernel, depending on what the kernel supports.
struct SandboxPlan {
  /// The system calls that fail. If empty, no filter is installed.
  var rules: [SystemCallRule]
  /// Whether system calls that are newer than the lists of rules fail too.
  var deniesNewerCalls: Bool
  /// Changes that are denied outside ``places``; `nil` if no Landlock rules are set.
  var changes: Landlock.Changes?
  /// The directory trees and files that may be changed.
  var places: [ExpectedPath] = []
  /// Whether the plugin is refused if the filter cannot be installed.
  var needsFilter: Bool

  /// Makes the plan for a kernel with this `version` of Landlock; `nil` for a kernel without Landlock. Returns `nil` if the
  /// sandbox needs Landlock, the kernel lacks it, and the job must not run without it.
  init?(_ sandbox: Sandbox, landlock version: Int?) {
    let mustHold = sandbox.unsupported == .refuse
    rules = SystemCallRule.rules(of: sandbox.systemCalls)
    deniesNewerCalls = sandbox.systemCalls == .strict
    needsFilter = mustHold && sandbox.systemCalls == .strict
    guard let writable = sandbox.writable else {
      // With any Landlock rules, the kernel denies a process access to processes outside its sandbox. The rules set here
      // deny no change of a file. Before version 2, any Landlock rules deny moving files between directories.
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

  /// Terminals and devices that store no data: programs write to them without changing a file.
  static let devices = [
    "/dev/full", "/dev/null", "/dev/ptmx", "/dev/pts", "/dev/random", "/dev/tty", "/dev/urandom", "/dev/zero",
  ]
}

extension Landlock.Changes {
  /// All changes that this version can deny. Rules of later versions about devices, networks and signals are not used,
  /// because they deny operations that do not change a file.
  static func all(in version: Int) -> Landlock.Changes {
    switch version {
    case ...1: [.write, .entries]
    case 2: [.write, .entries, .refer]
    default: [.write, .entries, .refer, .truncate]
    }
  }
}
