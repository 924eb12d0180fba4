internal import TimelineCore
internal import TimelineSystem
internal import TimelineWire

/// Sets the limits of runs on the control group of this plugin host, or refuses its job where they cannot be set and must hold.
enum RunLimitsEntry {
  private static let remedy =
    "run timelined as a systemd service with these controllers (share/doc/timelined/operations.md#limits-of-runs), or set `unsupported` of the "
    + "job's `run-limits` to \"run\" to run without it"

  /// Sets the limits. A missing controller has been told by the daemon, for all of its jobs together.
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

  /// Refuses a job whose limits must hold, where there is no group to hold them.
  static func refuseWithoutGroup(_ request: LoadRequest) throws(Refusal) {
    let limits = request.setup.runLimits
    guard limits.unsupported == .refuse, let first = limits.keys.first else { return }
    throw Refusal(
      file: request.path,
      reason: "its job's `run-limits.\(first)` cannot be set: timelined has no control group to hold it",
      remedy: remedy)
  }
}
