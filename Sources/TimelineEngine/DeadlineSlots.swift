/// Which slots of a wheel of wheels are in use, and which of its blocks are free: what it knows without looking at them.
struct DeadlineSlots: Sendable {
  /// How many records a block has room for, the link among them.
  static let blockSize = 16

  /// Nothing lies before this moment.
  var base: UInt64 = 0
  /// Where the chain of the blocks that are free ends, 0 for none; block 0 is never used.
  private(set) var vacant = 0
  /// How many blocks are free.
  private(set) var vacantCount = 0
  /// A bit for each level that is in use.
  private(set) var levels: UInt32 = 0
  /// A bit for each slot that is in use, four words a level.
  private var occupied = InlineArray<32, UInt64>(repeating: 0)

  /// The slot that comes first; there must be one.
  var first: Int {
    var word = levels.trailingZeroBitCount << 2
    while occupied[word] == 0 { word += 1 }
    return word << 6 | occupied[word].trailingZeroBitCount
  }

  @inline(__always)
  mutating func use(_ slot: Int) {
    occupied[slot >> 6] |= 1 << UInt64(slot & 63)
    levels |= 1 << UInt32(slot >> 8)
  }

  /// Takes a free block out.
  @inline(__always)
  mutating func takeVacant(_ blocks: borrowing MutableSpan<DeadlineRecord>) -> Int {
    let block = Self.block(of: vacant)
    vacant = Int(truncatingIfNeeded: blocks[block].moment)
    vacantCount -= 1
    return block
  }

  /// Adds to the free blocks a chain of `count` that ends at `end` and begins with the block `first`.
  @inline(__always)
  mutating func giveBack(
    _ count: Int, endingAt end: Int, from first: Int, _ blocks: inout MutableSpan<DeadlineRecord>
  ) {
    blocks[first].moment = UInt64(truncatingIfNeeded: vacant)
    vacant = end
    vacantCount += count
  }

  /// The block of a chain that ends at `end`.
  @inline(__always)
  static func block(of end: Int) -> Int { (end &- 1) & ~(blockSize - 1) }

  mutating func leave(_ slot: Int) {
    occupied[slot >> 6] &= ~(1 << UInt64(slot & 63))
    let word = (slot >> 8) << 2
    if occupied[word] | occupied[word + 1] | occupied[word + 2] | occupied[word + 3] == 0 {
      levels &= ~(1 << UInt32(slot >> 8))
    }
  }
}
