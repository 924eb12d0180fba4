import TimelineCore

/// The active runs, each in a slot that stays its own until it ends.
///
/// A run is found by its number with a binary search over 16-byte pairs, which ascend because numbers do. Taking
/// one out moves the pairs before or behind it, whichever are fewer: nothing for runs that end in the order in
/// which they began, 40 KB on average for any of 10,000. A dictionary comes next should that hurt.
struct RunTable: Sendable {
  // A run is plain bytes: nothing is counted when one is taken in, looked at or forgotten.
  private var slots: [Run] = []
  /// Messages of the last attempts, by slot.
  private var messages: [Int: String] = [:]
  /// The first of the slots that are free, each of which has the next one for its job; -1 for none.
  private var vacant = -1
  private var order: [(number: UInt64, slot: Int)] = []
  /// Index at which ``order`` begins. Elements before it have been removed.
  private var head = 0

  /// Number of the run that was numbered last.
  private var lastNumber: UInt64
  /// Number of runs that wait for a plugin host.
  private(set) var hostWaitCount = 0
  /// Number of runs between two attempts.
  private(set) var backingOffCount = 0

  /// A table without runs; the next run has a number greater than `last`.
  init(after last: RunID) { lastNumber = last.number }

  /// Numbers one more run.
  mutating func number() -> RunID {
    lastNumber += 1
    return RunID(number: lastNumber)
  }

  /// Numbers no later run as this one of an earlier daemon or lower.
  mutating func skipNumbers(through id: RunID) { lastNumber = max(lastNumber, id.number) }

  /// Number of active runs.
  var count: Int { order.count - head }

  /// The slots in use, in the order in which their runs were made.
  var occupied: some RandomAccessCollection<Int> { order[head...].lazy.map(\.slot) }

  /// The run in `slot`, which must be in use.
  subscript(slot: Int) -> Run {
    // Read in place: to ask one thing of a run must not copy all of it.
    _read { yield slots[slot] }
    _modify { yield &slots[slot] }
  }

  /// Whether a run of the job at `index` is active whose entry is one of the schedule later than `nominal`.
  func hasRun(of index: Int, after nominal: WallInstant) -> Bool {
    occupied.contains { slot in
      slots[slot].job == index && slots[slot].cause.isOfSchedule && slots[slot].nominal > nominal
    }
  }

  /// Takes in that the attempt of the run in `slot` waits for a plugin host.
  mutating func beginHostWait(_ slot: Int) {
    slots[slot].beginHostWait()
    hostWaitCount += 1
  }

  /// Takes in that the attempt of the run in `slot` does not wait any more.
  mutating func endHostWait(_ slot: Int) {
    slots[slot].endHostWait()
    hostWaitCount -= 1
  }

  /// Has the run in `slot` wait for its next attempt.
  mutating func backOff(_ slot: Int) {
    slots[slot].backOff()
    backingOffCount += 1
  }

  /// Has the run in `slot` be between two attempts again, for the last one was never started.
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

  /// Takes in a run and returns its slot. Its number is greater than all before, except that of a former life of the daemon.
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

  /// Returns the slot of the run; `nil` when it is not active.
  func slot(of id: RunID) -> Int? {
    // The run that is asked for most is the oldest, as runs that last equally long end in their order.
    if head < order.count, order[head].number == id.number { return order[head].slot }
    return position(of: id).map { order[$0].slot }
  }

  /// Takes a run out, if it is there.
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
