import TimelineCore

/// What falls due next: a binary heap of 24-byte records in one array, with a place for every handle.
///
/// Setting, moving and removing a deadline cost O(log n) compares of two integers and allocate nothing once the
/// arrays have grown; the first is read in O(1). Handles are small dense integers, so finding a record to move is
/// an array access and a deadline that was given up leaves no litter behind. At 100,000 deadlines this is 2.8 MB.
/// What comes next, should a profile ask for it: four children a node, which halves the cache misses.
struct DeadlineQueue: Sendable {
  /// One deadline.
  struct Record: Sendable {
    /// When it falls due.
    var deadline: WallInstant
    /// Who goes first at one instant.
    var tie: TieBreak
    /// What falls due.
    var handle: DeadlineHandle

    /// Whether this record is to be dealt with before `other`.
    @inline(__always)
    func precedes(_ other: Record) -> Bool {
      deadline == other.deadline ? tie.rank < other.tie.rank : deadline < other.deadline
    }
  }

  private var heap: [Record] = []
  /// Where each handle's record stands in the heap, by the handle's number; -1 for nowhere.
  private var positions: [Int32] = []

  /// The record to be dealt with first.
  var first: Record? { heap.first }

  /// How many deadlines there are.
  var count: Int { heap.count }

  /// When `handle` falls due, or `nil` when it has no deadline.
  func deadline(of handle: DeadlineHandle) -> WallInstant? {
    let number = Int(handle.number)
    guard number < positions.count, positions[number] >= 0 else { return nil }
    return heap[Int(positions[number])].deadline
  }

  /// Gives `handle` this deadline and no other.
  mutating func set(_ handle: DeadlineHandle, at deadline: WallInstant, tie: TieBreak) {
    let number = Int(handle.number)
    while positions.count <= number { positions.append(-1) }
    let record = Record(deadline: deadline, tie: tie, handle: handle)
    let position = Int(positions[number])
    guard position >= 0 else {
      precondition(heap.count < EngineLimits.deadlinesMax)
      heap.append(record)
      siftUp(heap.count - 1)
      return
    }
    assert(heap[position].handle == handle)
    let moved = heap[position]
    heap[position] = record
    if record.precedes(moved) { siftUp(position) } else { siftDown(position) }
  }

  /// Takes the deadline of `handle` away, if it has one.
  mutating func remove(_ handle: DeadlineHandle) {
    let number = Int(handle.number)
    guard number < positions.count, positions[number] >= 0 else { return }
    let position = Int(positions[number])
    positions[number] = -1
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
    positions[Int(record.handle.number)] = Int32(truncatingIfNeeded: position)
  }
}

/// What a deadline belongs to: the next entry of a job, or a run; numbered densely from 0.
struct DeadlineHandle: Sendable, Hashable {
  /// Jobs are even, runs are odd.
  var number: UInt32

  /// The next entry of the job at `index`.
  static func job(_ index: Int) -> DeadlineHandle { DeadlineHandle(number: UInt32(index) << 1) }
  /// The timeout, grace or pause of the run in `slot`.
  static func run(_ slot: Int) -> DeadlineHandle { DeadlineHandle(number: UInt32(slot) << 1 | 1) }

  /// Whether it belongs to a run.
  var isRun: Bool { number & 1 == 1 }
  /// The index of the job or the slot of the run.
  var index: Int { Int(number >> 1) }
}

/// Who goes first at one instant: runs before entries, then the higher priority, then the order of configuration.
///
/// Runs come first so that what a stop frees is free for the entries of the same instant.
struct TieBreak: Sendable, Hashable {
  /// Ascending: 1 bit for the kind, 31 for the priority, 32 for the order.
  var rank: UInt64

  /// Priorities beyond a thousand million either way count as that.
  init(isRun: Bool, priority: Int, order: Int) {
    let bound = 1_000_000_000
    let inverted = UInt64(bound - Swift.min(Swift.max(priority, -bound), bound))
    self.rank = (isRun ? 0 : 1) << 63 | inverted << 32 | UInt64(UInt32(clamping: order))
  }
}
