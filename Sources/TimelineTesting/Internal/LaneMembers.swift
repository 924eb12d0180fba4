internal import CTimelineTesting
internal import Synchronization

/// The tasks of the process that belong to tests with a test clock, and so run on the lane.
///
/// The runtime has one pair of executors for the whole process, so this is global state: a constant that holds a
/// lock. While no test clock is alive it is empty, and everything passes.
enum LaneMembers {
  private static let table = Mutex(LaneTable())

  /// A clock that has been made, as it is counted.
  struct Registration {
    /// The task that has made it, 0 for none; to be given to ``removeClock(madeBy:)``.
    let maker: UInt64
    /// The family of that task.
    let family: UInt64?
    /// Whether all jobs of the process are seen.
    let seesAllJobs: Bool
  }

  /// Counts a clock that is made here, and makes the current task a member.
  static func addClock() -> Registration {
    let task = timeline_current_task()
    return table.withLock { table in
      Registration(
        maker: task, family: table.addClock(madeBy: task), seesAllJobs: RuntimeExecutors.install())
    }
  }

  /// Uncounts a clock; after the last, all tasks go back to the runtime's executors.
  static func removeClock(madeBy task: UInt64) {
    table.withLock { $0.removeClock(madeBy: task) }
  }

  /// Makes the current task a member, and returns its family; `nil` outside of tasks.
  static func join() -> UInt64? {
    let task = timeline_current_task()
    guard task != 0 else { return nil }
    let watched = timeline_current_origin().watched
    return table.withLock { table in
      let (family, pending) = table.adopt(task, in: watched)
      // Under the lock, so that none of them is finished before it is expected.
      if pending > 0 { Lane.shared.expect(pending) }
      return family
    }
  }

  /// Whether a task of one of `families` has waited for something that no clock can know.
  static func haveStrayed(_ families: Set<UInt64>) -> Bool {
    table.withLock { !$0.strays.isDisjoint(with: families) }
  }

  /// Takes a job if it is a member's, or one to be watched; false leaves it to the runtime.
  static func divert(_ job: UnownedJob, to place: JobPlace) -> Bool {
    let handover = Handover(of: job)
    switch table.withLock({ $0.sort(handover) }) {
    case .lane(let family): Lane.shared.take(job, of: family, to: place)
    case .watched(let number): WatchedJobs.run(job, numbered: number, at: place)
    case .passes: return false
    }
    return true
  }

  /// Returns the family of a job that goes to the lane by itself.
  static func family(of job: UnownedJob) -> UInt64 {
    let handover = Handover(of: job)
    if case .lane(let family) = table.withLock({ $0.sort(handover) }) { return family }
    return handover.task
  }

  /// Notes that a watched job has been run.
  static func finishWatchedJob(_ number: UInt64) {
    if table.withLock({ $0.finishWatchedJob(number) }) { Lane.shared.finishJob() }
  }

  /// Notes that the current task is about to wait for real time.
  static func noteRealTime() {
    let task = timeline_current_task()
    if task != 0 { table.withLock { $0.noteStray(task) } }
  }
}

/// A job that is handed to an executor, and who hands it over.
struct Handover {
  /// The job's task, 0 for a job that is no task (a turn of an actor, a yield). Identifiers ascend, none is reused.
  var task: UInt64
  /// The task that runs on this thread, 0 for none.
  var enqueuer: UInt64
  /// The family of the lane's job that runs on this thread, 0 for none.
  var laneFamily: UInt64
  /// The number of the watched job that runs on this thread, 0 for none.
  var watched: UInt64
}

extension Handover {
  init(of job: UnownedJob) {
    let origin = timeline_current_origin()
    // An unowned job is the job's address.
    task = timeline_task_of_job(unsafe unsafeBitCast(job, to: UInt.self))
    enqueuer = timeline_current_task()
    laneFamily = origin.family
    watched = origin.watched
  }
}
