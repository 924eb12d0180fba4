/// Deadlines that are not due soon, roughly in order: a wheel of wheels that opens as finely as it has to.
///
/// A moment is eight digits of eight bits. A record lies at the level of the highest digit in which it differs from
/// the base, in the slot of its digit there; so the first slot of the lowest level in use holds what comes first. When that slot is
/// opened and holds few, or only one moment, they are the answer. When it holds many, the base moves into it and they are
/// filed again at the level at which they differ. Each record is moved once a level at most, mostly once or twice.
///
/// A slot is a chain of blocks of 16 records out of one array, the first of which is the link to the block before.
struct DeadlineWheel: Sendable {
  /// How many records there are.
  private(set) var count = 0
  /// Nothing lies before this moment.
  var base: UInt64 { slots.base }

  private var slots = DeadlineSlots()
  private var blocks: [DeadlineRecord] = []
  /// Where the next record of each slot goes; 0 when the slot is empty. A whole number of blocks says that the last one is full.
  private var ends: [UInt32] = []

  private static var blockSize: Int { DeadlineSlots.blockSize }
  /// Slots are opened until there are so many records: what it costs to open some is shared by enough.
  private static let runWanted = 24

  /// Makes room for `count` records.
  mutating func reserve(_ count: Int) {
    let full = count / (Self.blockSize - 1)
    // The last block of a slot is mostly not full; there are 256 slots in each wheel, and few wheels in use at a time.
    blocks.reserveCapacity((full + min(full, 2 * 256) + 64) * Self.blockSize)
  }

  /// Takes in a record that does not lie before the base.
  mutating func insert(_ record: DeadlineRecord) {
    if slots.vacant == 0 { appendBlock() }
    count += 1
    Self.insert(record, &slots, &blocks, &ends)
  }

  /// Moves what comes first into the run, which is empty, and gives the moment of the last of it; `nil` when there is
  /// nothing.
  mutating func open(into run: inout DeadlineRun) -> UInt64? {
    assert(run.count == 0)
    while slots.levels != 0 {
      let slot = slots.first
      let found = survey(slot)
      if found.number <= DeadlineRun.few || found.hasOneMoment {
        return gather(from: slot, found, into: &run)
      }
      let end = leave(slot)
      slots.base = Self.start(of: found.least, Self.level(found.least ^ found.greatest) + 1)
      fileChain(endingAt: end)
    }
    return nil
  }

  /// Opens a slot, and those of the same wheel behind it as long as they do not make the run too long.
  private mutating func gather(from slot: Int, _ found: Survey, into run: inout DeadlineRun) -> UInt64 {
    var (slot, found) = (slot, found)
    let level = slot >> 8
    while true {
      let end = leave(slot)
      slots.base = Self.start(of: found.least, level)
      // What falls due together is sorted together, by who goes first.
      let isGroup = found.hasOneMoment && found.number > 4
      if isGroup { run.sort() }
      count -= found.number
      run.append(found.number) { Self.copyChain(endingAt: end, of: blocks.span, to: &$0) }
      Self.giveBack(found.blockCount, endingAt: end, from: found.firstBlock, &slots, &blocks)
      if isGroup { run.sort() }
      guard run.count < Self.runWanted, slots.levels & (1 << UInt32(level)) != 0 else { break }
      slot = slots.first
      let next = survey(slot)
      if run.count + next.number > DeadlineRun.few { break }
      found = next
    }
    run.sort()
    return found.greatest
  }

  mutating func removeAll() {
    count = 0
    slots = DeadlineSlots()
    blocks.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
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

  /// Puts a record where it belongs; a block must be free.
  @inline(__always)
  private static func file(
    _ record: DeadlineRecord, _ slots: inout DeadlineSlots, _ blocks: inout MutableSpan<DeadlineRecord>,
    _ ends: inout MutableSpan<UInt32>
  ) {
    assert(record.moment >= slots.base)
    let level = level(record.moment ^ slots.base)
    let slot = level << 8 | Int(truncatingIfNeeded: record.moment &>> UInt64(level << 3)) & 0xFF
    var end = Int(ends[slot])
    if end & (blockSize - 1) == 0 {
      if end == 0 { slots.use(slot) }
      let block = slots.takeVacant(blocks)
      blocks[block] = DeadlineRecord(moment: UInt64(truncatingIfNeeded: end), key: 0)
      end = block + 1
    }
    blocks[end] = record
    ends[slot] = UInt32(truncatingIfNeeded: end + 1)
  }

  // The arrays are handed over one by one, so that whether they are shared is asked once and not for each step.

  @inline(__always)
  private static func insert(
    _ record: DeadlineRecord, _ slots: inout DeadlineSlots, _ blocks: inout [DeadlineRecord],
    _ ends: inout [UInt32]
  ) {
    var blocks = blocks.mutableSpan
    var ends = ends.mutableSpan
    file(record, &slots, &blocks, &ends)
  }

  /// Files the records of a block that ends at `end`, which is free then.
  private static func fileBlock(
    endingAt end: Int, _ slots: inout DeadlineSlots, _ blocks: inout [DeadlineRecord], _ ends: inout [UInt32]
  ) {
    var blocks = blocks.mutableSpan
    var ends = ends.mutableSpan
    let block = DeadlineSlots.block(of: end)
    for position in block + 1..<end { file(blocks[position], &slots, &blocks, &ends) }
    slots.giveBack(1, endingAt: end, from: block, &blocks)
  }

  /// Takes a slot out of use and gives where its chain ends, which is to be taken apart.
  private mutating func leave(_ slot: Int) -> Int {
    slots.leave(slot)
    defer { ends[slot] = 0 }
    return Int(ends[slot])
  }

  /// What is known of the records of a slot.
  private struct Survey {
    /// How many there are; with more than a few that differ in the next digit, not all are counted.
    var number = 0
    /// The first and the last moment among those counted.
    var least = UInt64.max
    var greatest = UInt64.min

    /// The blocks that they lie in, and the one that the chain begins with.
    var blockCount = 0
    var firstBlock = 0

    var hasOneMoment: Bool { least == greatest }
  }

  /// Looks at the records of a slot as far as it takes to know what is to be done with them.
  private func survey(_ slot: Int) -> Survey {
    var found = Survey()
    var end = Int(ends[slot])
    let blocks = blocks.span
    let level = slot >> 8
    while end != 0 {
      let block = DeadlineSlots.block(of: end)
      let before = Int(truncatingIfNeeded: blocks[block].moment)
      found.number += end - 1 - block
      found.blockCount += 1
      found.firstBlock = block
      for position in block + 1..<end {
        let moment = blocks[position].moment
        found.least = min(found.least, moment)
        found.greatest = max(found.greatest, moment)
      }
      if found.number > DeadlineRun.few, found.least != found.greatest,
        Self.level(found.least ^ found.greatest) == level - 1
      {
        break
      }
      end = before
    }
    return found
  }

  /// Copies the records of a chain.
  private static func copyChain(
    endingAt last: Int, of blocks: Span<DeadlineRecord>, to records: inout OutputSpan<DeadlineRecord>
  ) {
    var end = last
    while end != 0 {
      let block = DeadlineSlots.block(of: end)
      for position in block + 1..<end { records.append(blocks[position]) }
      end = Int(truncatingIfNeeded: blocks[block].moment)
    }
  }

  /// Files the records of a chain anew; each block is free for others as soon as it is empty.
  private mutating func fileChain(endingAt last: Int) {
    var end = last
    // The link is read a block ahead: when there are very many, what it leads to is on its way while this one is filed.
    var before = link(ofBlockAt: end)
    while end != 0 {
      let next = before == 0 ? 0 : link(ofBlockAt: before)
      // Each record may be the first of a slot.
      while slots.vacantCount < Self.blockSize { appendBlock() }
      Self.fileBlock(endingAt: end, &slots, &blocks, &ends)
      (end, before) = (before, next)
    }
  }

  /// Where the chain ends before the block that ends at `end`.
  @inline(__always)
  private func link(ofBlockAt end: Int) -> Int {
    Int(truncatingIfNeeded: blocks[DeadlineSlots.block(of: end)].moment)
  }

  /// Adds a free block, and what else there has to be.
  private mutating func appendBlock() {
    if ends.isEmpty { ends = Array(repeating: 0, count: 8 << 8) }
    let block = max(blocks.count, Self.blockSize)
    let none = DeadlineRecord(moment: 0, key: 0)
    blocks.append(contentsOf: repeatElement(none, count: block + Self.blockSize - blocks.count))
    Self.giveBack(1, endingAt: block + Self.blockSize, from: block, &slots, &blocks)
  }

  private static func giveBack(
    _ count: Int, endingAt end: Int, from first: Int, _ slots: inout DeadlineSlots,
    _ blocks: inout [DeadlineRecord]
  ) {
    var blocks = blocks.mutableSpan
    slots.giveBack(count, endingAt: end, from: first, &blocks)
  }
}
