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

  /// Fills `block` with the entries, all of them from `first` through `last`, in the order of time and then of runs.
  mutating func sort(
    from first: WallInstant, through last: WallInstant, into block: inout [ScheduleMerge.Entry]
  ) {
    let buckets = Buckets(from: first, through: last, countMax: Self.bucketCountMax)
    places.removeAll(keepingCapacity: true)
    places.append(contentsOf: repeatElement(0, count: buckets.count + 1))
    for instant in instants { places[buckets.index(of: instant) + 1] += 1 }
    for index in 1..<places.count { places[index] += places[index - 1] }
    let empty = ScheduleMerge.Entry(instant: first, schedule: 0)
    block.append(contentsOf: repeatElement(empty, count: instants.count))
    var index = 0
    for run in runs {
      while index < run.end {
        let bucket = buckets.index(of: instants[index])
        block[Int(places[bucket])] = ScheduleMerge.Entry(instant: instants[index], schedule: run.schedule)
        places[bucket] += 1
        index += 1
      }
    }
    straighten(&block)
  }

  /// Puts right what stands in the wrong order within a bucket.
  private func straighten(_ block: inout [ScheduleMerge.Entry]) {
    var movesLeft = block.count * Self.movesPerEntryMax
    for index in block.indices.dropFirst() where block[index].instant < block[index - 1].instant {
      let entry = block[index]
      var place = index
      while place > 0, entry.instant < block[place - 1].instant {
        block[place] = block[place - 1]
        place -= 1
      }
      block[place] = entry
      movesLeft -= index - place
      if movesLeft < 0 { return block.sort { ($0.instant, $0.schedule) < ($1.instant, $1.schedule) } }
    }
  }
}

/// A stretch of time cut into equal parts.
private struct Buckets {
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
