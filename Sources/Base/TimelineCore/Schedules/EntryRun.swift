/// Precomputed entries: a subset of 64 instants that lie one step apart.
@usableFromInline
struct EntryRun: Sendable {
  /// Bit n for the instant n steps after the first.
  @usableFromInline var bits: UInt64
  @usableFromInline let first: WallInstant
  @usableFromInline let step: ElapsedTime

  /// The instants of `bits`; all must be in the representable range.
  init(_ bits: UInt64, from first: WallInstant, by step: ElapsedTime) {
    self.bits = bits
    self.first = first
    self.step = step
  }

  /// One entry, or none.
  init(_ entry: WallInstant?) {
    self.init(entry == nil ? 0 : 1, from: entry ?? .epoch, by: .zero)
  }

  /// The next 64 entries of a rule that has an entry at every step from `first` on; fewer near the end of the range of
  /// instants.
  init(from first: WallInstant, by step: ElapsedTime) {
    let left =
      UInt64(bitPattern: Int64.max &- first.nanosecondsSinceEpoch) / UInt64(bitPattern: step.nanoseconds)
    self.init(left >= 63 ? ~0 : 2 << left - 1, from: first, by: step)
  }

  var isEmpty: Bool { bits == 0 }

  /// The last entry; there must be at least one.
  var last: WallInstant { instant(bits.highestBit) }

  /// Removes the first entry.
  @inlinable
  mutating func popFirst() -> WallInstant? {
    guard bits != 0 else { return nil }
    let place = bits.trailingZeroBitCount
    bits &= bits &- 1
    return instant(place)
  }

  @inlinable
  func instant(_ place: Int) -> WallInstant {
    WallInstant(
      nanosecondsSinceEpoch: first.nanosecondsSinceEpoch &+ step.nanoseconds
        &* Int64(truncatingIfNeeded: place))
  }

  /// Appends entries up to `end` while there is room, and returns the first entry that was not appended.
  func append(through end: WallInstant, to buffer: inout OutputSpan<WallInstant>) -> WallInstant? {
    var rest = self
    if last <= end, bits.nonzeroBitCount <= buffer.freeCapacity {
      while let entry = rest.popFirst() { buffer.append(entry) }
      return nil
    }
    while let entry = rest.popFirst() {
      guard entry <= end, !buffer.isFull else { return entry }
      buffer.append(entry)
    }
    return nil
  }
}
