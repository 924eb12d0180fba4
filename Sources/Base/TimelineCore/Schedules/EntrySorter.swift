/// Sorts the ascending instants of many schedules into one order: a counting sort, then a correction within buckets.
///
/// An instant goes to one of up to 4,096 buckets: whole minutes if all instants lie on one, otherwise seconds or parts of a
/// second, depending on the block. If every instant lies at the start of its bucket, no correction is needed. Otherwise
/// the entries of a bucket are in the order of the schedules, and the few in the wrong order are moved one by one.
struct EntrySorter: Sendable {
  /// The instants of all schedules, one schedule after the other.
  var instants: [WallInstant] = []
  /// The runs, one for each schedule.
  var runs: [Run] = []
  private var places: [UInt32] = []

  /// The instants of a schedule in ``instants``; they begin at the end of the previous run.
  struct Run {
    var schedule: Int
    var end: Int
  }

  /// The most buckets: their counters fit into the nearest cache.
  private static let bucketCountMax = 4_096
  /// The average number of places an entry may move before all entries are sorted by comparison instead.
  private static let movesPerEntryMax = 16

  /// Sorts the entries, all of them from `first` through `last`, by time and then by run into the first places of
  /// `block`, which grows as needed.
  mutating func sort(
    from first: WallInstant, through last: WallInstant, into block: inout [ScheduleMerge.Entry]
  ) {
    if block.count < instants.count {
      let any = ScheduleMerge.Entry(instant: first, schedule: 0)
      block.append(contentsOf: repeatElement(any, count: instants.count - block.count))
    }
    // Most rules name whole minutes: then few buckets are enough, and their counters fit into the nearest cache.
    var buckets = Buckets(minutesFrom: first, through: last)
    var isExact = buckets.count <= Self.bucketCountMax && count(in: buckets, mustBeExact: true)
    if !isExact {
      buckets = Buckets(from: first, through: last, countMax: Self.bucketCountMax)
      isExact = count(in: buckets, mustBeExact: false)
    }
    Self.distribute(instants, of: runs, to: buckets, places: &places, into: &block)
    if !isExact, !Self.isStraight(block, count: instants.count),
      !Self.straighten(&block, count: instants.count)
    {
      block[..<instants.count].sort { ($0.instant, $0.schedule) < ($1.instant, $1.schedule) }
    }
  }

  // Unchecked access is safe: an index of a bucket is below their number, as all instants lie in the block, and a place is
  // below the number of instants, which fits into 32 bits. A check would double the time.

  /// Sets ``places`` to the start of each bucket's entries. Returns `true` if each instant lies at the start of its
  /// bucket, so that all instants of a bucket are equal. With `mustBeExact` it stops soon after the first instant
  /// that does not.
  private mutating func count(in buckets: Buckets, mustBeExact: Bool) -> Bool {
    places.removeAll(keepingCapacity: true)
    places.append(contentsOf: repeatElement(0, count: buckets.count + 1))
    return Self.count(instants, in: buckets, mustBeExact: mustBeExact, places: &places)
  }

  private static func count(
    _ instants: [WallInstant], in buckets: Buckets, mustBeExact: Bool, places: inout [UInt32]
  ) -> Bool {
    let instants = instants.span
    var places = places.mutableSpan
    var past: UInt64 = 0
    for start in stride(from: 0, to: instants.count, by: 512) {
      for index in start..<Swift.min(start + 512, instants.count) {
        let place = unsafe buckets.place(of: instants[unchecked: index])
        assert(place.index + 1 < places.count)
        unsafe places[unchecked: place.index &+ 1] &+= 1
        past |= place.past
      }
      if mustBeExact, past != 0 { return false }
    }
    for index in 1..<places.count { places[index] += places[index - 1] }
    return past == 0
  }

  /// Puts the entries at the positions in `places`; those of one bucket in the order of runs.
  private static func distribute(
    _ instants: [WallInstant], of runs: [Run], to buckets: Buckets, places: inout [UInt32],
    into block: inout [ScheduleMerge.Entry]
  ) {
    let instants = instants.span
    var places = places.mutableSpan
    var sorted = block.mutableSpan
    var start = 0
    for run in runs {
      for index in start..<run.end {
        let instant = unsafe instants[unchecked: index]
        let bucket = buckets.index(of: instant)
        let place = unsafe places[unchecked: bucket]
        unsafe places[unchecked: bucket] = place &+ 1
        assert(Int(place) < sorted.count)
        unsafe sorted[unchecked: Int(place)] = ScheduleMerge.Entry(instant: instant, schedule: run.schedule)
      }
      start = run.end
    }
  }

  /// Whether all entries are in order, for example because all lie on whole seconds and each second has a bucket.
  private static func isStraight(_ block: [ScheduleMerge.Entry], count: Int) -> Bool {
    let sorted = block.span
    var wrong = 0
    var before = WallInstant.min
    for index in 0..<count {
      let instant = sorted[index].instant
      wrong += instant < before ? 1 : 0
      before = instant
    }
    return wrong == 0
  }

  /// Moves entries that are in the wrong order within a bucket; `false` if that would take too long.
  private static func straighten(_ block: inout [ScheduleMerge.Entry], count: Int) -> Bool {
    var sorted = block.mutableSpan
    var movesLeft = count * movesPerEntryMax
    for index in 1..<count where sorted[index].instant < sorted[index - 1].instant {
      let entry = sorted[index]
      var place = index
      while place > 0, entry.instant < sorted[place - 1].instant {
        sorted[place] = sorted[place - 1]
        place -= 1
      }
      sorted[place] = entry
      movesLeft -= index - place
      if movesLeft < 0 { return false }
    }
    return true
  }
}

/// A stretch of time cut into equal parts.
struct Buckets {
  private(set) var count: Int
  private let start: WallInstant
  private let width: UInt64
  /// 2^64 divided by the width of a bucket, rounded up. It replaces a division by a product and is exact at bucket starts.
  private let reciprocal: UInt64

  private static let second: UInt64 = 1_000_000_000

  init(from first: WallInstant, through last: WallInstant, countMax: Int) {
    let fine = Self.length(from: first, through: last) / UInt64(countMax) + 1
    if fine <= Self.second >> 9 {
      self.init(from: first, through: last, width: max(fine, 2))
    } else {
      // A power-of-two fraction of a second, or whole seconds, so that whole seconds begin a bucket.
      let width =
        fine > Self.second
        ? (fine + Self.second - 1) / Self.second * Self.second
        : Self.second >> UInt64(63 - (Self.second / fine).leadingZeroBitCount)
      let nanosecond = first.wholeSeconds.nanosecond
      self.init(from: first - .nanoseconds(Int64(nanosecond)), through: last, width: width)
    }
  }

  /// Makes buckets of whole minutes.
  init(minutesFrom first: WallInstant, through last: WallInstant) {
    let (seconds, nanosecond) = first.wholeSeconds
    let past = (seconds % 60 + 60) % 60 * Int64(Self.second) + Int64(nanosecond)
    self.init(from: first - .nanoseconds(past), through: last, width: 60 * Self.second)
  }

  private init(from start: WallInstant, through last: WallInstant, width: UInt64) {
    self.start = start
    self.width = width
    reciprocal = UInt64.max / width + 1
    count = 0
    count = index(of: last) + 1
  }

  private static func length(from first: WallInstant, through last: WallInstant) -> UInt64 {
    UInt64(bitPattern: last.nanosecondsSinceEpoch &- first.nanosecondsSinceEpoch)
  }

  func index(of instant: WallInstant) -> Int {
    Int(truncatingIfNeeded: offset(of: instant).multipliedFullWidth(by: reciprocal).high)
  }

  /// The bucket of an instant, and the distance of the instant from the start of the bucket.
  func place(of instant: WallInstant) -> (index: Int, past: UInt64) {
    let offset = offset(of: instant)
    let index = offset.multipliedFullWidth(by: reciprocal).high
    return (Int(truncatingIfNeeded: index), offset &- index &* width)
  }

  private func offset(of instant: WallInstant) -> UInt64 {
    UInt64(bitPattern: instant.nanosecondsSinceEpoch &- start.nanosecondsSinceEpoch)
  }
}
