internal import CTimelineTesting
internal import Synchronization

/// The executor of tasks of tests with a test clock: one job at a time, and it knows when nothing is left to do.
///
/// Jobs run in the order in which they were handed over, whatever their priority and however loaded the machine
/// is. A task that waits for a clock, a continuation or another task has no job, so "no job left" means that
/// every task waits for something that will not happen by itself.
///
/// Tests that run side by side share the lane. That changes nothing in the order of the jobs of one of them. When nothing
/// is left to do for any of them, one goes on.
///
/// Jobs run on the main thread: those of the main actor must, and one thread for all gives all of them one order.
final class Lane: SerialExecutor {
  static let shared = Lane()

  private let state = Mutex(LaneLoad())

  /// The way for a task to get onto the lane from another executor: whoever leaves it is sorted by the executors.
  private actor Entrance {
    let lane: Lane
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe lane.asUnownedSerialExecutor() }
    init(lane: Lane) { self.lane = lane }
    func enter() {}
  }

  /// Takes a job of a task that is on the lane already.
  func enqueue(_ job: consuming ExecutorJob) {
    let isYield = job.isYield
    let job = UnownedJob(job)
    take(job, LaneMembers.laneJob(for: job, isYield: isYield), to: .anywhere)
  }

  /// Takes a job of a family; it runs after all that were taken before it.
  func take(_ job: UnownedJob, _ laneJob: LaneJob, to place: JobPlace) {
    let isPoll = state.withLock { $0.add(laneJob) }
    let origin = timeline_origin(
      family: laneJob.family, watched: 0, is_poll: isPoll && laneJob.isYield)
    MainThread.run(mustBeMain: place == .mainActor) {
      let outer = timeline_enter(origin)
      switch place {
      case .anywhere: unsafe job.runSynchronously(on: self.asUnownedSerialExecutor())
      case .mainActor: unsafe job.runSynchronously(on: MainActor.sharedUnownedExecutor)
      }
      if isPoll { self.finishPoll(of: laneJob.family) } else { self.finishJob() }
      _ = timeline_enter(outer)
    }
  }

  /// Waits for so many jobs, of which ``finishJob()`` will be called for each.
  func expect(_ jobs: Int) {
    state.withLock { $0.add(jobs) }
  }

  /// Notes that a job has been run, and lets those go on who have waited for it.
  func finishJob() {
    state.withLock { $0.finishJob() }
    resumeWaiters()
  }

  private func finishPoll(of family: UInt64) {
    state.withLock { $0.finishPoll(of: family) }
    resumeWaiters()
  }

  /// Waits until nothing is left to do on the lane but the yields of tasks that poll, or until tasks that do not come
  /// to rest have run ``TestingLimits/jobsPerSettling`` jobs.
  ///
  /// Of several callers of the same families the latest goes on first, the others when the lane has come to rest again.
  func rest(_ families: Set<UInt64>, urgency: Urgency) async -> Rest {
    // A task that runs beside the lane would go on beside it, too, when the lane is at rest already.
    if timeline_current_origin().family == 0 { await Entrance(lane: self).enter() }
    return await withCheckedContinuation { continuation in
      state.withLock { $0.addWaiter(for: families, urgency: urgency, continuation) }
      // A task with an executor of its own is still beside the lane, and no job may be left that would let it go on.
      resumeWaiters()
    }
  }

  private func resumeWaiters() {
    // One at a time: when it goes on, the lane is not at rest any more.
    while let (waiter, rest) = state.withLock({ $0.popWaiter() }) { waiter.resume(returning: rest) }
  }
}
