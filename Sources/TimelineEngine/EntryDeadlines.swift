import TimelineCore

/// When the next entry of each job falls due: small and quick however many jobs there are.
///
/// Records are in two parts. Those that fall due soon, up to a moment, are in a heap; the others lie in a wheel, roughly
/// in order, and come into the heap a few at a time. So the heap is small enough for the nearest cache however many
/// there are, and setting a deadline and taking the first cost a bounded number of moves of 16 bytes. With few
/// deadlines there is nothing but the heap; whatever their distribution, none costs more than O(log n).
///
/// A deadline that was moved or given up leaves its record behind, which is dropped when it comes first. There are never
/// more such records than deadlines and a quarter of the jobs, for then all are filed anew.
struct EntryDeadlines: Sendable {
  private var soon = DeadlineHeap()
  private var later = DeadlineWheel()
  /// Everything up to this moment is in ``soon``, everything after it in ``later``.
  private var soonEnd: UInt64 = 0
  /// How large ``soon`` may become before it is divided.
  private var soonMax = Self.soonMin
  private var table = DeadlineTable()

  /// How many deadlines there are.
  private(set) var count = 0
  /// How many records there are, those included that do not count any more.
  var recordCount: Int { soon.count + later.count }

  /// A heap of this size is as fast as a smaller one.
  private static let soonMin = 256

  /// Makes room for `count` jobs.
  mutating func reserve(_ count: Int) {
    table.reserve(count)
    later.reserve(count)
  }

  /// The record to be dealt with first.
  var first: DeadlineRecord? {
    mutating get {
      while true {
        while let head = soon.first {
          if table.holds(head) { return head }
          soon.removeFirst()
        }
        guard let end = later.open(into: &soon) else { return nil }
        soonEnd = end
        soonMax = max(Self.soonMin, 2 * soon.count)
      }
    }
  }

  /// The record that ``first`` gave, as long as nothing was set or removed since.
  var firstFound: DeadlineRecord? { soon.first }

  /// How many records have the moment of ``firstFound``, at most `limit`; what does not count any more may be among them.
  func countOfFirst(atMost limit: Int) -> Int { soon.countOfFirst(atMost: limit) }

  /// When the job at `index` falls due.
  func deadline(of index: Int) -> WallInstant? {
    table.moment(at: index).map { DeadlineRecord.instant(at: $0) }
  }

  /// Gives the job of the record this deadline and no other.
  mutating func set(_ record: DeadlineRecord) {
    guard let former = table.replace(record) else {
      count += 1
      return file(record)
    }
    guard let head = soon.first, head == former else {
      file(record)
      return dropLitterIfMuch()
    }
    // What was first is put off: its place in the heap is taken or given up, and nothing is left behind.
    if record.moment <= soonEnd {
      soon.replaceFirst(with: record)
    } else {
      soon.removeFirst()
      later.insert(record)
    }
  }

  /// Takes the deadline of the job at `index` away, if it has one.
  mutating func remove(_ index: Int) {
    guard let former = table.remove(at: index) else { return }
    count -= 1
    if let head = soon.first, head == former { return soon.removeFirst() }
    dropLitterIfMuch()
  }

  /// Takes every deadline away.
  mutating func removeAll() {
    soon.removeAll()
    later.removeAll()
    table.removeAll()
    soonEnd = 0
    soonMax = Self.soonMin
    count = 0
  }

  private mutating func file(_ record: DeadlineRecord) {
    guard record.moment <= soonEnd else { return later.insert(record) }
    soon.insert(record)
    if soon.count > soonMax { divide() }
  }

  /// Lets go of what need not be in the heap, so that it stays small when much is set before its end.
  private mutating func divide() {
    guard let head = soon.first else { return }
    // The wheel holds nothing before its base; only what lies there cannot leave the heap.
    let bound = later.base == 0 ? head.moment : max(head.moment, later.base - 1)
    let records = soon.takeAll()
    soonEnd = bound
    for record in records { put(record) }
    soon.heapify()
    // A bound that doubles with what could not leave keeps this from being tried again and again.
    soonMax = max(Self.soonMin, 2 * soon.count)
    if soon.count > later.count, head.moment < bound { fileAnew() }
  }

  private mutating func dropLitterIfMuch() {
    if recordCount - count > count + table.count / 4 + Self.soonMin { fileAnew() }
  }

  /// Files every deadline anew, and nothing else.
  private mutating func fileAnew() {
    soon.removeAll()
    later.removeAll()
    soonEnd = 0
    soonMax = Self.soonMin
    for index in 0..<table.count {
      if let record = table.record(at: index) { put(record) }
    }
    soon.heapify()
  }

  /// Puts a record where it belongs; the heap has its order only after it was made one again.
  private mutating func put(_ record: DeadlineRecord) {
    if record.moment > soonEnd { later.insert(record) } else { soon.append(record) }
  }
}

/// The deadline of each job: 12 bytes a job.
struct DeadlineTable: Sendable {
  private var moments: [UInt64] = []
  /// The rank of the tie break; all ones where there is no deadline.
  private var ranks: [UInt32] = []
  private static let none = UInt32.max

  /// One more than the highest index that ever had a deadline.
  var count: Int { ranks.count }

  mutating func reserve(_ count: Int) {
    moments.reserveCapacity(count)
    ranks.reserveCapacity(count)
  }

  func moment(at index: Int) -> UInt64? {
    index < ranks.count && ranks[index] != Self.none ? moments[index] : nil
  }

  /// Whether this is the deadline of its job.
  @inline(__always)
  func holds(_ record: DeadlineRecord) -> Bool {
    let index = record.index
    return moments[index] == record.moment && ranks[index] == UInt32(truncatingIfNeeded: record.key >> 32)
  }

  /// Makes this the deadline of its job; gives the former one.
  mutating func replace(_ record: DeadlineRecord) -> DeadlineRecord? {
    let index = record.index
    while ranks.count <= index {
      moments.append(0)
      ranks.append(Self.none)
    }
    let former = self.record(at: index)
    moments[index] = record.moment
    ranks[index] = UInt32(truncatingIfNeeded: record.key >> 32)
    return former
  }

  /// Takes the deadline at `index` away and gives it, if there is one.
  mutating func remove(at index: Int) -> DeadlineRecord? {
    guard index < ranks.count else { return nil }
    let former = record(at: index)
    ranks[index] = Self.none
    return former
  }

  mutating func removeAll() {
    moments.removeAll(keepingCapacity: true)
    ranks.removeAll(keepingCapacity: true)
  }

  /// The deadline at `index`, which is below ``count``.
  @inline(__always)
  func record(at index: Int) -> DeadlineRecord? {
    let rank = ranks[index]
    if rank == Self.none { return nil }
    return DeadlineRecord(
      moment: moments[index], key: UInt64(rank) << 32 | UInt64(UInt32(truncatingIfNeeded: index)))
  }
}
