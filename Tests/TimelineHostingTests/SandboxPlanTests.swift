import Glibc
import Testing
import TimelineCore
import TimelineSystem

@testable import TimelineSandbox

/// Plans of sandboxes by the capabilities of the kernel.
@Suite struct SandboxPlanTests {
  private static func sandbox(
    _ policy: SystemCallPolicy, _ writable: [String]? = nil, _ unsupported: UnsupportedPolicy = .refuse
  ) -> Sandbox {
    var sandbox = Sandbox()
    sandbox.systemCalls = policy
    sandbox.writable = writable?.map { ExpectedPath($0) }
    sandbox.unsupported = unsupported
    return sandbox
  }

  /// A sandbox, the kernel's version of Landlock, the changes that it denies, whether a filter denies truncate, and whether the plugin
  /// is loaded without a filter.
  static let plans:
    [(Sandbox, version: Int?, changes: Landlock.Changes?, truncate: Bool, needsFilter: Bool)] =
      [
        (sandbox(.default), nil, nil, false, false),
        (sandbox(.off), 7, nil, false, false),
        (sandbox(.strict), nil, nil, false, true),
        (sandbox(.strict), 1, nil, false, true),
        (sandbox(.strict), 2, .refer, false, true),
        (sandbox(.strict, ["/a"]), 3, [.write, .entries, .refer, .truncate], false, true),
        (sandbox(.strict, nil, .run), nil, nil, false, false),
        (sandbox(.default, ["/a"]), 1, [.write, .entries], true, true),
        (sandbox(.off, ["/a"]), 2, [.write, .entries, .refer], true, true),
        (sandbox(.off, ["/a"], .run), 2, [.write, .entries, .refer], true, false),
        (sandbox(.off, ["/a"]), 3, [.write, .entries, .refer, .truncate], false, false),
        (sandbox(.default, []), 99, [.write, .entries, .refer, .truncate], false, false),
        (sandbox(.default, ["/a"], .run), nil, nil, false, false),
      ]

  @Test(arguments: plans.indices)
  func `a plan requests only what the kernel supports`(index: Int) throws {
    let (sandbox, version, changes, truncate, needsFilter) = Self.plans[index]
    let plan = try #require(SandboxPlan(sandbox, landlock: version))
    #expect(plan.changes == changes && plan.needsFilter == needsFilter)
    #expect(plan.rules.contains { $0.name == "truncate" } == truncate)
    #expect(plan.places.isEmpty == (changes == nil))
    #expect(plan.deniesNewerCalls == (sandbox.systemCalls == .strict))
  }

  @Test func `there is no plan for a job that requires Landlock on a kernel without it`() {
    #expect(SandboxPlan(Self.sandbox(.default, ["/a"]), landlock: nil) == nil)
  }

  /// Calls of root's jobs, and of ordinary ones, that pass by default; all but the last row's fail in a strict sandbox.
  static let passing: [(call: String, isStrict: Bool)] = [
    ("mount", true), ("reboot", true), ("swapon", true), ("clock_settime", true), ("ptrace", true),
    ("setns", true), ("clone3", true), ("keyctl", true), ("bpf", true), ("perf_event_open", true),
    ("execve", false), ("socket", false), ("setuid", false), ("chmod", false), ("sched_setattr", false),
  ]

  @Test(arguments: passing.indices) func `calls of root's jobs pass by default`(index: Int) {
    let (call, isStrict) = Self.passing[index]
    #expect(!SystemCallRule.rules(of: .default).contains { $0.name == call })
    #expect(SystemCallRule.rules(of: .strict).contains { $0.name == call } == isStrict)
    #expect(SystemCallRule.rules(of: .off).isEmpty)
  }

  @Test func `the strict policy contains all rules of the default, and no rule twice`() {
    let rules = SystemCallRule.rules(of: .strict)
    #expect(Set(rules).isSuperset(of: SystemCallRule.rules(of: .default)))
    #expect(Set(rules).count == rules.count)
    #expect(rules.allSatisfy { $0.error == ($0.name == "clone3" ? ENOSYS : EPERM) })
  }
}
