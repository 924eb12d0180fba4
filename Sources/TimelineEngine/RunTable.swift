import TimelineCore

/// One run in flight.
struct Run: Sendable {
  /// Where a run stands.
  enum Phase: Sendable, Hashable {
    /// Its attempt has been started and not been asked to stop.
    case running
    /// Its attempt has been asked to stop and has its grace.
    case stopping
    /// Its attempt has been killed; the end is awaited.
    case killed
    /// Its last attempt failed, the next one waits for the end of the pause.
    case pausing
  }

  /// Its number.
  var id: RunID
  /// The index of its job.
  var job: Int
  /// The entry's nominal instant.
  var nominal: WallInstant
  /// Why it exists.
  var cause: RunCause
  /// How many entries it stands for.
  var entryCount: Int
  /// When its first attempt was started.
  var startedAt: WallInstant
  /// How many attempts were started.
  var attempts: Int = 1
  /// Where it stands.
  var phase: Phase = .running
  /// Why it was asked to stop, if it was: the first reason counts.
  var stopReason: StopReason?
  /// When the attempt outlives the job's timeout; `nil` for never.
  var timeoutAt: WallInstant?
  /// What the last attempt said, kept for the record while the run pauses.
  var lastMessage: String = ""
}

/// The runs in flight, each in a slot that stays its own until it ends.
///
/// A run is found by its number with a binary search over 16-byte pairs, which ascend because numbers do. Taking
/// one out moves the pairs before or behind it, whichever are fewer: nothing for runs that end in the order in
/// which they began, 40 KB on average for any of 10,000. A dictionary comes next should that hurt.
struct RunTable: Sendable {
  private var slots: [Run] = []
  private var vacant: [Int] = []
  private var order: [(number: UInt64, slot: Int)] = []
  /// Where ``order`` begins: what is before it has been taken out.
  private var head = 0

  /// How many runs are in flight.
  var count: Int { order.count - head }

  /// The slots in use, in the order in which their runs were made.
  var occupied: some RandomAccessCollection<Int> { order[head...].lazy.map(\.slot) }

  /// The run in `slot`, which must be in use.
  subscript(slot: Int) -> Run {
    // Read in place: to ask one thing of a run must not copy all of it.
    @inline(__always) _read { yield slots[slot] }
    @inline(__always) _modify { yield &slots[slot] }
  }

  /// Takes in a run whose number is greater than all before, and returns its slot.
  mutating func insert(_ run: Run) -> Int {
    precondition(order.last.map { $0.number < run.id.number } ?? true, "run numbers ascend")
    let slot: Int
    if let reused = vacant.popLast() {
      slots[reused] = run
      slot = reused
    } else {
      slot = slots.count
      slots.append(run)
    }
    if head > 0, head == order.count || head > 1_000 && head > order.count / 2 {
      order.removeFirst(head)
      head = 0
    }
    order.append((run.id.number, slot))
    return slot
  }

  /// Where the run is, or `nil` when it is not in flight.
  func slot(of id: RunID) -> Int? {
    position(of: id).map { order[$0].slot }
  }

  /// Takes a run out, if it is there.
  mutating func remove(_ id: RunID) {
    guard let position = position(of: id) else { return }
    vacant.append(order[position].slot)
    if position - head < order.count - position {
      for moved in stride(from: position, to: head, by: -1) { order[moved] = order[moved - 1] }
      head += 1
    } else {
      order.remove(at: position)
    }
  }

  private func position(of id: RunID) -> Int? {
    var (low, high) = (head, order.count)
    // The run that is asked for most is the oldest, as runs that last equally long end in their order.
    if low < high, order[low].number == id.number { return low }
    while low < high {
      let middle = (low + high) / 2
      if order[middle].number < id.number { low = middle + 1 } else { high = middle }
    }
    return low < order.count && order[low].number == id.number ? low : nil
  }
}
