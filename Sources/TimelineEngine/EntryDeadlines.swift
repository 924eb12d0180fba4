import TimelineCore

/// When the next entry of each job falls due: small and quick however many jobs there are.
///
/// Records that fall due soon, up to a moment, are in order in a run, and those that were set too late for it in a heap;
/// all others lie in a wheel, roughly in order, and come into the run some dozens at a time. So what is touched is small
/// enough for the nearest cache however many there are, and setting a deadline and taking the first cost a bounded
/// number of moves of 16 bytes. Whatever the distribution of deadlines, none costs more than O(log n).
///
/// A deadline that was moved or given up leaves its record behind, which is dropped when it comes first. There are never
/// more such records than deadlines and a quarter of the jobs, for then all are filed anew.
struct EntryDeadlines: Sendable {
  private var next = DeadlineRun()
  private var soon = DeadlineHeap()
  private var later = DeadlineWheel()
  /// Everything up to this moment is in ``next`` or ``soon``, everything after it in ``later``.
  private var soonEnd: UInt64 = 0
  /// How large ``soon`` may become before it is divided.
  private var soonMax = Self.soonMin
  private var table = DeadlineTable()

  /// How many deadlines there are.
  private(set) var count = 0
  /// How many records there are that do not count any more.
  private var litter = 0
  /// How many records there are, those included that do not count any more.
  var recordCount: Int { next.count + soon.count + later.count }

  /// A heap of this size is as fast as a smaller one.
  private static let soonMin = 256

  /// Makes room for `count` jobs.
  mutating func reserve(_ count: Int) {
    table.reserve(count)
    later.reserve(count)
  }

  /// The record to be dealt with first.
  var first: DeadlineRecord? {
    @inline(__always) mutating get {
      // Without litter every record counts, and the table, which is seldom in a cache, need not be asked.
      if litter == 0, let head = firstFound { return head }
      return findFirst()
    }
  }

  @inline(never)
  private mutating func findFirst() -> DeadlineRecord? {
    while true {
      while let head = firstFound {
        if litter == 0 || table.holds(head) { return head }
        removeFirstFound()
        litter -= 1
      }
      assert(next.count + soon.count == 0 && litter == recordCount - count)
      next.removeAll()
      guard let end = later.open(into: &next) else { return nil }
      soonEnd = end
      soonMax = max(Self.soonMin, next.count)
    }
  }

  /// The record that ``first`` gave, as long as nothing was set or removed since.
  var firstFound: DeadlineRecord? {
    @inline(__always)
    get {
      guard let other = soon.first else { return next.first }
      guard let head = next.first, head.precedes(other) else { return other }
      return head
    }
  }

  /// How many records have the moment of ``firstFound``, at most `limit`; what does not count any more may be among them.
  func countOfFirst(atMost limit: Int) -> Int {
    guard let moment = firstFound?.moment else { return 0 }
    var count = 0
    if next.first?.moment == moment { count += next.countOfFirst(atMost: limit) }
    if soon.first?.moment == moment { count += soon.countOfFirst(atMost: limit) }
    return min(count, limit)
  }

  /// When the job at `index` falls due.
  func deadline(of index: Int) -> WallInstant? {
    table.moment(at: index).map { DeadlineRecord.instant(at: $0) }
  }

  /// Gives the job of the record this deadline and no other.
  @inline(__always)
  mutating func set(_ record: DeadlineRecord) {
    // What was first is put off: its record is taken out, and nothing is left behind.
    if soon.count == 0, let head = next.first, head.key == record.key, litter == 0 || table.holds(head) {
      table.putOff(record)
      next.removeFirst()
      if record.moment > soonEnd { return later.insert(record) }
      return soon.insert(record)
    }
    replace(with: record)
  }

  @inline(never)
  private mutating func replace(with record: DeadlineRecord) {
    guard let former = table.replace(record) else {
      count += 1
      return file(record)
    }
    if former == record { return }
    if firstFound == former { removeFirstFound() } else { litter += 1 }
    file(record)
    dropLitterIfMuch()
  }

  /// Takes the deadline of the job at `index` away, if it has one.
  mutating func remove(_ index: Int) {
    guard let former = table.remove(at: index) else { return }
    count -= 1
    if firstFound == former { return removeFirstFound() }
    litter += 1
    dropLitterIfMuch()
  }

  /// Takes every deadline away.
  mutating func removeAll() {
    removeAllRecords()
    table.removeAll()
    count = 0
  }

  private mutating func removeAllRecords() {
    next.removeAll()
    soon.removeAll()
    later.removeAll()
    soonEnd = 0
    soonMax = Self.soonMin
    litter = 0
  }

  private mutating func removeFirstFound() {
    if let other = soon.first, next.first.map({ other.precedes($0) }) ?? true {
      soon.removeFirst()
    } else {
      next.removeFirst()
    }
  }

  private mutating func file(_ record: DeadlineRecord) {
    guard record.moment <= soonEnd else { return later.insert(record) }
    soon.insert(record)
    if soon.count > soonMax { divide() }
  }

  /// Lets go of what need not be in the run or the heap, so that they stay small when much is set before their end.
  private mutating func divide() {
    guard let head = firstFound else { return }
    // The wheel holds nothing before its base; only what lies there cannot leave.
    let bound = later.base == 0 ? head.moment : max(head.moment, later.base - 1)
    let (sorted, unsorted) = (next.takeAll(), soon.takeAll())
    soonEnd = bound
    for record in sorted { put(record) }
    for record in unsorted { put(record) }
    soon.heapify()
    // A bound that doubles with what could not leave keeps this from being tried again and again.
    soonMax = max(Self.soonMin, 2 * soon.count)
    if soon.count > later.count, head.moment < bound { fileAnew() }
  }

  private mutating func dropLitterIfMuch() {
    if litter > count + table.count / 4 + Self.soonMin { fileAnew() }
  }

  /// Files every deadline anew, and nothing else.
  private mutating func fileAnew() {
    removeAllRecords()
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
