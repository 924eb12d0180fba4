/// The data of a zone, shared by all copies of it and never changed: stretches of time with one local time each.
///
/// Parallel arrays, so that the search for an instant reads 8 bytes for each step. Recurring rules are written out to
/// the end of the representable range, some 500 stretches, so that nothing is computed later and nothing is locked.
@usableFromInline
final class ZoneStorage: Sendable {
  let name: String
  /// The start of each stretch, in nanoseconds since the epoch, strictly ascending; the first is `Int64.min`.
  @usableFromInline let starts: [Int64]
  /// The seconds that each stretch is ahead of UTC.
  @usableFromInline let offsets: [Int32]
  /// The index of the stretch at the start of each part of the range, followed by the index of the last stretch. A
  /// part is 2^53 ns or 104 days long, so that a search has one or two stretches left to check.
  @usableFromInline let parts: [UInt16]
  /// The part of each stretch that is far from every clock change.
  let quiet: [QuietStretch]
  /// The index into `types` of each stretch.
  let typeIndices: [UInt16]
  let types: [ZoneLocalTime]
  /// Instant from which on every offset is a whole number of minutes, in nanoseconds since the epoch; `.max` when there is none.
  @usableFromInline let wholeMinutesSince: Int64

  /// Makes the storage of ordered stretches; equal neighbors become one.
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
    self.wholeMinutesSince = wholeMinutesSince
    self.parts = Self.parts(of: starts)
    self.quiet = QuietStretch.all(starts: starts, offsets: offsets)
  }

  private static func parts(of starts: [Int64]) -> [UInt16] {
    var index = 0
    var parts = (-1_024..<1_024).map { (part: Int64) in
      while index + 1 < starts.count, starts[index + 1] <= part << 53 { index += 1 }
      return UInt16(index)
    }
    parts.append(UInt16(starts.count - 1))
    return parts
  }

  /// The stretch that holds `nanoseconds`, by a binary search in its part of time.
  @inlinable
  func index(at nanoseconds: Int64) -> Int {
    let part = Int(truncatingIfNeeded: nanoseconds >> 53) &+ 1_024
    var low = Int(parts[part])
    var count = Int(parts[part &+ 1]) &- low &+ 1
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
  /// Whether the zone calls this time daylight saving, which Dublin does in winter.
  var isDaylightSaving: Bool
  /// The abbreviation, for example `CEST`.
  var abbreviation: String
}
