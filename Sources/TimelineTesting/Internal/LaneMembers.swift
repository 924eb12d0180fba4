internal import CTimelineTesting
internal import Synchronization

/// The tasks of the process that belong to tests with a test clock, and so run on the lane.
///
/// The runtime has one hook for the whole process, so this is global state: a constant that holds a lock. While no
/// test clock is alive it is empty, and the hook lets everything pass.
enum LaneMembers {
  private static let table = Mutex(LaneTable())

  /// Whether the runtime asks here about every job.
  static var isHooked: Bool { table.withLock { _ in timeline_hook_install(divertJob) } }

  /// Counts a clock that is made here, and makes the current task a member.
  ///
  /// - Returns: the current task, 0 for none; to be given to ``removeClock(madeBy:)``.
  static func addClock() -> UInt64 {
    let task = timeline_current_task()
    table.withLock { table in
      _ = timeline_hook_install(divertJob)
      table.addClock(madeBy: task)
    }
    return task
  }

  /// Uncounts a clock; after the last, all tasks go back to the runtime's executors.
  static func removeClock(madeBy task: UInt64) {
    table.withLock { $0.removeClock(madeBy: task) }
  }

  /// Makes the current task a member.
  static func join() {
    let task = timeline_current_task()
    if task != 0 { table.withLock { $0.adopt(task) } }
  }

  /// Gives a job to the lane if it is a member's; false leaves it to the runtime.
  fileprivate static func divert(_ enqueue: timeline_enqueue) -> Bool {
    guard table.withLock({ $0.isMember(enqueue) }) else { return false }
    // The address comes from the runtime, which gave the job away with it.
    Lane.shared.take(unsafe unsafeBitCast(enqueue.job, to: UnownedJob.self))
    return true
  }
}

private let divertJob: timeline_divert = { LaneMembers.divert($0) }

/// The members of the lane; plain data under the lock of ``LaneMembers``.
struct LaneTable {
  private var tasks: Set<UInt64> = []
  /// The task that made each clock that is alive, 0 for a clock made outside of any task.
  private var makers: [UInt64: Int] = [:]
  /// The oldest of those tasks.
  private var oldestMaker = UInt64.max

  /// Whether a job belongs on the lane; a new task that does is a member from now on.
  mutating func isMember(_ enqueue: timeline_enqueue) -> Bool {
    if makers.isEmpty { return false }
    if tasks.contains(enqueue.task) { return true }
    // A clock made outside of any task looks after all of them: nobody can tell which are its test's.
    guard makers[0] != nil || isOfMember(enqueue) else { return false }
    if enqueue.task != 0 { tasks.insert(enqueue.task) }
    return true
  }

  private func isOfMember(_ enqueue: timeline_enqueue) -> Bool {
    let isHandedOverByMember = tasks.contains(enqueue.enqueuer) || enqueue.from_lane
    if enqueue.task == 0 { return isHandedOverByMember || enqueue.from_main_actor }
    // One that is older than who hands it over is no child: it waited for it, as the runner of a test waits for the
    // test, and goes back to where it came from.
    if isHandedOverByMember, enqueue.enqueuer != 0 { return enqueue.task > enqueue.enqueuer }
    // The runtime hides the making of a main-actor task. It shows itself when it leaves the main actor, and hands
    // itself over then, or starts another task. All that are younger than a test are taken for a test's.
    return enqueue.from_main_actor && enqueue.task > oldestMaker
  }

  mutating func adopt(_ task: UInt64) {
    if !makers.isEmpty { tasks.insert(task) }
  }

  mutating func addClock(madeBy task: UInt64) {
    makers[task, default: 0] += 1
    oldestMaker = makers.keys.min() ?? .max
    if task != 0 { tasks.insert(task) }
  }

  mutating func removeClock(madeBy task: UInt64) {
    let left = (makers[task] ?? 1) - 1
    makers[task] = left == 0 ? nil : left
    oldestMaker = makers.keys.min() ?? .max
    if makers.isEmpty { tasks = [] }
  }
}
