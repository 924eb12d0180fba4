import TimelineCore

/// Durations of a job's runs, oldest first, and their trend.
struct DurationTrend: Hashable {
  let count: Int
  let median: ElapsedTime
  let longest: ElapsedTime
  /// The latest duration.
  let last: ElapsedTime
  /// Change of the median from the older half to the newer half, in percent; `nil` for fewer than eight runs, or if
  /// the older median is zero.
  let changePercent: Int?
  /// The durations as an SVG path, ``width`` by ``height``. If there are many runs, a point is the longest of several
  /// durations.
  let path: String

  /// Size of the path, in pixels.
  static let (width, height) = (96, 20)
  /// Maximum number of points: one for two pixels.
  private static let pointsMax = 48

  /// Makes the trend of durations; `nil` for fewer than two.
  init?(_ durations: [ElapsedTime]) {
    guard durations.count >= 2, let last = durations.last, let longest = durations.max() else { return nil }
    count = durations.count
    self.last = last
    self.longest = longest
    median = Self.median(durations[...])
    let half = durations.count / 2
    let (older, newer) = (Self.median(durations[..<half]), Self.median(durations[half...]))
    changePercent =
      count < 8 || older <= .zero
      ? nil
      : Int(
        clamping: (Int128(newer.nanoseconds) - Int128(older.nanoseconds)) * 100 / Int128(older.nanoseconds))
    path = Self.path(durations, longest)
  }

  private static func median(_ durations: ArraySlice<ElapsedTime>) -> ElapsedTime {
    durations.sorted()[(durations.count - 1) / 2]
  }

  private static func path(_ durations: [ElapsedTime], _ longest: ElapsedTime) -> String {
    let points = min(durations.count, pointsMax)
    return (0..<points).map { point in
      let stretch = durations[(point * durations.count / points)..<((point + 1) * durations.count / points)]
      let part = Int128(max(.zero, stretch.max() ?? .zero).nanoseconds) * Int128(height - 2)
      let y = height - 1 - Int(part / Int128(max(1, longest.nanoseconds)))
      return "\(point == 0 ? "M" : "L")\(point * (width - 1) / max(1, points - 1)) \(y)"
    }.joined()
  }
}
