/// The deadlines that come next, put in order once and then taken one after the other.
///
/// They come from the wheel a slot at a time. Some dozens are in order after one step of a counting sort, however they
/// lie; very many are only ever taken in together when they fall due at one moment, and are sorted by who goes first.
struct DeadlineRun: Sendable {
  private var records: [DeadlineRecord] = []
  /// Where the first one is.
  private var place = 0
  /// How many are in order; those behind were appended since.
  private var sortedCount = 0

  /// The most records of more than one moment that are sorted together.
  static let few = 64

  /// How many there are.
  var count: Int { records.count - place }

  /// The one to be dealt with first.
  var first: DeadlineRecord? {
    @inline(__always) get { place < records.count ? records[place] : nil }
  }

  /// How many fall due at the moment of the first; `limit` when there are so many or more. O(that many).
  func countOfFirst(atMost limit: Int) -> Int {
    let rest = records[place...].prefix(limit)
    return rest.prefix { $0.moment == rest.first?.moment }.count
  }

  /// Takes the first one out.
  @inline(__always)
  mutating func removeFirst() {
    assert(place < records.count)
    place += 1
  }

  /// Takes all out, in no order.
  mutating func takeAll() -> ArraySlice<DeadlineRecord> {
    let rest = records[place...]
    self = DeadlineRun()
    return rest
  }

  mutating func removeAll() {
    records.removeAll(keepingCapacity: true)
    (place, sortedCount) = (0, 0)
  }

  /// Takes `count` in behind the others; ``sort()`` follows.
  @inline(__always)
  mutating func append(_ count: Int, _ fill: (inout OutputSpan<DeadlineRecord>) -> Void) {
    records.append(addingCapacity: count, initializingWith: fill)
  }

  /// Puts in order what was appended since the last time: at most ``few`` of any moments later than those before, or any
  /// number of one such moment.
  mutating func sort() {
    let start = sortedCount
    sortedCount = records.count
    guard sortedCount - start > 1 else { return }
    let moments = extent(from: start) { $0.moment }
    if moments.lowerBound < moments.upperBound {
      assert(sortedCount - start <= Self.few)
      return sortFew(from: start, within: moments) { $0.moment }
    }
    let keys = extent(from: start) { $0.key }
    if sortedCount - start <= Self.few {
      sortFew(from: start, within: keys) { $0.key }
    } else if !sortByMap(from: start, within: keys) {
      sortByKey(from: start, within: keys)
    }
  }

  @inline(__always)
  private func extent(from start: Int, of word: (DeadlineRecord) -> UInt64) -> ClosedRange<UInt64> {
    let records = records.span
    var (least, greatest) = (word(records[start]), word(records[start]))
    for index in start + 1..<records.count {
      let word = word(records[index])
      (least, greatest) = (min(least, word), max(greatest, word))
    }
    return least...greatest
  }
}

extension DeadlineRun {
  /// Sorts at most 64: `word` says where among 64 parts of `extent` a record lies, and what meets in one is put right one by
  /// one. No step of the first part depends on how they compare, so that the processor need not guess.
  @inline(__always)
  private mutating func sortFew(
    from start: Int, within extent: ClosedRange<UInt64>, by word: (DeadlineRecord) -> UInt64
  ) {
    let count = records.count - start
    let least = extent.lowerBound
    let shift = UInt64(max(0, 58 - (extent.upperBound - least).leadingZeroBitCount))
    // Indices are of this type's own making; every one is below the count.
    unsafe records.withUnsafeMutableBufferPointer { records in
      unsafe withUnsafeTemporaryAllocation(of: DeadlineRecord.self, capacity: Self.few) { former in
        // Eight counters of eight bits in a word: a product adds each to those above it.
        var counters = InlineArray<8, UInt64>(repeating: 0)
        for index in 0..<count {
          let record = unsafe records[start &+ index]
          unsafe former.initializeElement(at: index, to: record)
          let part = (word(record) &- least) &>> shift
          unsafe counters[unchecked: Int(truncatingIfNeeded: part &>> 3)] &+= 1 &<< ((part & 7) &<< 3)
        }
        var before: UInt64 = 0
        for part in 0..<8 {
          let sums = counters[part] &* 0x0101_0101_0101_0101 &+ before &* 0x0101_0101_0101_0101
          counters[part] = sums
          before = sums &>> 56
        }
        for index in 0..<count {
          let record = unsafe former[index]
          let part = (word(record) &- least) &>> shift
          let (which, bit) = (Int(truncatingIfNeeded: part &>> 3), (part & 7) &<< 3)
          let left = unsafe counters[unchecked: which] &- 1 &<< bit
          unsafe counters[unchecked: which] = left
          unsafe records[start &+ Int(truncatingIfNeeded: left &>> bit & 0xFF)] = record
        }
      }
      for index in start &+ 1..<start &+ count {
        let record = unsafe records[index]
        var place = index
        while place > start, unsafe record.precedes(records[place &- 1]) {
          unsafe records[place] = records[place &- 1]
          place &-= 1
        }
        if place < index { unsafe records[place] = record }
      }
    }
  }

  /// Sorts any number of one moment whose keys lie close together, as they do where one priority is all there is: each is a mark
  /// on a map, from which they are read off in order. Gives `false`, and changes nothing, where they lie too far apart or two
  /// are alike, as a record that does not count any more may be.
  private mutating func sortByMap(from start: Int, within extent: ClosedRange<UInt64>) -> Bool {
    let (least, words) = (extent.lowerBound, (extent.upperBound - extent.lowerBound) / 64 + 1)
    guard words <= records.count - start else { return false }
    var map = [UInt64](repeating: 0, count: Int(words))
    for index in start..<records.count {
      let mark = records[index].key &- least
      let (word, bit) = (Int(truncatingIfNeeded: mark &>> 6), 1 as UInt64 &<< (mark & 63))
      guard map[word] & bit == 0 else { return false }
      map[word] |= bit
    }
    let moment = records[start].moment
    var place = start
    for (word, marks) in map.enumerated() {
      var rest = marks
      while rest != 0 {
        let mark = UInt64(truncatingIfNeeded: word &<< 6 | rest.trailingZeroBitCount)
        records[place] = DeadlineRecord(moment: moment, key: least &+ mark)
        place &+= 1
        rest &= rest &- 1
      }
    }
    return true
  }

  /// Sorts any number of one moment by their keys, of which only the digits that differ are looked at.
  private mutating func sortByKey(from start: Int, within extent: ClosedRange<UInt64>) {
    let bits = 64 - (extent.upperBound ^ extent.lowerBound).leadingZeroBitCount
    guard bits > 0 else { return }
    let digits = (bits + 10) / 11
    let width = UInt64((bits + digits - 1) / digits)
    var former = Array(records[start...])
    for digit in 0..<UInt64(digits) {
      var places = [UInt32](repeating: 0, count: 1 << Int(width) + 1)
      let (shift, mask) = (digit * width, (1 as UInt64) << width - 1)
      for record in former { places[Int(record.key &>> shift & mask) + 1] += 1 }
      for part in 1..<places.count { places[part] += places[part - 1] }
      for record in former {
        let part = Int(record.key &>> shift & mask)
        records[start + Int(places[part])] = record
        places[part] += 1
      }
      if digit + 1 < digits { for index in former.indices { former[index] = records[start + index] } }
    }
  }
}
