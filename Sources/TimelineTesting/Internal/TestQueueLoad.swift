/// The pending jobs of the lane, and the waiters for its rest; plain data under the lock of ``TestQueue``.
///
/// The lane rests as a whole. An actor that several tests share runs the work of all of them in one turn, which counts as
/// a job of one family, so that a single family cannot show whether its own work is done.
struct TestQueueLoad {
  private struct Waiter {
    let families: Set<UInt64>
    let urgency: Urgency
    let continuation: CheckedContinuation<Rest, Never>
  }

  /// Jobs that have not run yet, without those of polling tasks.
  private var outstanding = 0
  /// Jobs of polling tasks that have not run yet, by family.
  private var polls: [UInt64: Int] = [:]
  /// The jobs of polling tasks that run before the lane is at rest: the turn of an actor may include other work.
  private var pollsBeforeRest = 0
  /// Jobs run since the last waiter continued.
  private var served = 0
  /// The number of jobs after which a waiter continues although jobs are left.
  private var servedMax = TestingLimits.jobsPerSettling
  /// The yields of each task since the last waiter continued.
  private var yields: [UInt64: Int] = [:]
  /// Tasks that have been found to poll.
  private var pollers: Set<UInt64> = []
  /// Tasks that have polled since the last waiter continued.
  private var polling: Set<UInt64> = []
  private var waiters: [Waiter] = []

  private var isAtRest: Bool { outstanding == 0 && pollsBeforeRest == 0 || served >= servedMax }

  /// Adds jobs that began on other executors.
  mutating func add(_ jobs: Int) { outstanding += jobs }

  /// Adds a job, and returns whether its task polls, so that the lane does not wait for it.
  mutating func add(_ job: TestQueueJob) -> Bool {
    if job.isYield { countYield(of: job.task) }
    let isPoll = job.isOfPoll || polling.contains(job.task)
    if isPoll { polls[job.family, default: 0] += 1 } else { outstanding += 1 }
    return isPoll
  }

  private mutating func countYield(of task: UInt64) {
    let count = yields[task, default: 0] + 1
    yields[task] = count
    let isKnown = pollers.contains(task)
    guard count > (isKnown ? TestingLimits.yieldsOfPoller : TestingLimits.yieldsPerSettling) else { return }
    pollers.insert(task)
    polling.insert(task)
  }

  /// Records that a job has run.
  mutating func finishJob() {
    outstanding -= 1
    served += 1
    if outstanding == 0 { pollsBeforeRest = polls.values.reduce(0, +) }
  }

  /// Records that a job of a polling task has run.
  mutating func finishPoll(of family: UInt64) {
    let left = (polls[family] ?? 1) - 1
    polls[family] = left == 0 ? nil : left
    pollsBeforeRest = max(0, pollsBeforeRest - 1)
  }

  mutating func addWaiter(
    for families: Set<UInt64>, urgency: Urgency, _ continuation: CheckedContinuation<Rest, Never>
  ) {
    waiters.append(Waiter(families: families, urgency: urgency, continuation: continuation))
  }

  /// Removes the waiter that continues now, and returns it with the state of the lane; `nil` while the lane is not at rest.
  ///
  /// Of waiters that share a family, the latest continues: if a task that was woken by an advance makes an advance
  /// itself, the second advance is part of the first one. Tests without a common family take turns.
  mutating func popWaiter() -> (CheckedContinuation<Rest, Never>, Rest)? {
    guard isAtRest, let index = waiters.indices.first(where: isNext) else { return nil }
    let waiter = waiters.remove(at: index)
    defer {
      // If tasks have not come to rest, they may run fewer jobs before the next waiter continues.
      servedMax = outstanding == 0 ? TestingLimits.jobsPerSettling : TestingLimits.yieldsPerSettling
      served = 0
      yields = [:]
      polling = []
    }
    if outstanding > 0 { return (waiter.continuation, .givenUp) }
    return (waiter.continuation, waiter.families.isDisjoint(with: polls.keys) ? .complete : .polled)
  }

  private func isNext(_ index: Int) -> Bool {
    let waiter = waiters[index]
    return waiters.indices.allSatisfy { other in
      (waiters[other].urgency, other) <= (waiter.urgency, index)
        || waiters[other].families.isDisjoint(with: waiter.families)
    }
  }
}

/// A job of the lane.
struct TestQueueJob {
  /// The family of the test that it belongs to.
  let family: UInt64
  /// The task of the job, or the task that enqueues a job that is no task; 0 for none.
  let task: UInt64
  /// Whether the task yields.
  let isYield: Bool
  /// Whether it was enqueued by a yield of a polling task.
  let isOfPoll: Bool
}

/// The order of the waiters for the rest of the lane.
enum Urgency: Comparable {
  /// After all waiters that share a family.
  case idle
  case normal
}

/// The state of the lane when a waiter continues.
enum Rest {
  /// No job is left.
  case complete
  /// Only yields of polling tasks are left, and one of these tasks belongs to the families of the waiter.
  case polled
  /// Tasks have run ``TestingLimits/jobsPerSettling`` jobs and still have some.
  case givenUp
}
