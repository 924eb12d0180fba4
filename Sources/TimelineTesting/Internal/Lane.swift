internal import CTimelineTesting
internal import Synchronization

/// The executor of tasks of tests with a test clock: one job at a time, and it knows when nothing is left to do.
///
/// Jobs run in the order in which they were handed over, whatever their priority and however loaded the machine
/// is. A task that waits for a clock, a continuation or another task has no job, so "no job left" means that
/// every task waits for something that will not happen by itself.
///
/// Tests that run side by side share the lane. That changes nothing in the order of the jobs of one of them, and a
/// test that waits for rest waits for its neighbors too.
///
/// Jobs run on the main thread, so that they are in order with the main actor's jobs too. Those are out of sight,
/// but the main thread does one thing after another: the lane is at rest only when the main thread has come round
/// ``TestingLimits/mainTurns`` times and no job has come of it.
final class Lane: SerialExecutor {
  static let shared = Lane()

  private let state = Mutex(State())

  private struct State {
    /// Jobs taken and not yet run.
    var outstanding = 0
    /// Jobs run, ever.
    var served = 0
    var waiters: [Waiter] = []
    /// The value of `served` when the main thread was asked to come round, and the number of its turns since; `nil`:
    /// not asked.
    var mainRound: (served: Int, turns: Int)?
  }

  /// The way for a task to get onto the lane from another executor: whoever leaves it is sorted by the hook.
  private actor Entrance {
    let lane: Lane
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe lane.asUnownedSerialExecutor() }
    init(lane: Lane) { self.lane = lane }
    func enter() {}
  }

  private struct Waiter {
    let continuation: CheckedContinuation<Void, Never>
    /// The waiter is served when the lane has run this many jobs, at rest or not.
    let limit: Int
  }

  func enqueue(_ job: consuming ExecutorJob) { take(UnownedJob(job)) }

  /// Takes a job; it runs after all that were taken before it and all that the main actor was given before it.
  func take(_ job: UnownedJob) {
    state.withLock { $0.outstanding += 1 }
    // A turn of the main thread for each: several in one would overtake the main actor's.
    MainThread.run { self.run(job) }
  }

  /// Waits until nothing is left to do, or until ``TestingLimits/jobsPerSettling`` jobs have been run.
  ///
  /// Several callers are served one after another, each when the one before has come to rest as well.
  func rest() async {
    // A task that runs beside the lane would go on beside it, too, when the lane is at rest already.
    if !timeline_is_on_lane() { await Entrance(lane: self).enter() }
    await withCheckedContinuation { continuation in
      state.withLock { state in
        state.waiters.append(
          Waiter(continuation: continuation, limit: state.served + TestingLimits.jobsPerSettling))
      }
      serveWaiter()
    }
  }

  private func run(_ job: UnownedJob) {
    let outer = timeline_enter_lane(true)
    unsafe job.runSynchronously(on: asUnownedSerialExecutor())
    _ = timeline_enter_lane(outer)
    state.withLock { state in
      state.outstanding -= 1
      state.served += 1
    }
    serveWaiter()
  }

  private enum Step {
    case nothing
    case askMain
    case serve(Waiter)
  }

  private func serveWaiter() {
    let step: Step = state.withLock { state in
      guard let first = state.waiters.first else { return .nothing }
      if state.served >= first.limit { return .serve(state.waiters.removeFirst()) }
      guard state.outstanding == 0, state.mainRound == nil else { return .nothing }
      state.mainRound = (state.served, 0)
      return .askMain
    }
    perform(step)
  }

  private func mainCameRound() {
    let step: Step = state.withLock { state in
      guard var round = state.mainRound else { return .nothing }
      guard state.outstanding == 0, !state.waiters.isEmpty else {
        state.mainRound = nil
        return .nothing
      }
      round = round.served == state.served ? (round.served, round.turns + 1) : (state.served, 0)
      if round.turns < TestingLimits.mainTurns {
        state.mainRound = round
        return .askMain
      }
      state.mainRound = nil
      return .serve(state.waiters.removeFirst())
    }
    perform(step)
  }

  private func perform(_ step: Step) {
    switch step {
    case .nothing: break
    case .askMain: MainThread.run { self.mainCameRound() }
    case .serve(let waiter):
      waiter.continuation.resume()
      // If it goes on elsewhere, no job of this lane's will see to the next.
      serveWaiter()
    }
  }
}
