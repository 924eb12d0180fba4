internal import Synchronization

/// A clock's connection to the test queue. While a settler exists, the queue is active. The clock can wait until the
/// queue is idle.
final class Settler: Sendable {
  private struct State {
    /// The families of the tasks that have touched the clock.
    var families: Set<UInt64>
    /// Whether the clock has moved although jobs were left.
    var hasMovedOn = false
    /// Whether a task whose jobs are not visible has touched the clock.
    var isOutOfSight = false
  }

  private let registration = TestQueueMembers.addClock()
  private let state: Mutex<State>

  init() {
    state = Mutex(State(families: registration.family.map { [$0] } ?? []))
  }

  deinit { TestQueueMembers.removeClock(madeBy: registration.maker) }

  /// Whether all jobs of the process are visible.
  var seesAllJobs: Bool { registration.seesAllJobs }

  /// The task that made the clock, 0 for none.
  var maker: UInt64 { registration.maker }

  var families: Set<UInt64> { state.withLock { $0.families } }

  /// Whether all work of the tasks of the clock's tests has been visible so far.
  var isExact: Bool {
    let state = state.withLock { $0 }
    return seesAllJobs && !state.hasMovedOn && !state.isOutOfSight
      && !TestQueueMembers.haveStrayed(state.families)
  }

  /// Adds the current task to the tasks to wait for. Returns the task, 0 for none.
  @discardableResult
  func join() -> UInt64 {
    noteExecutor()
    let (task, family) = TestQueueMembers.join()
    if let family { _ = state.withLock { $0.families.insert(family) } }
    return task
  }

  /// Marks the clock as out of sight if the jobs of the current task are not visible.
  ///
  /// The task that made the clock is exempt: it is the test itself, which moves the clock only after it has returned.
  func noteExecutor() {
    guard TestQueueMembers.isOutOfSight(except: registration.maker) else { return }
    state.withLock { $0.isOutOfSight = true }
  }

  /// Waits until no task of the clock's tests has a job left; reports an issue, once, if that does not happen.
  func settle(_ site: CallSite, urgency: Urgency = .normal) async {
    join()
    guard seesAllJobs else {
      for _ in 0..<TestingLimits.turnsWithoutExecutors { await Task.yield() }
      return
    }
    let rest = await TestQueue.shared.rest(families, urgency: urgency)
    guard let reason = rest.reasonToMoveOn else { return }
    let isFirst = state.withLock { state in
      defer { state.hasMovedOn = true }
      return !state.hasMovedOn
    }
    if isFirst { site.report(reason) }
  }
}

extension Rest {
  /// Reason to move the clock although jobs are left; `nil` if none are.
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
