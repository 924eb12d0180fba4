internal import CTimelineTesting
internal import Synchronization

/// Which task of the process belongs to which lane.
///
/// The runtime has one hook for the whole process, so its table is the one piece of global state here: a
/// constant that holds a lock. It is empty, and the hook lets everything pass, while no test clock is alive.
enum Lanes {
  private static let table = Mutex(LaneTable())

  /// Whether the runtime asks here about every job.
  static var isHooked: Bool { table.withLock { _ in timeline_hook_install(divertJob) } }

  /// The lane for a clock that is made here: the current task's own, a new one for it, or the ambient one.
  static func open() -> Lane {
    let task = timeline_current_task()
    let here = timeline_current_lane()
    let isMain = timeline_is_main_actor()
    return table.withLock { table in
      _ = timeline_hook_install(divertJob)
      let lane = table.lane(ofEnqueuer: task, on: here, fromMain: false) ?? table.makeLane(fromMain: isMain)
      table.adopt(task, into: lane, fromMain: isMain)
      table.clocks[lane.id, default: 0] += 1
      return lane
    }
  }

  /// Takes one clock out of `lane` and, after the last, lets its tasks go back to the runtime's executors.
  static func close(_ lane: Lane) {
    table.withLock { $0.removeClock(of: lane) }
  }

  /// Puts the current task into `lane` if it has none yet.
  ///
  /// - Returns: the lane of the current task, `nil` outside of tasks.
  @discardableResult
  static func join(_ lane: Lane) -> Lane? {
    let task = timeline_current_task()
    let isMain = timeline_is_main_actor()
    guard task != 0 else { return nil }
    return table.withLock { table in
      _ = timeline_hook_install(divertJob)
      return table.adopt(task, into: lane, fromMain: isMain)
    }
  }

  /// Gives a job to the lane that it belongs to; false when it belongs to none.
  fileprivate static func divert(_ enqueue: timeline_enqueue) -> Bool {
    guard let lane = table.withLock({ $0.lane(for: enqueue) }) else { return false }
    // The address comes from the runtime, which gave the job away with it.
    lane.take(unsafe unsafeBitCast(enqueue.job, to: UnownedJob.self))
    return true
  }
}

private let divertJob: timeline_divert = { Lanes.divert($0) }

/// The open lanes and their tasks; plain data under the lock of ``Lanes``.
struct LaneTable {
  var lanes: [UInt64: Lane] = [:]
  var tasks: [UInt64: Lane] = [:]
  /// The task of each lane that was the last to come by itself: a test.
  var founders: [UInt64: UInt64] = [:]
  /// How many clocks live in each lane; the lane closes with the last of them.
  var clocks: [UInt64: Int] = [:]
  /// The lane of clocks made outside of any task: tasks that no other lane has are its own.
  var ambient: Lane?
  /// The lane of clocks made on the main actor, where tasks of several tests take turns.
  var main: Lane?
  private var lastID: UInt64 = 0

  /// The lane that a job goes to, which a new task belongs to from now on.
  mutating func lane(for enqueue: timeline_enqueue) -> Lane? {
    if lanes.isEmpty { return nil }
    if let own = tasks[enqueue.task] { return own }
    guard
      let lane = lane(ofEnqueuer: enqueue.enqueuer, on: enqueue.lane, fromMain: enqueue.from_main_actor)
        ?? ambient
    else { return nil }
    guard enqueue.task != 0 else { return lane }
    guard lane === ambient || isChild(enqueue, of: lane) else { return nil }
    tasks[enqueue.task] = lane
    return lane
  }

  /// Whether a task that is not in the table yet is one that the lane's tasks have made.
  ///
  /// One that is older than who hands it over waited for it, as the runner of a test waits for the test, and goes
  /// back to where it came from.
  private func isChild(_ enqueue: timeline_enqueue, of lane: Lane) -> Bool {
    if enqueue.enqueuer != 0 { return enqueue.task > enqueue.enqueuer }
    // A task that leaves the main actor hands itself over. It was made there, out of sight.
    return enqueue.from_main_actor && enqueue.task > founders[lane.id] ?? .max
  }

  /// The lane of whoever runs on a thread.
  func lane(ofEnqueuer task: UInt64, on here: UInt64, fromMain: Bool) -> Lane? {
    if let lane = tasks[task] ?? lanes[here] { return lane }
    guard fromMain else { return nil }
    // The runtime hides the making of a main-actor task, so its lane can only be guessed. A wrong guess is put
    // right when the task touches its clock, which then waits for that lane as well.
    return main ?? lanes.max { $0.key < $1.key }?.value
  }

  /// Makes `task`, unless it is 0 or has a lane, one of `lane`'s; returns the lane it has then.
  @discardableResult
  mutating func adopt(_ task: UInt64, into lane: Lane, fromMain: Bool) -> Lane {
    guard task != 0 else { return lane }
    if let own = tasks[task] { return own }
    guard lanes[lane.id] != nil else { return lane }
    tasks[task] = lane
    founders[lane.id] = task
    if fromMain, main == nil { main = lane }
    return lane
  }

  mutating func makeLane(fromMain: Bool) -> Lane {
    let isAmbient = timeline_current_task() == 0
    if isAmbient, let ambient { return ambient }
    if fromMain, let main { return main }
    lastID += 1
    let lane = Lane(id: lastID)
    lanes[lane.id] = lane
    if isAmbient { ambient = lane }
    return lane
  }

  mutating func removeClock(of lane: Lane) {
    let left = (clocks[lane.id] ?? 1) - 1
    clocks[lane.id] = left
    guard left == 0 else { return }
    clocks[lane.id] = nil
    lanes[lane.id] = nil
    founders[lane.id] = nil
    if ambient === lane { ambient = nil }
    if main === lane { main = nil }
    tasks = tasks.filter { $0.value !== lane }
  }
}
