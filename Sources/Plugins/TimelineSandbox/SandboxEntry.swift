internal import TimelineCore
internal import TimelineSystem
package import TimelineWire

/// Puts a plugin host and its descendants under the sandbox of its job.
package enum SandboxEntry {
  /// Enters the sandbox of `request`. If the job requires a restriction that the kernel does not support, throws a refusal
  /// with the remedy.
  package static func enter(_ request: LoadRequest) throws(Refusal) {
    try enter(request, landlock: Landlock.version)
  }

  /// Enters the sandbox on a kernel that supports version `landlock` of Landlock.
  static func enter(
    _ request: LoadRequest, landlock: () throws(SystemError) -> Int
  ) throws(Refusal) {
    let sandbox = request.setup.sandbox
    var (version, missing): (Int?, SystemError?)
    if sandbox.writable != nil || sandbox.systemCalls == .strict {
      do throws(SystemError) { version = try landlock() } catch { missing = error }
    }
    guard let plan = SandboxPlan(sandbox, landlock: version) else {
      throw refusal(
        request, "Landlock, which holds it to its `writable` paths, is not there",
        missing, "use Linux 5.13 or later with landlock in /sys/kernel/security/lsm")
    }
    if let changes = plan.changes { try deny(changes, plan, request) }
    guard !plan.rules.isEmpty else { return }
    do throws(SystemError) {
      try SystemCallFilter.enter(plan.rules, denyingNewer: plan.deniesNewerCalls)
    } catch {
      guard plan.needsFilter else { return }
      throw refusal(
        request, "its filter of system calls cannot be set", error, "use a kernel with seccomp")
    }
  }

  private static func deny(
    _ changes: Landlock.Changes, _ plan: SandboxPlan, _ request: LoadRequest
  ) throws(Refusal) {
    do throws(SystemError) {
      try Landlock.deny(changes, outside: plan.places)
    } catch {
      guard request.setup.sandbox.writable?.contains(where: { $0.path == error.subject }) ?? false else {
        throw refusal(request, "its rules of Landlock cannot be set", error, "allow the calls landlock_...")
      }
      throw Refusal(
        file: request.path,
        reason: "its job's writable path \(error.subject) cannot be set: \(error.plainReason)",
        remedy: error.isMissing
          ? "create it, or write \"-\(error.subject)\" if it may be missing"
          : "let the job's user enter every directory above it")
    }
  }

  private static func refusal(
    _ request: LoadRequest, _ reason: String, _ error: SystemError?, _ remedy: String
  ) -> Refusal {
    Refusal(
      file: request.path,
      reason: "its job's sandbox: \(reason)" + (error.map { ": \($0.plainReason)" } ?? ""),
      remedy: "\(remedy), or set `unsupported` of the job's `sandbox` to \"run\" to run without it")
  }
}
