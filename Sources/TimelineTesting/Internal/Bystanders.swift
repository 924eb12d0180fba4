/// Tasks of no family, of which any may still make or touch a clock. Those it has started until then are part of its test,
/// too.
///
/// Their work until then is watched while there is a clock that was made outside of any task, as a stored property of
/// an `XCTestCase` is: its test begins before it touches the clock.
struct Bystanders {
  /// The task that started each task, 0 if that is not known.
  private var parents: [UInt64: UInt64] = [:]
  /// The tasks on whose behalf jobs run that have been handed over and not finished.
  private var owners: [UInt64: UInt64] = [:]
  /// Those jobs that the lane waits for.
  private var awaited: Set<UInt64> = []
  private var lastNumber: UInt64 = 0

  /// Whether a task was seen.
  func contains(_ task: UInt64) -> Bool { parents[task] != nil }

  /// Notes who comes from whom.
  mutating func note(_ handover: Handover) {
    link(handover.enqueuer, to: owners[handover.watched] ?? 0)
    link(handover.task, to: owner(of: handover))
  }

  /// Begins to watch a job, and returns its number.
  mutating func watch(_ handover: Handover) -> UInt64 {
    lastNumber += 1
    owners[lastNumber] = handover.task == 0 ? owner(of: handover) : handover.task
    return lastNumber
  }

  private func owner(of handover: Handover) -> UInt64 {
    handover.enqueuer == 0 ? owners[handover.watched] ?? 0 : handover.enqueuer
  }

  /// Notes that one task comes from another, which is the older one.
  private mutating func link(_ task: UInt64, to parent: UInt64) {
    guard task != 0, parents[task] == nil else { return }
    if parents.count >= TestingLimits.bystanders { forgetOlderHalf() }
    parents[task] = task > parent ? parent : 0
  }

  private mutating func forgetOlderHalf() {
    let middle = parents.keys.sorted()[parents.count / 2]
    parents = parents.filter { $0.key >= middle }
  }

  /// Returns the family from which a job comes, if one of the tasks before it has touched a clock by now.
  func family(of handover: Handover, among families: [UInt64: UInt64]) -> UInt64? {
    if let family = familyOfAncestors(of: handover.task, among: families) { return family }
    let isNew = handover.task >= handover.enqueuer && !contains(handover.task)
    guard handover.task == 0 || isNew else { return nil }
    if let family = familyOfAncestors(of: handover.enqueuer, among: families) { return family }
    // A task that begins in the turn of an actor shows itself only now.
    guard let host = owners[handover.watched], handover.enqueuer == 0 || handover.enqueuer > host else {
      return nil
    }
    return families[host] ?? familyOfAncestors(of: host, among: families)
  }

  /// Returns the family of the next ancestor that has one, up to ``TestingLimits/generations`` before the task.
  func familyOfAncestors(of task: UInt64, among families: [UInt64: UInt64]) -> UInt64? {
    var task = task
    for _ in 0..<TestingLimits.generations {
      guard let parent = parents[task], parent != 0 else { return nil }
      if let family = families[parent] { return family }
      task = parent
    }
    return nil
  }

  /// Has the lane wait for all jobs on behalf of `ancestor` and of those that come from it, except the one it runs in;
  /// returns their number.
  mutating func awaitJobs(from ancestor: UInt64, except running: UInt64) -> Int {
    let numbers = owners.filter { number, owner in
      number != running
        && (owner == ancestor || familyOfAncestors(of: owner, among: [ancestor: ancestor]) != nil)
    }
    awaited.formUnion(numbers.keys)
    return numbers.count
  }

  /// Forgets a job that has been run, and returns whether the lane waits for it.
  mutating func finishJob(_ number: UInt64) -> Bool {
    owners[number] = nil
    return awaited.remove(number) != nil
  }

  /// Forgets who comes from whom; jobs that have not been run will be.
  mutating func forgetTasks() { parents = [:] }
}
