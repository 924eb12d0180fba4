internal import TimelineCore
internal import TimelineSystem
internal import TimelineWire

/// Sets the limits of runs on the control group of this plugin host. Refuses the job if its limits must hold and cannot be
/// set.
enum RunLimitsEntry {
  private static let remedy =
    "run timelined as a systemd service with these controllers (share/doc/timelined/operations.md#limits-of-runs), or set `unsupported` of the "
    + "job's `run-limits` to \"run\" to run without it"

  /// Sets the limits. A missing controller is not reported here, because the daemon reports it once for all jobs.
  static func set(
    _ limits: RunLimits, on group: ControlGroup, for request: LoadRequest
  ) throws(Refusal) -> [ControlGroup.LimitFault] {
    let faults = group.set(limits)
    if let fault = faults.first, limits.unsupported == .refuse {
      group.remove()
      let reason =
        fault.error.isMissing
        ? "the service does not have the kernel's controller for it" : fault.error.plainReason
      throw Refusal(
        file: request.path, reason: "its job's `run-limits.\(fault.key)` cannot be set: \(reason)",
        remedy: remedy)
    }
    return faults.filter { !$0.error.isMissing }
  }

  /// Refuses a job whose limits must hold, because there is no control group that enforces them.
  static func refuseWithoutGroup(_ request: LoadRequest) throws(Refusal) {
    let limits = request.setup.runLimits
    guard limits.unsupported == .refuse, let first = limits.keys.first else { return }
    throw Refusal(
      file: request.path,
      reason: "its job's `run-limits.\(first)` cannot be set: timelined has no control group to hold it",
      remedy: remedy)
  }
}
