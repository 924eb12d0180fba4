internal import CTimelineTesting
internal import Synchronization

/// The tasks of the process that belong to tests with a test clock, and therefore run on the test queue.
///
/// The runtime has one pair of executors for the whole process, so this is global state: a constant that holds a
/// lock. While no test clock exists the table is empty, and all jobs go to the executors of the runtime.
enum TestQueueMembers {
  private static let table = Mutex(TestQueueTable())

  /// The registration of a new clock.
  struct Registration {
    /// The task that made the clock, 0 for none; the argument of ``removeClock(madeBy:)``.
    let maker: UInt64
    /// The family of ``maker``.
    let family: UInt64?
    /// Whether all jobs of the process are visible.
    let seesAllJobs: Bool
  }

  /// Counts a new clock, and makes the current task a member.
  static func addClock() -> Registration {
    let task = timeline_current_task()
    return table.withLock { table in
      Registration(
        maker: task, family: table.addClock(madeBy: task), seesAllJobs: RuntimeExecutors.install())
    }
  }

  /// Removes a clock. After the last clock, all tasks go back to the runtime's executors.
  static func removeClock(madeBy task: UInt64) {
    table.withLock { $0.removeClock(madeBy: task) }
  }

  /// Makes the current task a member, and returns it with its family; 0 and `nil` outside of tasks.
  static func join() -> (task: UInt64, family: UInt64?) {
    let task = timeline_current_task()
    guard task != 0 else { return (0, nil) }
    let watched = timeline_current_origin().watched
    return table.withLock { table in
      let (family, pending) = table.adopt(task, in: watched)
      // Under the lock, so that no job finishes before the queue expects it.
      if pending > 0 { TestQueue.shared.expect(pending) }
      return (task, family)
    }
  }

  /// Whether the current task has an executor of its own, or runs on an actor with one. The task's jobs then do not
  /// go through the executors of the process. Always `false` for the task `test`.
  static func isOutOfSight(except test: UInt64) -> Bool {
    let task = timeline_current_task()
    guard task != 0, task != test else { return false }
    let hasPreference = unsafe withUnsafeCurrentTask { unsafe $0?.unownedTaskExecutor != nil }
    return hasPreference || (timeline_current_origin().family == 0 && timeline_is_on_custom_executor())
      || table.withLock { $0.outsiders.contains(task) }
  }

  /// Whether a task of one of `families` has waited for something outside of the test, which the clock cannot observe.
  static func haveStrayed(_ families: Set<UInt64>) -> Bool {
    table.withLock { !$0.strays.isDisjoint(with: families) }
  }

  /// Enqueues a job of a member on the test queue, and tracks a job that must be watched; `false` if the runtime must run it.
  static func divert(_ job: UnownedJob, isYield: Bool, to place: JobPlace) -> Bool {
    let handover = Handover(of: job)
    switch table.withLock({ $0.sort(handover) }) {
    case .lane(let family):
      TestQueue.shared.take(job, TestQueueJob(handover, of: family, isYield: isYield), to: place)
    case .watched(let number): WatchedJobs.run(job, numbered: number, at: place)
    case .passes: return false
    }
    return true
  }

  /// Returns a job of a task that is on the test queue, with its family.
  static func laneJob(for job: UnownedJob, isYield: Bool) -> TestQueueJob {
    let handover = Handover(of: job)
    if case .lane(let family) = table.withLock({ $0.sort(handover) }) {
      return TestQueueJob(handover, of: family, isYield: isYield)
    }
    return TestQueueJob(handover, of: handover.task, isYield: isYield)
  }

  /// Records that a watched job has run.
  static func finishWatchedJob(_ number: UInt64) {
    if table.withLock({ $0.finishWatchedJob(number) }) { TestQueue.shared.finishJob() }
  }

  /// Records that the current task is about to wait for real time.
  static func noteRealTime() {
    let task = timeline_current_task()
    if task != 0 { table.withLock { $0.noteStray(task) } }
  }
}

/// A job that is enqueued on an executor, and the task that enqueues it.
struct Handover {
  /// The job's task, 0 for a job that is no task (a turn of an actor, a yield). Identifiers ascend and are not reused.
  var task: UInt64
  /// The task that runs on this thread, 0 for none.
  var enqueuer: UInt64
  /// The family of the test queue's job that runs on this thread, 0 for none.
  var laneFamily: UInt64
  /// The number of the watched job that runs on this thread, 0 for none.
  var watched: UInt64
  /// Whether the task enqueues itself from an actor that has an executor of its own.
  var isFromCustomExecutor = false
}

extension Handover {
  init(of job: UnownedJob) {
    let origin = timeline_current_origin()
    // An unowned job is the address of the job.
    task = timeline_task_of_job(unsafe unsafeBitCast(job, to: UInt.self))
    enqueuer = timeline_current_task()
    laneFamily = origin.family
    watched = origin.watched
    let isByItself = task != 0 && (enqueuer == 0 || enqueuer == task)
    isFromCustomExecutor =
      isByItself && laneFamily == 0 && watched == 0 && timeline_is_on_custom_executor()
  }
}

extension TestQueueJob {
  init(_ handover: Handover, of family: UInt64, isYield: Bool) {
    self.init(
      family: family, task: handover.task == 0 ? handover.enqueuer : handover.task, isYield: isYield,
      isOfPoll: timeline_current_origin().is_poll)
  }
}
