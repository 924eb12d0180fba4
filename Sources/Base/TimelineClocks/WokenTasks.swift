/// Identity of a task, unique as long as the task lives.
struct TaskIdentity: Hashable, Sendable {
  private let value: Int

  /// The identity of the current task.
  static var current: TaskIdentity {
    TaskIdentity(value: unsafe withUnsafeCurrentTask { task in unsafe task?.hashValue ?? 0 })
  }
}

/// The tasks that a run of a ``ScaledClock`` has woken and that are not asleep again.
struct WokenTasks: Sendable {
  /// Whether each task is expected to sleep again, until its ``SleeperVisit`` leaves.
  private var tasks: [TaskIdentity: Bool] = [:]

  /// Turns of the executor for which a run waits for the woken tasks.
  var turnsToWait: Int {
    if tasks.isEmpty { return 0 }
    return tasks.values.contains(true) ? ClockLimits.turnsForTimers : ClockLimits.turnsForTasks
  }

  /// Records that a sleeper has been woken.
  mutating func insert(_ sleeper: Sleeper) { tasks[sleeper.task] = sleeper.isVisitor }

  /// Records that a task is asleep again, or will not sleep again.
  mutating func remove(_ task: TaskIdentity) { tasks[task] = nil }

  /// Stops waiting for all tasks.
  mutating func removeAll() { tasks = [:] }
}
