import TimelineCore

/// Index of each job by its name: open addressing over indices of 4 bytes. The names are stored with the jobs.
struct JobTable: Sendable {
  /// The index of the job in each slot, -1 for none; as many as a power of two.
  private var slots: [Int32] = []
  private var count = 0

  /// Makes room for `count` jobs.
  mutating func reserve(_ count: Int, _ jobs: [JobState]) {
    // Three quarters to seven eighths full a search looks at a few neighbours, which share a line of the cache.
    var size = 8
    while size / 8 * 7 < count { size *= 2 }
    guard size > slots.count else { return }
    let former = slots
    slots = Array(repeating: -1, count: size)
    for index in former where index >= 0 { slots[slot(of: jobs[Int(index)].definition.name, jobs)] = index }
  }

  /// The index of the job of this name.
  func index(of name: JobName, in jobs: [JobState]) -> Int? {
    if slots.isEmpty { return nil }
    let index = slots[slot(of: name, jobs)]
    return index < 0 ? nil : Int(index)
  }

  /// Takes in the job at `index`; `false` when there is one of its name.
  mutating func insert(_ index: Int, _ jobs: [JobState]) -> Bool {
    reserve(count + 1, jobs)
    let slot = slot(of: jobs[index].definition.name, jobs)
    guard slots[slot] < 0 else { return false }
    slots[slot] = Int32(truncatingIfNeeded: index)
    count += 1
    return true
  }

  /// The slot in which the job of this name is, or would be.
  private func slot(of name: JobName, _ jobs: [JobState]) -> Int {
    let mask = slots.count - 1
    var slot = name.hashValue & mask
    while slots[slot] >= 0, jobs[Int(slots[slot])].definition.name != name { slot = (slot + 1) & mask }
    return slot
  }
}
