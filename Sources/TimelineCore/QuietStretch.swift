/// A stretch of time in which clocks keep their offset, and from which every change of them is far.
struct QuietStretch {
  /// Seconds that the zone is ahead of UTC.
  var offset: Int
  /// The last instant that is far from the next change, in nanoseconds since the epoch.
  var end: Int64

  /// The last whole second of it.
  var lastSecond: Int { Int(end / 1_000_000_000) }

  /// A change can skip a day, as Samoa's did, and no policy moves an entry further than that.
  static let distance: Int64 = 2 * 86_400 * 1_000_000_000
}

extension ZoneStorage {
  /// The quiet stretch that holds `instant`, which lies after the epoch; `nil` near a change of the clocks.
  @inline(__always)
  func quietStretch(around instant: WallInstant) -> QuietStretch? {
    let nanoseconds = instant.nanosecondsSinceEpoch
    let index = index(at: nanoseconds)
    let end = end(of: index)
    guard nanoseconds >= 0, index == 0 || nanoseconds - starts[index] >= QuietStretch.distance,
      end - nanoseconds >= QuietStretch.distance
    else { return nil }
    return QuietStretch(offset: Int(offsets[index]), end: end - QuietStretch.distance)
  }
}
