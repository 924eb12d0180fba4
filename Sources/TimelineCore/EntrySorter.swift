/// Puts the instants of many schedules, each in order, into one order: a counting sort, then a look at what it left.
///
/// An instant goes to one of some thousand buckets, each as wide as a whole number of seconds where the block allows,
/// so that what lies on whole seconds needs no second look. Within a bucket the order is that of the schedules, and
/// the few that lie between seconds are put right one by one.
struct EntrySorter: Sendable {
  /// The instants of one schedule after those of another.
  var instants: [WallInstant] = []
  /// Where those of each schedule end.
  var runs: [Run] = []
  private var places: [UInt32] = []

  /// The instants of a schedule among all: from the end of the run before it.
  struct Run {
    var schedule: Int
    var end: Int
  }

  /// The most buckets: their counters stay in the nearest cache.
  private static let bucketCountMax: UInt64 = 4_096
  /// How many places an entry may move on average before everything is sorted by comparison instead.
  private static let movesPerEntryMax = 16

  /// Puts the entries, all of them from `first` through `last`, in the order of time and then of runs into the first
  /// places of `block`, which grows as needed.
  mutating func sort(
    from first: WallInstant, through last: WallInstant, into block: inout [ScheduleMerge.Entry]
  ) {
    if block.count < instants.count {
      let any = ScheduleMerge.Entry(instant: first, schedule: 0)
      block.append(contentsOf: repeatElement(any, count: instants.count - block.count))
    }
    let buckets = Buckets(from: first, through: last, countMax: Self.bucketCountMax)
    places.removeAll(keepingCapacity: true)
    places.append(contentsOf: repeatElement(0, count: buckets.count + 1))
    Self.distribute(instants, of: runs, to: buckets, places: &places, into: &block)
    if !Self.isStraight(block, count: instants.count), !Self.straighten(&block, count: instants.count) {
      block[..<instants.count].sort { ($0.instant, $0.schedule) < ($1.instant, $1.schedule) }
    }
  }

  /// Counts the instants of each bucket into `places`, which are one more and 0, and puts the entries there.
  private static func distribute(
    _ instants: [WallInstant], of runs: [Run], to buckets: Buckets, places: inout [UInt32],
    into block: inout [ScheduleMerge.Entry]
  ) {
    let instants = instants.span
    var places = places.mutableSpan
    for index in instants.indices { places[buckets.index(of: instants[index]) + 1] += 1 }
    for index in 1..<places.count { places[index] += places[index - 1] }
    var sorted = block.mutableSpan
    var index = 0
    for run in runs {
      while index < run.end {
        let instant = instants[index]
        let bucket = buckets.index(of: instant)
        let place = places[bucket]
        places[bucket] = place + 1
        sorted[Int(place)] = ScheduleMerge.Entry(instant: instant, schedule: run.schedule)
        index += 1
      }
    }
  }

  /// Whether nothing stands in the wrong order, as where all lies on whole seconds and there is a bucket for each.
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

  /// Puts right what stands in the wrong order within a bucket; `false` where that would take too long.
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
  let count: Int
  private let start: WallInstant
  /// 2^64 by the width of a bucket, rounded up: a product instead of a quotient, exact where it matters.
  private let reciprocal: UInt64

  private static let second: UInt64 = 1_000_000_000

  init(from first: WallInstant, through last: WallInstant, countMax: UInt64) {
    start = first - .nanoseconds(Int64(first.wholeSeconds.nanosecond))
    let length = UInt64(bitPattern: last.nanosecondsSinceEpoch &- start.nanosecondsSinceEpoch)
    let part = length / countMax + 1
    // Whole seconds where there is one for each bucket, so that equal instants of a second do not meet others.
    let width = part <= Self.second / 4 ? max(part, 2) : (part + Self.second - 1) / Self.second * Self.second
    reciprocal = UInt64.max / width + 1
    count = Int(length.multipliedFullWidth(by: reciprocal).high) + 1
  }

  @inline(__always)
  func index(of instant: WallInstant) -> Int {
    let offset = UInt64(bitPattern: instant.nanosecondsSinceEpoch &- start.nanosecondsSinceEpoch)
    return Int(offset.multipliedFullWidth(by: reciprocal).high)
  }
}
