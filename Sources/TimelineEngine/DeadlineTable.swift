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

  /// Makes this the deadline of its job, which has one with the same tie break.
  @inline(__always)
  mutating func putOff(_ record: DeadlineRecord) {
    assert(ranks[record.index] == UInt32(truncatingIfNeeded: record.key >> 32))
    moments[record.index] = record.moment
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
