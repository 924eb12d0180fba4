import TimelineCore

/// The timeout, grace or pause of each run that has one: a binary heap with the place of each run in it.
///
/// Most timeouts are given up long before they come, so they are taken out at once and leave nothing behind. Runs are
/// far fewer than jobs: what each costs matters less than that it is exact.
struct RunDeadlines: Sendable {
  /// One deadline.
  struct Record: Sendable {
    /// When it comes.
    var deadline: WallInstant
    /// The tie break, then the order of the run's job.
    var rank: UInt64
    /// The run's slot.
    var slot: Int32

    /// Whether this record is to be dealt with before `other`.
    @inline(__always)
    func precedes(_ other: Record) -> Bool {
      if deadline != other.deadline { return deadline < other.deadline }
      return (rank, slot) < (other.rank, other.slot)
    }
  }

  private var heap: [Record] = []
  /// Where the record of each slot is in the heap; -1 for nowhere.
  private var positions: [Int32] = []

  /// The record to be dealt with first.
  var first: (deadline: WallInstant, slot: Int)? { heap.first.map { ($0.deadline, Int($0.slot)) } }

  /// How many deadlines there are.
  var count: Int { heap.count }

  /// The deadline of the run in `slot`, or `nil` when it has none.
  func deadline(of slot: Int) -> WallInstant? {
    guard slot < positions.count, positions[slot] >= 0 else { return nil }
    return heap[Int(positions[slot])].deadline
  }

  /// Gives the run in `slot` this deadline and no other.
  mutating func set(_ slot: Int, at deadline: WallInstant, _ tie: TieBreak, _ order: Int) {
    while positions.count <= slot { positions.append(-1) }
    let rank = UInt64(tie.rank) << 32 | UInt64(UInt32(truncatingIfNeeded: order))
    let record = Record(deadline: deadline, rank: rank, slot: Int32(truncatingIfNeeded: slot))
    let position = Int(positions[slot])
    guard position >= 0 else {
      precondition(heap.count < EngineLimits.deadlinesMax)
      heap.append(record)
      siftUp(heap.count - 1)
      return
    }
    let moved = heap[position]
    heap[position] = record
    if record.precedes(moved) { siftUp(position) } else { siftDown(position) }
  }

  /// Takes the deadline of the run in `slot` away, if it has one.
  mutating func remove(_ slot: Int) {
    guard slot < positions.count, positions[slot] >= 0 else { return }
    let position = Int(positions[slot])
    positions[slot] = -1
    guard let last = heap.popLast(), position < heap.count else { return }
    let removed = heap[position]
    heap[position] = last
    if last.precedes(removed) { siftUp(position) } else { siftDown(position) }
  }

  /// Takes every deadline away.
  mutating func removeAll() {
    heap.removeAll(keepingCapacity: true)
    positions.removeAll(keepingCapacity: true)
  }

  private mutating func siftUp(_ start: Int) {
    let record = heap[start]
    var position = start
    while position > 0 {
      let parent = (position - 1) / 2
      guard record.precedes(heap[parent]) else { break }
      place(heap[parent], at: position)
      position = parent
    }
    place(record, at: position)
  }

  private mutating func siftDown(_ start: Int) {
    let record = heap[start]
    var position = start
    while true {
      var child = 2 * position + 1
      guard child < heap.count else { break }
      if child + 1 < heap.count, heap[child + 1].precedes(heap[child]) { child += 1 }
      guard heap[child].precedes(record) else { break }
      place(heap[child], at: position)
      position = child
    }
    place(record, at: position)
  }

  @inline(__always)
  private mutating func place(_ record: Record, at position: Int) {
    heap[position] = record
    positions[Int(record.slot)] = Int32(truncatingIfNeeded: position)
  }
}
