internal import TimelineCore
internal import TimelineSystem
internal import TimelineWire

/// The processes that a run leaves behind: all that it has started and that still run when it has ended.
///
/// The host is a child subreaper, and runs one job at a time. So everything below it belongs to the run, in whatever process
/// group or session it is and whether its parent lives or not, but for what was there before the run: what opening an instance
/// has started may serve all of its runs.
struct Leftovers {
  private let earlier: [ProcessTree.Entry]

  /// Results of dealing with them.
  enum Settlement {
    case none
    case ended([ProcessTree.Entry], refused: SystemError?)
    case kept([ProcessTree.Entry])
  }

  /// Time for those that are about to end by themselves, as the end of a pipeline that outlives its shell is.
  private static let patienceMilliseconds: CInt = 50
  /// Time between SIGTERM and SIGKILL: it holds the end of the run back, and is enough to put something in order.
  private static let graceMilliseconds: CInt = 1_000
  /// Time for the kernel to end what was sent SIGKILL; what takes longer hangs in a device and is reaped later.
  private static let deathMilliseconds: CInt = 200
  /// Pause between two checks: nothing beside what a process takes to end.
  private static let pauseMilliseconds: CInt = 5
  /// Rounds of SIGKILL to those that were started in the round before.
  private static let killRoundsMax = 50

  /// Begins a run.
  init() {
    earlier = ProcessTree.hasChildren ? ProcessTree.descendants(except: []) : []
  }

  /// Deals with what the run has left behind, once it has ended.
  func settle(_ policy: LeftoverPolicy) -> Settlement {
    guard ProcessTree.reapEndedChildren() else { return .none }
    if waitForEnd(atMost: Self.patienceMilliseconds) { return .none }
    let found = ProcessTree.descendants(except: earlier)
    if found.isEmpty { return .none }
    if policy == .keep { return .kept(found) }
    return .ended(found, refused: end(found))
  }

  private func end(_ found: [ProcessTree.Entry]) -> SystemError? {
    var refused: SystemError?
    for entry in found {
      refused = ProcessTree.signal(entry, .terminate) ?? refused
      // One that is stopped gets the other signal only when it goes on.
      _ = ProcessTree.signal(entry, .proceed)
    }
    if waitForEnd(atMost: Self.graceMilliseconds) { return refused }
    for _ in 0..<Self.killRoundsMax {
      let rest = ProcessTree.descendants(except: earlier)
      let refusals = rest.compactMap { ProcessTree.signal($0, .kill) }
      if refusals.count == rest.count { break }
    }
    _ = waitForEnd(atMost: Self.deathMilliseconds)
    return refused
  }

  /// Whether they have all ended, or end within the time.
  private func waitForEnd(atMost milliseconds: CInt) -> Bool {
    var waited: CInt = 0
    while true {
      let areGone =
        !ProcessTree.reapEndedChildren()
        || !earlier.isEmpty && ProcessTree.descendants(except: earlier).isEmpty
      if areGone { return true }
      if waited >= milliseconds { return false }
      HostSystem.pause(milliseconds: Self.pauseMilliseconds)
      waited += Self.pauseMilliseconds
    }
  }
}

extension LogLine {
  /// The log message about the processes that a run has left behind; `nil` when there are none.
  init?(run: UInt64, _ settlement: Leftovers.Settlement) {
    switch settlement {
    case .none: return nil
    case .ended(let processes, let refused):
      let refusal = refused.map { "; \($0.subject): \($0.reason.lowercased())" } ?? ""
      self.init(
        run: run, level: .warning,
        message: "left behind by the run and ended with it: \(processes.listing)\(refusal); "
          + "set `leftovers` to \"keep\" to let such processes run on")
    case .kept(let processes):
      self.init(
        run: run, level: .notice, message: "left behind by the run and kept: \(processes.listing)")
    }
  }
}
