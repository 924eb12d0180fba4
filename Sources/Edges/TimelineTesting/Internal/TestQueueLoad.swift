/// Pending jobs of the test queue, and callers that wait until it is idle; plain data under the lock of ``TestQueue``.
///
/// The queue is idle for all families together or for none: an actor that several tests share runs the work of all of them
/// in one turn, which counts as a job of one family.
struct TestQueueLoad {
  private struct Waiter {
    let families: Set<UInt64>
    let urgency: Urgency
    let continuation: CheckedContinuation<Rest, Never>
  }

  /// Number of jobs that have not run yet, without jobs of polling tasks.
  private var outstanding = 0
  /// Number of jobs of polling tasks that have not run yet, by family.
  private var polls: [UInt64: Int] = [:]
  /// Number of jobs of polling tasks that must run before the queue is idle: the turn of an actor may include other work.
  private var pollsBeforeRest = 0
  /// Number of jobs that have run since the last waiter continued.
  private var served = 0
  /// Number of jobs after which a waiter continues although jobs are left.
  private var servedMax = TestingLimits.jobsPerSettling
  /// Number of yields of each task since the last waiter continued.
  private var yields: [UInt64: Int] = [:]
  /// Tasks that were found to poll.
  private var pollers: Set<UInt64> = []
  /// Tasks that have polled since the last waiter continued.
  private var polling: Set<UInt64> = []
  private var waiters: [Waiter] = []

  private var isAtRest: Bool { outstanding == 0 && pollsBeforeRest == 0 || served >= servedMax }

  /// Adds jobs of other executors, for which the queue waits.
  mutating func add(_ jobs: Int) { outstanding += jobs }

  /// Adds a job. Returns whether its task polls; the queue does not wait for a polling task.
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

  /// Removes the waiter that continues now, and returns it with the state of the queue. Returns `nil` while the queue is not
  /// idle, and if there is no waiter.
  ///
  /// Of waiters that share a family, the latest continues: if a task that was woken by an advance makes an advance
  /// itself, the second advance is part of the first one. Tests without a common family take turns.
  mutating func popWaiter() -> (CheckedContinuation<Rest, Never>, Rest)? {
    guard isAtRest, let index = waiters.indices.first(where: isNext) else { return nil }
    let waiter = waiters.remove(at: index)
    defer {
      // If jobs are left, fewer jobs may run before the next waiter continues.
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

/// A job of the test queue.
struct TestQueueJob {
  /// The family of the job's test.
  let family: UInt64
  /// The task of the job; for a job that is no task, the task that enqueues it; 0 for none.
  let task: UInt64
  /// Whether the job continues a task after a yield.
  let isYield: Bool
  /// Whether the job was enqueued while a polling task continued after a yield.
  let isOfPoll: Bool
}

/// Priority of a caller that waits until the queue is idle.
enum Urgency: Comparable {
  /// Continues after all other waiters that share a family.
  case idle
  case normal
}

/// The state of the queue when a waiter continues.
enum Rest {
  /// No job is left, except for polling tasks of other families.
  case complete
  /// Only jobs of polling tasks are left, and one of these tasks belongs to a family of the waiter.
  case polled
  /// Jobs are left although the maximum number of jobs has run, usually ``TestingLimits/jobsPerSettling``.
  case givenUp
}
