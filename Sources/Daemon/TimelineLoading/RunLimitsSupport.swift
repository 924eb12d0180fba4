package import TimelineConfiguration
import TimelineCore
import TimelineSystem
import TimelineSystemd

/// Messages for operators about run limits that cannot be enforced here.
package enum RunLimitsSupport {
  private static let service = "timelined.service"
  /// Jobs that a message names.
  private static let namesMax = 5

  /// Returns a message about the jobs whose limits the service cannot enforce; `nil` if the service can enforce all
  /// limits. Queries systemd, which may take a second.
  package static func note(on configuration: Configuration) -> String? {
    guard configuration.jobs.contains(where: hasLimits) else { return nil }
    let delegated = SystemdUnits.delegatedControllers(of: service)
    return note(on: configuration, having: delegated.map(ControlGroup.root.controllers.intersection))
  }

  /// Returns the controllers that the jobs' limits need.
  package static func controllers(for configuration: Configuration) -> [String] {
    let limited = configuration.jobs.filter { $0.isEnabled && !$0.setup.runLimits.isEmpty }
    let needed = Set(limited.flatMap(\.setup.runLimits.controllers))
    return DelegatedGroup.controllers.filter(needed.contains)
  }

  /// Returns a message about the jobs that run without some of their limits. `controllers` are the enabled
  /// controllers; `nil` without a control group.
  package static func note(on configuration: Configuration, having controllers: Set<String>?) -> String? {
    let jobs = configuration.jobs.filter(hasLimits)
    guard let controllers else {
      guard !jobs.isEmpty else { return nil }
      return
        "`run-limits` of \(names(of: jobs)) cannot be held: timelined has no control group for them: run it as the service of systemd 251 or "
        + "later, with version 2 of control groups"
    }
    let missing = DelegatedGroup.controllers.filter { controller in
      !controllers.contains(controller)
        && jobs.contains { $0.setup.runLimits.controllers.contains(controller) }
    }
    guard !missing.isEmpty else { return nil }
    let affected = jobs.filter { !Set($0.setup.runLimits.controllers).isDisjoint(with: missing) }
    let keys = jobs.flatMap { $0.setup.runLimits.keys(needing: missing) }
    return
      "`\(Set(keys).sorted().map { "run-limits.\($0)" }.joined(separator: "`, `"))` of \(names(of: affected)) cannot be held: "
      + "the service does not have the kernel's \(missing.count == 1 ? "controller" : "controllers") \(missing.joined(separator: ", ")): "
      + (missing == ["cpu"]
        ? "copy the drop-in cpu-limits.conf (share/doc/timelined/operations.md#limits-of-runs), and restart the service"
        : "see `Delegate=` in `systemctl cat \(service)`, and /sys/fs/cgroup/cgroup.controllers")
  }

  /// Whether an enabled job has limits and may run without them. Plugin hosts refuse jobs that must not run without
  /// their limits.
  private static func hasLimits(_ job: Job) -> Bool {
    job.isEnabled && !job.setup.runLimits.isEmpty && job.setup.runLimits.unsupported == .run
  }

  private static func names(of jobs: [Job]) -> String {
    let shown = jobs.prefix(namesMax).map(\.name.text).joined(separator: ", ")
    return jobs.count > namesMax ? "\(shown) and \(jobs.count - namesMax) more jobs" : shown
  }
}

extension RunLimits {
  /// Whether there is no limit. Most jobs have no limit, and there can be very many jobs, so the check is cheap.
  fileprivate var isEmpty: Bool { memoryBytes == nil && processorPercent == nil && taskCount == nil }
}
