internal import CTimelineTesting
internal import Synchronization

/// The executor of tasks of tests with a test clock: runs one job at a time, and detects when no job is left.
///
/// Jobs run in the order in which they were enqueued, independent of their priority and of the load of the machine.
/// A task that waits for a clock, a continuation or another task has no job, so "no job left" means that every task waits
/// for an event that no task will cause.
///
/// Tests that run concurrently share the queue. The order of jobs within each test stays the same. When no test has a
/// job left, one test continues.
///
/// Jobs run on the main thread: jobs of the main actor must, and a single thread gives all jobs one order.
final class TestQueue: SerialExecutor {
  static let shared = TestQueue()

  private let state = Mutex(TestQueueLoad())

  /// Moves a task to the queue from another executor. After `enter` the executors of the process decide where it continues.
  private actor Entrance {
    let lane: TestQueue
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe lane.asUnownedSerialExecutor() }
    init(lane: TestQueue) { self.lane = lane }
    func enter() {}
  }

  /// Enqueues a job of a task that is on the queue already.
  func enqueue(_ job: consuming ExecutorJob) {
    let isYield = job.isYield
    let job = UnownedJob(job)
    take(job, TestQueueMembers.laneJob(for: job, isYield: isYield), to: .anywhere)
  }

  /// Enqueues a job of a family; it runs after all jobs that were enqueued before it.
  func take(_ job: UnownedJob, _ laneJob: TestQueueJob, to place: JobPlace) {
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

  /// Adds jobs to wait for; ``finishJob()`` is called once for each.
  func expect(_ jobs: Int) {
    state.withLock { $0.add(jobs) }
  }

  /// Removes a job that has run, and resumes waiters if the queue is then idle.
  func finishJob() {
    state.withLock { $0.finishJob() }
    resumeWaiters()
  }

  private func finishPoll(of family: UInt64) {
    state.withLock { $0.finishPoll(of: family) }
    resumeWaiters()
  }

  /// Waits until only yields of polling tasks are left on the queue, or until ``TestingLimits/jobsPerSettling`` jobs have run
  /// without an idle queue.
  ///
  /// Of several callers for the same families, the latest continues first. The others continue when the queue is idle
  /// again.
  func rest(_ families: Set<UInt64>, urgency: Urgency) async -> Rest {
    // A task on another executor would continue there, concurrently with the queue, even if the queue is already idle.
    if timeline_current_origin().family == 0 { await Entrance(lane: self).enter() }
    return await withCheckedContinuation { continuation in
      state.withLock { $0.addWaiter(for: families, urgency: urgency, continuation) }
      // A task with an executor of its own is still not on the queue, and no job may be left that would resume it.
      resumeWaiters()
    }
  }

  private func resumeWaiters() {
    // Resumes one waiter at a time: once the waiter continues, the queue is no longer idle.
    while let (waiter, rest) = state.withLock({ $0.popWaiter() }) { waiter.resume(returning: rest) }
  }
}
