import TimelineCore

/// The active runs, each in a slot that the run keeps until it ends.
///
/// A run is found by its number with a binary search over 16-byte pairs, which ascend because run numbers ascend. A removal
/// moves the pairs before or behind it, whichever are fewer: no pairs if runs end in the order in which they began, 40 KB on
/// average for any of 10,000 runs. If this is too slow, a dictionary is the next step.
struct RunTable: Sendable {
  // A run is plain bytes: no references are counted when a run is inserted, read or removed.
  private var slots: [Run] = []
  /// Messages of the last attempts, by slot.
  private var messages: [Int: String] = [:]
  /// First free slot; -1 for none. The `job` of each free slot is the next free slot.
  private var vacant = -1
  private var order: [(number: UInt64, slot: Int)] = []
  /// Index at which ``order`` begins. Elements before it have been removed.
  private var head = 0

  /// Run number that was assigned last.
  private var lastNumber: UInt64
  /// Number of runs that wait for a plugin host.
  private(set) var hostWaitCount = 0
  /// Number of runs between two attempts.
  private(set) var backingOffCount = 0

  /// Makes a table without runs. The next run has a number greater than `last`.
  init(after last: RunID) { lastNumber = last.number }

  /// Returns the number for a new run.
  mutating func number() -> RunID {
    lastNumber += 1
    return RunID(number: lastNumber)
  }

  /// Skips the numbers up to and including the number of a run of an earlier daemon.
  mutating func skipNumbers(through id: RunID) { lastNumber = max(lastNumber, id.number) }

  var count: Int { order.count - head }

  /// The slots in use, in the order in which their runs were made.
  var occupied: some RandomAccessCollection<Int> { order[head...].lazy.map(\.slot) }

  /// The run in `slot`, which must be in use.
  subscript(slot: Int) -> Run {
    // Read in place: access to one property must not copy the whole run.
    _read { yield slots[slot] }
    _modify { yield &slots[slot] }
  }

  /// Whether the job at `index` has an active run whose entry is of the schedule and later than `nominal`.
  func hasRun(of index: Int, after nominal: WallInstant) -> Bool {
    occupied.contains { slot in
      slots[slot].job == index && slots[slot].cause.isOfSchedule && slots[slot].nominal > nominal
    }
  }

  /// Records that the attempt of the run in `slot` waits for a plugin host.
  mutating func beginHostWait(_ slot: Int) {
    slots[slot].beginHostWait()
    hostWaitCount += 1
  }

  /// Records that the attempt of the run in `slot` no longer waits.
  mutating func endHostWait(_ slot: Int) {
    slots[slot].endHostWait()
    hostWaitCount -= 1
  }

  /// Begins the back-off of the run in `slot`.
  mutating func backOff(_ slot: Int) {
    slots[slot].backOff()
    backingOffCount += 1
  }

  /// Returns the run in `slot` to its back-off, because its last attempt was never started.
  mutating func revertAttempt(_ slot: Int) {
    slots[slot].revertAttempt()
    backingOffCount += 1
  }

  /// Starts an attempt of the run in `slot`, the first one or one after a back-off.
  mutating func startAttempt(_ slot: Int, at now: WallInstant) {
    if slots[slot].phase == .backingOff { backingOffCount -= 1 }
    slots[slot].startAttempt(at: now)
  }

  /// Message of the last attempt of the run in `slot`, kept for the record during the back-off.
  subscript(lastMessageIn slot: Int) -> String {
    get { messages.isEmpty ? "" : messages[slot] ?? "" }
    set { messages[slot] = newValue.isEmpty ? nil : newValue }
  }

  /// Inserts a run and returns its slot. Its number is greater than all earlier numbers, unless it is a run of an earlier
  /// daemon.
  mutating func insert(_ run: Run) -> Int {
    let slot: Int
    if run.phase == .backingOff { backingOffCount += 1 }
    if vacant >= 0 {
      slot = vacant
      vacant = slots[slot].job
      slots[slot] = run
    } else {
      slot = slots.count
      slots.append(run)
    }
    if head == order.count || head > 1_000 && head > order.count / 2 { forgetFormer() }
    var position = order.count
    while position > head, order[position - 1].number > run.id.number { position -= 1 }
    precondition(position == head || order[position - 1].number < run.id.number, "run numbers are unique")
    order.insert((run.id.number, slot), at: position)
    return slot
  }

  /// Returns the slot of the run; `nil` if the run is not active.
  func slot(of id: RunID) -> Int? {
    // Most lookups are for the oldest run, because runs of equal length end in their order.
    if head < order.count, order[head].number == id.number { return order[head].slot }
    return position(of: id).map { order[$0].slot }
  }

  /// Removes a run, if it is active.
  mutating func remove(_ id: RunID) {
    if head < order.count, order[head].number == id.number {
      release(order[head].slot)
      head += 1
    } else {
      removeFromTheMiddle(id)
    }
  }

  private mutating func forgetFormer() {
    if head == order.count { order.removeAll(keepingCapacity: true) } else { order.removeFirst(head) }
    head = 0
  }

  private mutating func release(_ slot: Int) {
    if slots[slot].phase == .backingOff { backingOffCount -= 1 }
    slots[slot].job = vacant
    vacant = slot
    if !messages.isEmpty { messages[slot] = nil }
  }

  private mutating func removeFromTheMiddle(_ id: RunID) {
    guard let position = position(of: id) else { return }
    release(order[position].slot)
    if position - head < order.count - position {
      for moved in stride(from: position, to: head, by: -1) { order[moved] = order[moved - 1] }
      head += 1
    } else {
      order.remove(at: position)
    }
  }

  private func position(of id: RunID) -> Int? {
    var (low, high) = (head, order.count)
    while low < high {
      let middle = (low + high) / 2
      if order[middle].number < id.number { low = middle + 1 } else { high = middle }
    }
    return low < order.count && order[low].number == id.number ? low : nil
  }
}
