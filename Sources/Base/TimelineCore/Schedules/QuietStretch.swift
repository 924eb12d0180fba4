/// The part of a stretch of equal offset without the instants near a clock change.
///
/// A clock change moves or repeats the times within its own length, on either side of it. Times further away do not
/// depend on any policy.
struct QuietStretch: Sendable {
  /// The first and the last instant, in nanoseconds since the epoch; if there is none, the last is earlier.
  var start: Int64
  var end: Int64
  /// Seconds that the zone is ahead of UTC.
  var offset: Int

  /// The range in which local times are positive and a day can be added to any instant: arithmetic within it cannot
  /// overflow.
  private static let all = WallInstant.epoch + .days(3)...WallInstant.max - .days(3)

  /// The quiet stretches of a zone's table.
  static func all(starts: [Int64], offsets: [Int32]) -> [QuietStretch] {
    /// Returns the length of the clock change at the start of a stretch.
    func reach(_ index: Int) -> ElapsedTime {
      .seconds(abs(Int64(offsets[index]) - Int64(offsets[index - 1])))
    }
    return starts.indices.map { index in
      var (start, end) = (all.lowerBound, all.upperBound)
      if index > 0 {
        start = max(start, WallInstant(nanosecondsSinceEpoch: starts[index]) + reach(index))
      }
      if index + 1 < starts.count {
        let change = WallInstant(nanosecondsSinceEpoch: starts[index + 1])
        end = min(end, change - reach(index + 1) - .nanoseconds(1))
      }
      return QuietStretch(
        start: start.nanosecondsSinceEpoch, end: end.nanosecondsSinceEpoch, offset: Int(offsets[index]))
    }
  }
}

extension ZoneStorage {
  /// The quiet stretch that contains `instant`; `nil` near a clock change, near both ends of the range and before the epoch.
  func quietStretch(around instant: WallInstant) -> QuietStretch? {
    let nanoseconds = instant.nanosecondsSinceEpoch
    let found = quiet[index(at: nanoseconds)]
    return found.start <= nanoseconds && nanoseconds <= found.end ? found : nil
  }
}
