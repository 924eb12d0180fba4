/// Deadlines that are not due soon, roughly in order: a wheel of wheels that opens as finely as it has to.
///
/// A moment is eight digits of eight bits. A record lies at the level of the highest digit in which it differs from
/// the base, in the slot of its digit there; so the first slot of the lowest level in use holds what comes first. When that slot is
/// opened and holds few, or only one moment, they are the answer. When it holds many, the base moves into it and they are
/// filed again at the level at which they differ. Each record is moved once a level at most, mostly once or twice.
///
/// A slot is a chain of blocks of 16 records out of one array, the first of which is the link to the block before.
struct DeadlineWheel: Sendable {
  /// Nothing lies before this moment.
  private(set) var base: UInt64 = 0
  /// How many records there are.
  private(set) var count = 0

  private var blocks: [DeadlineRecord] = []
  /// The first of the blocks that are free, 0 for none; block 0 is never used.
  private var vacant = 0
  /// Where the next record of each slot goes; 0 when the slot is empty. A whole number of blocks says that the last one is full.
  private var ends: [UInt32] = []
  /// A bit for each slot that is in use, four words a level.
  private var occupied: [UInt64] = []
  /// A bit for each level that is in use.
  private var levels: UInt32 = 0

  private static let blockSize = 16
  /// Slots with so many records are opened at once.
  private static let few = 64

  /// Makes room for `count` records.
  mutating func reserve(_ count: Int) {
    blocks.reserveCapacity((count / (Self.blockSize - 1) + 64) * Self.blockSize)
  }

  /// Takes in a record that does not lie before the base.
  mutating func insert(_ record: DeadlineRecord) {
    assert(record.moment >= base)
    if ends.isEmpty { makeSlots() }
    let level = Self.level(record.moment ^ base)
    let slot = level << 8 | Int(truncatingIfNeeded: record.moment >> UInt64(level << 3)) & 0xFF
    var end = Int(ends[slot])
    if end & (Self.blockSize - 1) == 0 { end = newBlock(after: end) + 1 }
    write(record, at: end)
    ends[slot] = UInt32(truncatingIfNeeded: end + 1)
    occupied[slot >> 6] |= 1 << UInt64(slot & 63)
    levels |= 1 << UInt32(level)
    count += 1
  }

  /// Moves what comes first into the heap, which is empty, and gives the moment of the last of it; `nil` when there is
  /// nothing.
  mutating func open(into heap: inout DeadlineHeap) -> UInt64? {
    assert(heap.count == 0)
    while levels != 0 {
      let (slot, end) = takeFirstSlot()
      let (number, least, greatest) = survey(end)
      let level = slot >> 8
      count -= number
      if number <= Self.few || least == greatest {
        base = Self.start(of: least, level)
        moveChain(endingAt: end, into: &heap)
        heap.heapify()
        return greatest
      }
      base = Self.start(of: least, Self.level(least ^ greatest) + 1)
      fileChain(endingAt: end)
    }
    return nil
  }

  mutating func removeAll() {
    base = 0
    count = 0
    vacant = 0
    levels = 0
    blocks.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
    occupied.removeAll(keepingCapacity: true)
  }
}

extension DeadlineWheel {
  /// The level of a record that differs from the base in these bits.
  @inline(__always)
  private static func level(_ difference: UInt64) -> Int { (63 - (difference | 1).leadingZeroBitCount) >> 3 }

  /// The moment with its `digits` lowest digits, fewer than all, turned to zero.
  private static func start(of moment: UInt64, _ digits: Int) -> UInt64 {
    moment & (UInt64.max << UInt64(8 * digits))
  }

  private mutating func makeSlots() {
    ends = Array(repeating: 0, count: 8 << 8)
    occupied = Array(repeating: 0, count: 8 << 2)
    if blocks.isEmpty { appendBlock() }
  }

  /// Takes the slot that comes first out of use, and gives where its chain ends.
  private mutating func takeFirstSlot() -> (slot: Int, end: Int) {
    let level = levels.trailingZeroBitCount
    var word = level << 2
    while occupied[word] == 0 { word += 1 }
    let slot = word << 6 | occupied[word].trailingZeroBitCount
    let end = Int(ends[slot])
    ends[slot] = 0
    occupied[word] &= occupied[word] - 1
    while word < (level + 1) << 2, occupied[word] == 0 { word += 1 }
    if word == (level + 1) << 2 { levels &= ~(1 << UInt32(level)) }
    return (slot, end)
  }

  /// How many records a chain has, and the first and the last moment among them.
  private mutating func survey(_ end: Int) -> (number: Int, least: UInt64, greatest: UInt64) {
    var (number, least, greatest) = (0, UInt64.max, UInt64.min)
    var end = end
    while end != 0 {
      let block = (end - 1) & ~(Self.blockSize - 1)
      number += end - 1 - block
      for position in block + 1..<end {
        let moment = read(position).moment
        least = min(least, moment)
        greatest = max(greatest, moment)
      }
      end = Int(read(block).moment)
    }
    return (number, least, greatest)
  }

  private mutating func moveChain(endingAt last: Int, into heap: inout DeadlineHeap) {
    var end = last
    while end != 0 {
      let block = (end - 1) & ~(Self.blockSize - 1)
      for position in block + 1..<end { heap.append(read(position)) }
      end = Int(read(block).moment)
      giveBack(block)
    }
  }

  /// Files the records of a chain anew; each block is free for others as soon as it is empty.
  private mutating func fileChain(endingAt last: Int) {
    var end = last
    while end != 0 {
      let block = (end - 1) & ~(Self.blockSize - 1)
      for position in block + 1..<end { insert(read(position)) }
      end = Int(read(block).moment)
      giveBack(block)
    }
  }

  // Every position comes from `ends` or a link, which are this type's own; the checks of an array would cost as much as
  // what is done.
  @inline(__always)
  private mutating func read(_ position: Int) -> DeadlineRecord {
    unsafe blocks.withUnsafeMutableBufferPointer { unsafe $0[position] }
  }

  @inline(__always)
  private mutating func write(_ record: DeadlineRecord, at position: Int) {
    unsafe blocks.withUnsafeMutableBufferPointer { unsafe $0[position] = record }
  }

  /// Takes a free block for a chain that ends at `end`.
  private mutating func newBlock(after end: Int) -> Int {
    if vacant == 0 { giveBack(appendBlock()) }
    let block = vacant
    vacant = Int(read(block).moment)
    write(DeadlineRecord(moment: UInt64(end), key: 0), at: block)
    return block
  }

  private mutating func giveBack(_ block: Int) {
    write(DeadlineRecord(moment: UInt64(vacant), key: 0), at: block)
    vacant = block
  }

  @discardableResult
  private mutating func appendBlock() -> Int {
    let block = blocks.count
    for _ in 0..<Self.blockSize { blocks.append(DeadlineRecord(moment: 0, key: 0)) }
    return block
  }
}
