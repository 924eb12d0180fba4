/// The members of the lane; plain data under the lock of ``LaneMembers``.
///
/// Members come in families: a task that makes or touches a clock is the head of one, and all tasks that come from a
/// member are of its family.
struct LaneTable {
  /// Destination of a job.
  enum Destination {
    /// The lane, as a job of this family.
    case lane(UInt64)
    /// The executor it was going to, but watched under this number.
    case watched(UInt64)
    /// The executor it was going to.
    case passes
  }

  /// The family of each member, named by its head.
  private var families: [UInt64: UInt64] = [:]
  /// The number of clocks that each task has made, 0 for clocks made outside of any task.
  private var makers: [UInt64: Int] = [:]
  /// Families of which a task has waited for something that no clock can know.
  private(set) var strays: Set<UInt64> = []
  /// Members that began in the turn of an actor. Any family may have sent them there.
  private var foundlings: Set<UInt64> = []
  /// Tasks of no family that come from an actor with an executor of its own. They may be a test's, which is not seen.
  private(set) var outsiders: Set<UInt64> = []
  /// Tasks of no family that were seen.
  private var bystanders = Bystanders()

  /// Returns the destination of a job; a new task of a family is a member from now on.
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
    // A task that is older than the one that hands it over, or was seen before, is no child: it has waited for that
    // one, as the runner of a test waits for the test. A task that ends hands over as nobody; its children are newer
    // than the head of its family.
    let parent = handover.enqueuer == 0 ? family : handover.enqueuer
    return handover.task > parent && !bystanders.contains(handover.task) ? family : nil
  }

  /// Returns the family of the lane's job in which a job is handed over: by nobody, or by a task that began in the turn
  /// of an actor and shows itself only now.
  ///
  /// Not by one that only shares the actor: it is older than the family, or has been seen elsewhere.
  private func laneFamily(of handover: Handover) -> UInt64? {
    let (enqueuer, family) = (handover.enqueuer, handover.laneFamily)
    guard family != 0 else { return nil }
    return enqueuer == 0 || (enqueuer > family && !bystanders.contains(enqueuer)) ? family : nil
  }

  /// Whether a member that is no head becomes ready without a doing of the lane or of another member: it has been on
  /// an executor of its own, or was woken by a thread, a timer or a task that is out of sight.
  ///
  /// A head may: it is the test itself, which moves the clock only when it has come back.
  private func comesFromElsewhere(_ handover: Handover, family: UInt64) -> Bool {
    guard handover.task != family, handover.laneFamily == 0, handover.watched == 0 else { return false }
    return handover.enqueuer == handover.task || families[handover.enqueuer] == nil
  }

  /// Makes a task that touches a clock a member.
  ///
  /// - Parameter watched: The number of the watched job that the task runs in, 0 for none.
  /// - Returns: the task's family, and the number of watched jobs of tasks that come from it, which the lane has to wait
  ///   for.
  mutating func adopt(_ task: UInt64, in watched: UInt64) -> (family: UInt64?, pending: Int) {
    if makers.isEmpty { return (nil, 0) }
    if let family = families[task] ?? bystanders.familyOfAncestors(of: task, among: families) {
      families[task] = family
      return (family, 0)
    }
    families[task] = task
    return (task, bystanders.awaitJobs(from: task, except: watched))
  }

  /// Forgets a watched job that has been run, and returns whether the lane waits for it.
  mutating func finishWatchedJob(_ number: UInt64) -> Bool { bystanders.finishJob(number) }

  /// Notes that a task waits for something that no clock can know, unless it is the test itself.
  mutating func noteStray(_ task: UInt64) {
    guard let family = families[task], family != task else { return }
    strays.formUnion(foundlings.contains(task) ? Set(families.values) : [family])
  }

  /// Counts a clock, and returns the family of the task that has made it, `nil` for one made outside of any task.
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
