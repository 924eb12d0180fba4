/// The members of the test queue; plain data under the lock of ``TestQueueMembers``.
///
/// Members come in families: a task that makes or touches a clock is the head of a family, and all its descendants
/// belong to this family.
struct TestQueueTable {
  /// Destination of a job.
  enum Destination {
    /// The test queue, as a job of this family.
    case lane(UInt64)
    /// The original executor, tracked under this number.
    case watched(UInt64)
    /// The original executor.
    case passes
  }

  /// The family of each member, named by its head.
  private var families: [UInt64: UInt64] = [:]
  /// The number of clocks that each task has made, 0 for clocks made outside of any task.
  private var makers: [UInt64: Int] = [:]
  /// Families with a task that has waited for something outside of the test, which the clock cannot observe.
  private(set) var strays: Set<UInt64> = []
  /// Members that began in the turn of an actor. Any family may have started them there.
  private var foundlings: Set<UInt64> = []
  /// Tasks without a family that come from an actor with an executor of its own. They may belong to a test, but this
  /// cannot be detected.
  private(set) var outsiders: Set<UInt64> = []
  private var bystanders = UntrackedTasks()

  /// Returns the destination of a job; a new task of a family becomes a member.
  mutating func sort(_ handover: Handover) -> Destination {
    if makers.isEmpty { return .passes }
    if let family = family(of: handover) { return .lane(family) }
    if handover.isFromCustomExecutor { outsiders.insert(handover.task) }
    bystanders.note(handover)
    return makers[0] == nil ? .passes : .watched(bystanders.watch(handover))
  }

  private mutating func family(of handover: Handover) -> UInt64? {
    if let family = families[handover.task] {
      if comesFromElsewhere(handover, family: family) { noteStray(handover.task) }
      return family
    }
    let family = inheritedFamily(of: handover) ?? bystanders.family(of: handover, among: families)
    if let family, handover.task != 0 {
      if families[handover.enqueuer] == nil || foundlings.contains(handover.enqueuer) {
        foundlings.insert(handover.task)
      }
      families[handover.task] = family
    }
    return family
  }

  private func inheritedFamily(of handover: Handover) -> UInt64? {
    guard let family = families[handover.enqueuer] ?? laneFamily(of: handover) else { return nil }
    if handover.task == 0 { return family }
    // A task that is older than its enqueuer, or was seen before, is no child: it has waited for the enqueuer, as the runner
    // of a test waits for the test. A task that ends enqueues jobs without a current task; its children are newer than the
    // head of its family.
    let parent = handover.enqueuer == 0 ? family : handover.enqueuer
    return handover.task > parent && !bystanders.contains(handover.task) ? family : nil
  }

  /// Returns the family of the queue's job during which a job is enqueued. Returns `nil` if a task enqueues the job,
  /// unless this task began in the turn of an actor and was not visible before.
  ///
  /// A task that only shares the actor is excluded: it is older than the family, or was seen before.
  private func laneFamily(of handover: Handover) -> UInt64? {
    let (enqueuer, family) = (handover.enqueuer, handover.laneFamily)
    guard family != 0 else { return nil }
    return enqueuer == 0 || (enqueuer > family && !bystanders.contains(enqueuer)) ? family : nil
  }

  /// Whether a member other than the head was made ready by neither the queue nor another member: it has been on an
  /// executor of its own, or was woken by a thread, a timer or a task that is not visible.
  ///
  /// The head is exempt: it is the test itself, which moves the clock only after it has returned to the queue.
  private func comesFromElsewhere(_ handover: Handover, family: UInt64) -> Bool {
    guard handover.task != family, handover.laneFamily == 0, handover.watched == 0 else { return false }
    return handover.enqueuer == handover.task || families[handover.enqueuer] == nil
  }

  /// Makes a task that touches a clock a member.
  ///
  /// - Parameter watched: The number of the watched job that the task runs in, 0 for none.
  /// - Returns: the task's family, and the number of watched jobs of its descendants, for which the queue must wait.
  mutating func adopt(_ task: UInt64, in watched: UInt64) -> (family: UInt64?, pending: Int) {
    if makers.isEmpty { return (nil, 0) }
    if let family = families[task] ?? bystanders.familyOfAncestors(of: task, among: families) {
      families[task] = family
      return (family, 0)
    }
    families[task] = task
    return (task, bystanders.awaitJobs(from: task, except: watched))
  }

  /// Removes a watched job that has run, and returns whether the queue waits for it.
  mutating func finishWatchedJob(_ number: UInt64) -> Bool { bystanders.finishJob(number) }

  /// Records that a task waits for something outside of the test, which the clock cannot observe; ignores the test itself.
  mutating func noteStray(_ task: UInt64) {
    guard let family = families[task], family != task else { return }
    strays.formUnion(foundlings.contains(task) ? Set(families.values) : [family])
  }

  /// Counts a clock. Returns the family of the task that made the clock; `nil` for a clock made outside of any task.
  mutating func addClock(madeBy task: UInt64) -> UInt64? {
    makers[task, default: 0] += 1
    if task == 0 { return nil }
    let family = families[task] ?? task
    families[task] = family
    return family
  }

  mutating func removeClock(madeBy task: UInt64) {
    let left = (makers[task] ?? 1) - 1
    makers[task] = left == 0 ? nil : left
    if makers.isEmpty {
      families = [:]
      strays = []
      foundlings = []
      outsiders = []
      bystanders.forgetTasks()
    }
  }
}
