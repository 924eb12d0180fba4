internal import TimelineCore
internal import TimelineSystem
internal import TimelineWire

/// The leftovers of a run: processes that the run has started and that still run when it has ended.
///
/// The host is a child subreaper, and runs one job at a time. So every descendant belongs to the run, in any process group
/// or session, and with or without a living parent. Descendants from before the run are excluded, because the opening of an
/// instance may have started them for all of its runs.
struct Leftovers {
  private let earlier: [ProcessTree.Entry]

  /// Results of handling leftovers.
  enum OutcomeCommit {
    case none
    case ended([ProcessTree.Entry], refused: SystemError?)
    case kept([ProcessTree.Entry])
  }

  /// Time for processes that are about to end by themselves, such as the last process of a pipeline, which may end after
  /// its shell.
  private static let patienceMilliseconds: CInt = 50
  /// Time between SIGTERM and SIGKILL. It delays the end of the run, but is long enough for a cleanup.
  private static let graceMilliseconds: CInt = 1_000
  /// Time for the kernel to end processes after SIGKILL. A process that takes longer hangs in a device and is reaped later.
  private static let deathMilliseconds: CInt = 200
  /// Pause between two checks: short compared to the time that a process needs to end.
  private static let pauseMilliseconds: CInt = 5
  /// Largest number of rounds of SIGKILL. Each round reaches processes that were started during the round before.
  private static let killRoundsMax = 50

  /// Records the descendants from before the run.
  init() {
    earlier = ProcessTree.hasChildren ? ProcessTree.descendants(except: []) : []
  }

  /// Handles the leftovers of the run after its end.
  func settle(_ policy: LeftoverPolicy) -> OutcomeCommit {
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
      // A stopped process handles the first signal only when it continues.
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

  /// Waits until all leftovers have ended, for at most `milliseconds`. Returns whether all have ended.
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
  /// Makes the log message about the leftovers of a run; `nil` when there are none.
  init?(run: UInt64, _ settlement: Leftovers.OutcomeCommit) {
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
