/// The entries of many schedules in the order of time; entries of one instant are in the order of the schedules.
///
/// Time is divided into blocks: each schedule appends its instants of the block, and a counting sort puts them in order, which
/// is cheaper than a heap. The length of a block, at least a nanosecond, adapts to the density of the entries. Memory is
/// bounded by ``entryCountMax`` for schedules of any density. An entry costs most if there are so many schedules that each has
/// less than one entry in a block: some ten thousand schedules with an entry every few minutes.
public struct ScheduleMerge: Sendable {
  /// An entry and its schedule.
  public struct Entry: Sendable, Hashable {
    /// The nominal instant.
    public var instant: WallInstant
    /// The index of its schedule in the merged list, from 0.
    public var schedule: Int

    /// Makes an entry of the schedule at index `schedule`.
    @inlinable
    public init(instant: WallInstant, schedule: Int) {
      self.instant = instant
      self.schedule = schedule
    }
  }

  /// The most entries of a block of up to some thousand schedules: three megabytes, including the memory to sort them. A block is
  /// seldom half as full, so that it stays in a core's cache.
  ///
  /// More schedules have longer blocks, up to 24 megabytes, because enough entries must share the cost of a schedule
  /// in each block. Each schedule has room for one entry, because all may fall due at one instant.
  public static let entryCountMax = 131_072
  /// The maximum number of entries of a block with more schedules: per schedule, and in total.
  private static let (entryCountMaxEach, entryCountMaxOfMany) = (32, 1_048_576)

  private let schedules: [ScheduleRule]
  private let last: WallInstant
  private let entryCountMax: Int
  /// Number of entries below which the next block is longer.
  private let entryCountWanted: Int

  /// The schedules that have an entry left, in their order.
  private var pending: [Pending] = []
  private var pendingNext: [Pending] = []
  /// The intended length of the next block.
  private var length = ElapsedTime.hours(1)
  private var sorter = EntrySorter()

  /// The first `count` elements are the entries of the block, in order; `place` is the index of the next entry to return.
  @usableFromInline private(set) var block: [Entry] = []
  @usableFromInline private(set) var count = 0
  @usableFromInline var place = 0

  /// A schedule and the first of its entries that was in no block.
  private struct Pending {
    var upcoming: WallInstant
    var schedule: Int
  }

  /// Merges the entries of `schedules` in (`start`, `end`].
  ///
  /// The schedules are evaluated independently; for a schedule that waits for its runs, each run ends at once.
  public init(_ schedules: [ScheduleRule], after start: WallInstant, through end: WallInstant = .max) {
    self.schedules = schedules
    last = end
    let many = Swift.min(schedules.count * Self.entryCountMaxEach, Self.entryCountMaxOfMany)
    entryCountMax = Swift.max(Self.entryCountMax, many, schedules.count)
    entryCountWanted = entryCountMax / 4
    for index in schedules.indices {
      guard let first = schedules[index].next(after: start), first <= end else { continue }
      pending.append(Pending(upcoming: first, schedule: index))
    }
  }
}

extension ScheduleMerge: Sequence, IteratorProtocol {
  /// The next entry, or `nil` after the last.
  @inlinable
  public mutating func next() -> Entry? {
    if place == count, !takeBlock() { return nil }
    defer { place &+= 1 }
    return block[place]
  }

  /// Calls `body` with the entries of the next block that ``next()`` has not returned: at least one, ascending. Returns `nil`
  /// after the last entry.
  public mutating func nextBlock<Result>(_ body: (Span<Entry>) throws -> Result) rethrows -> Result? {
    if place == count, !takeBlock() { return nil }
    defer { place = count }
    return try body(block.span.extracting(place..<count))
  }
}

extension ScheduleMerge {
  /// Fills the next block; `false` when there are no more entries.
  @usableFromInline
  mutating func takeBlock() -> Bool {
    (place, count) = (0, 0)
    guard let first = pending.lazy.map(\.upcoming).min() else { return false }
    while true {
      let end = Swift.min(last, first + (length - .nanoseconds(1)))
      if append(through: end) {
        sorter.sort(from: first, through: end, into: &block)
        swap(&pending, &pendingNext)
        count = sorter.instants.count
        if count < entryCountWanted { length = length + length }
        return true
      }
      // In a block of one nanosecond a schedule has at most one entry, and there is room for one entry of each
      // schedule.
      length = Swift.max(.nanoseconds(1), .nanoseconds(length.nanoseconds / 4))
    }
  }

  /// Collects the entries of every schedule up to `end`; `false` if there are more than a block has room for.
  private mutating func append(through end: WallInstant) -> Bool {
    pendingNext.removeAll(keepingCapacity: true)
    sorter.runs.removeAll(keepingCapacity: true)
    sorter.instants.removeAll(keepingCapacity: true)
    var isFull = false
    let schedules = schedules
    let rules = schedules.span
    sorter.instants.append(addingCapacity: entryCountMax) { instants in
      for one in pending {
        guard one.upcoming <= end else {
          pendingNext.append(one)
          continue
        }
        let upcoming = rules[one.schedule].append(from: one.upcoming, through: end, to: &instants)
        sorter.runs.append(EntrySorter.Run(schedule: one.schedule, end: instants.count))
        guard let upcoming, upcoming <= last else { continue }
        if upcoming <= end {
          isFull = true
          return
        }
        pendingNext.append(Pending(upcoming: upcoming, schedule: one.schedule))
      }
    }
    return !isFull
  }
}
