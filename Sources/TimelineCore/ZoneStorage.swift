/// What a zone knows, shared by all copies of it and never changed: stretches of time with one local time each.
///
/// Three arrays side by side, so that the search for an instant walks over 8 bytes a step. Recurring rules are
/// written out to the end of the representable range, some 500 stretches, so that nothing is computed later.
@usableFromInline
final class ZoneStorage: Sendable {
  let name: String
  /// Where each stretch starts, in nanoseconds since the epoch, strictly ascending; the first is `Int64.min`.
  @usableFromInline let starts: [Int64]
  /// The seconds that each stretch is ahead of UTC.
  @usableFromInline let offsets: [Int32]
  /// The index into `types` of each stretch.
  let typeIndices: [UInt16]
  let types: [ZoneLocalTime]
  let wholeMinutesSince: WallInstant

  /// Takes stretches that are in order; neighbours that differ in nothing become one.
  init(name: String, types: [ZoneLocalTime], stretches: [(start: Int64, type: Int)]) {
    var starts: [Int64] = []
    var offsets: [Int32] = []
    var typeIndices: [UInt16] = []
    var wholeMinutesSince = Int64.min
    for (start, type) in stretches {
      if let last = typeIndices.last, types[Int(last)] == types[type] { continue }
      if types[type].offset % 60 != 0 {
        wholeMinutesSince = .max
      } else if wholeMinutesSince == .max {
        wholeMinutesSince = start
      }
      starts.append(start)
      offsets.append(Int32(types[type].offset))
      typeIndices.append(UInt16(type))
    }
    self.name = name
    self.types = types
    self.starts = starts
    self.offsets = offsets
    self.typeIndices = typeIndices
    self.wholeMinutesSince = WallInstant(nanosecondsSinceEpoch: wholeMinutesSince)
  }

  /// The stretch that holds `nanoseconds`, by a binary search without a branch that depends on what is found.
  @inlinable
  func index(at nanoseconds: Int64) -> Int {
    var (low, count) = (0, starts.count)
    while count > 1 {
      let half = count / 2
      low = starts[low + half] <= nanoseconds ? low + half : low
      count -= half
    }
    return low
  }

  /// The last nanosecond of stretch `index`.
  @usableFromInline
  func end(of index: Int) -> Int64 { index + 1 < starts.count ? starts[index + 1] - 1 : .max }
}

/// One kind of local time of a zone, such as Berlin's in summer.
struct ZoneLocalTime: Hashable {
  /// Seconds ahead of UTC.
  var offset: Int
  /// Whether the zone calls it daylight saving, which Dublin does in winter.
  var isDaylightSaving: Bool
  /// What people call it, such as `CEST`.
  var abbreviation: String
}
