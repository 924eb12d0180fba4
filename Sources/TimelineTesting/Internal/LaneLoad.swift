/// The jobs that the lane has before it, and who waits for it to come to rest; plain data under the lock of ``Lane``.
///
/// The lane rests as a whole. An actor that several tests share runs the work of all of them in one turn, which is
/// the job of one family: no family by itself shows whether its own work is done.
struct LaneLoad {
  private struct Waiter {
    let families: Set<UInt64>
    let urgency: Urgency
    let continuation: CheckedContinuation<Rest, Never>
  }

  /// Jobs taken and not yet run, without those of tasks that poll.
  private var outstanding = 0
  /// Jobs of tasks that poll, taken and not yet run, by family.
  private var polls: [UInt64: Int] = [:]
  /// Those of them that are run before the lane is at rest: the turn of an actor may do other work as well.
  private var pollsBeforeRest = 0
  /// Jobs run since a waiter went on last.
  private var served = 0
  /// The number of jobs after which a waiter goes on nevertheless.
  private var servedMax = TestingLimits.jobsPerSettling
  /// The yields of each task since a waiter went on last.
  private var yields: [UInt64: Int] = [:]
  /// Tasks that have been found to poll.
  private var pollers: Set<UInt64> = []
  /// Those that have polled since a waiter went on last.
  private var polling: Set<UInt64> = []
  private var waiters: [Waiter] = []

  private var isAtRest: Bool { outstanding == 0 && pollsBeforeRest == 0 || served >= servedMax }

  /// Adds jobs that were begun elsewhere.
  mutating func add(_ jobs: Int) { outstanding += jobs }

  /// Adds a job, and returns whether it is one of a task that polls, for which the lane does not wait.
  mutating func add(_ job: LaneJob) -> Bool {
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

  /// Notes that a job has been run.
  mutating func finishJob() {
    outstanding -= 1
    served += 1
    if outstanding == 0 { pollsBeforeRest = polls.values.reduce(0, +) }
  }

  /// Notes that a job of a task that polls has been run.
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

  /// Takes out the waiter that goes on now, with what it waited for; `nil` while the lane is not at rest.
  ///
  /// Of the waiters that share a family the latest, because a task that was woken by an advance and makes one itself is
  /// part of the first one. Tests that have nothing in common take turns.
  mutating func popWaiter() -> (CheckedContinuation<Rest, Never>, Rest)? {
    guard isAtRest, let index = waiters.indices.first(where: isNext) else { return nil }
    let waiter = waiters.remove(at: index)
    defer {
      // Tasks that have not come to rest once are not given as long again.
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
struct LaneJob {
  /// The family on whose behalf it runs.
  let family: UInt64
  /// The task that it is of, or that hands over a job that is no task; 0 for none.
  let task: UInt64
  /// Whether the task yields.
  let isYield: Bool
  /// Whether it is handed over by a yield of a task that polls.
  let isOfPoll: Bool
}

/// The order of those who wait for the lane to come to rest.
enum Urgency: Comparable {
  /// After all that share a family.
  case idle
  case normal
}

/// The state of the lane when a waiter goes on.
enum Rest {
  /// Nothing is left to do.
  case complete
  /// Nothing but yields of tasks that poll, of which one belongs to the families that were waited for.
  case polled
  /// Tasks have run ``TestingLimits/jobsPerSettling`` jobs and are not done.
  case givenUp
}
