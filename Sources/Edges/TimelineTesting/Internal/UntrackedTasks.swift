/// Tasks without a family. Each of them may still make or touch a clock. The tasks that it started earlier then
/// become part of its test as well.
///
/// The jobs of these tasks are tracked while a clock exists that was made outside of any task, for example as a stored
/// property of an `XCTestCase`, whose test begins before it touches the clock.
struct UntrackedTasks {
  /// The task that started each task, 0 if unknown.
  private var parents: [UInt64: UInt64] = [:]
  /// The task of each job that is enqueued and not finished, by the number of the job.
  private var owners: [UInt64: UInt64] = [:]
  /// The numbers of the tracked jobs that the test queue waits for.
  private var awaited: Set<UInt64> = []
  private var lastNumber: UInt64 = 0

  /// Whether a task was seen.
  func contains(_ task: UInt64) -> Bool { parents[task] != nil }

  /// Records the tasks that started the enqueuing task and the enqueued task.
  mutating func note(_ handover: Handover) {
    link(handover.enqueuer, to: owners[handover.watched] ?? 0)
    link(handover.task, to: owner(of: handover))
  }

  /// Begins to track a job, and returns its number.
  mutating func watch(_ handover: Handover) -> UInt64 {
    lastNumber += 1
    owners[lastNumber] = handover.task == 0 ? owner(of: handover) : handover.task
    return lastNumber
  }

  private func owner(of handover: Handover) -> UInt64 {
    handover.enqueuer == 0 ? owners[handover.watched] ?? 0 : handover.enqueuer
  }

  /// Records the task that started `task`: `parent` if it is older than `task`, otherwise unknown. The first record
  /// stays.
  private mutating func link(_ task: UInt64, to parent: UInt64) {
    guard task != 0, parents[task] == nil else { return }
    if parents.count >= TestingLimits.bystanders { forgetOlderHalf() }
    parents[task] = task > parent ? parent : 0
  }

  private mutating func forgetOlderHalf() {
    let middle = parents.keys.sorted()[parents.count / 2]
    parents = parents.filter { $0.key >= middle }
  }

  /// Returns the family of a job with an ancestor that has touched a clock; `nil` for any other job.
  func family(of handover: Handover, among families: [UInt64: UInt64]) -> UInt64? {
    if let family = familyOfAncestors(of: handover.task, among: families) { return family }
    let isNew = handover.task >= handover.enqueuer && !contains(handover.task)
    guard handover.task == 0 || isNew else { return nil }
    if let family = familyOfAncestors(of: handover.enqueuer, among: families) { return family }
    // A task that begins in the turn of an actor becomes visible with its first job.
    guard let host = owners[handover.watched], handover.enqueuer == 0 || handover.enqueuer > host else {
      return nil
    }
    return families[host] ?? familyOfAncestors(of: host, among: families)
  }

  /// Returns the family of the nearest ancestor with a family, at most ``TestingLimits/generations`` before the task.
  func familyOfAncestors(of task: UInt64, among families: [UInt64: UInt64]) -> UInt64? {
    var task = task
    for _ in 0..<TestingLimits.generations {
      guard let parent = parents[task], parent != 0 else { return nil }
      if let family = families[parent] { return family }
      task = parent
    }
    return nil
  }

  /// Marks all jobs of `ancestor` and its descendants, except `running`, as awaited by the test queue; returns their number.
  mutating func awaitJobs(from ancestor: UInt64, except running: UInt64) -> Int {
    let numbers = owners.filter { number, owner in
      number != running
        && (owner == ancestor || familyOfAncestors(of: owner, among: [ancestor: ancestor]) != nil)
    }
    awaited.formUnion(numbers.keys)
    return numbers.count
  }

  /// Removes a job that has run, and returns whether the test queue waits for it.
  mutating func finishJob(_ number: UInt64) -> Bool {
    owners[number] = nil
    return awaited.remove(number) != nil
  }

  /// Removes all tasks; jobs that have not run yet stay.
  mutating func forgetTasks() { parents = [:] }
}
