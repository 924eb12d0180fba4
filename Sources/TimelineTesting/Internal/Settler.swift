internal import Synchronization

/// A clock's part in the lane: while it lives the lane is open, and it can wait there for all to come to rest.
final class Settler: Sendable {
  private struct State {
    /// The families of the tasks that have touched the clock.
    var families: Set<UInt64>
    /// Whether the clock has moved although something was left to do.
    var hasMovedOn = false
    /// Whether a task has touched the clock that runs where its jobs are not seen.
    var isOutOfSight = false
  }

  private let registration = LaneMembers.addClock()
  private let state: Mutex<State>

  init() {
    state = Mutex(State(families: registration.family.map { [$0] } ?? []))
  }

  deinit { LaneMembers.removeClock(madeBy: registration.maker) }

  /// Whether all jobs of the process are seen.
  var seesAllJobs: Bool { registration.seesAllJobs }

  /// The task that has made the clock, 0 for none.
  var maker: UInt64 { registration.maker }

  /// The families of the tasks that have touched the clock.
  var families: Set<UInt64> { state.withLock { $0.families } }

  /// Whether everything that tasks of the clock's tests have done until now could be known.
  var isExact: Bool {
    let state = state.withLock { $0 }
    return seesAllJobs && !state.hasMovedOn && !state.isOutOfSight && !LaneMembers.haveStrayed(state.families)
  }

  /// Counts the current task among those to wait for, and returns it, 0 for none.
  @discardableResult
  func join() -> UInt64 {
    noteExecutor()
    let (task, family) = LaneMembers.join()
    if let family { _ = state.withLock { $0.families.insert(family) } }
    return task
  }

  /// Notes if the current task runs where its jobs are not seen.
  ///
  /// The task that made the clock may: it is the test itself, which moves the clock only when it has come back.
  func noteExecutor() {
    guard LaneMembers.isOutOfSight(except: registration.maker) else { return }
    state.withLock { $0.isOutOfSight = true }
  }

  /// Waits until no task of the clock's tests has anything left to do; reports an issue, once, if that does not happen.
  func settle(_ site: CallSite, urgency: Urgency = .normal) async {
    join()
    guard seesAllJobs else {
      for _ in 0..<TestingLimits.turnsWithoutExecutors { await Task.yield() }
      return
    }
    let rest = await Lane.shared.rest(families, urgency: urgency)
    guard let reason = rest.reasonToMoveOn else { return }
    let isFirst = state.withLock { state in
      defer { state.hasMovedOn = true }
      return !state.hasMovedOn
    }
    if isFirst { site.report(reason) }
  }
}

extension Rest {
  /// Reason for which a clock moves although something is left to do; `nil` if nothing is.
  fileprivate var reasonToMoveOn: String? {
    switch self {
    case .complete: nil
    case .polled:
      """
      A task polls: it has yielded \(TestingLimits.yieldsPerSettling) times since the clock moved, and goes on.

      The clock moves without it, so this test may have another result next time. Have the task wait for what it \
      polls for: the value of a task, a continuation, an element of an AsyncStream, or the clock.
      """
    case .givenUp:
      """
      Tasks do not come to rest: they have run \(TestingLimits.jobsPerSettling) jobs since a clock moved, and go on.

      The clock moves without them, so this test may have another result next time. A task of this test, or of one \
      that runs beside it, may call an actor over and over until something happens. Have it wait for that instead.
      """
    }
  }
}
