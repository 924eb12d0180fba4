import Testing
import TimelineCore
import TimelineTestSupport

/// Answers of a period must be those of integers wide enough for everything.
@Suite struct `A period` {
  /// The simple way: the first number of steps that leads past the instant.
  private static func expected(_ start: Int64, _ interval: Int64, after instant: Int64) -> WallInstant? {
    let (start, interval, instant) = (Int128(start), Int128(interval), Int128(instant))
    let next = instant < start ? start : start + ((instant - start) / interval + 1) * interval
    return Int64(exactly: next).map { WallInstant(nanosecondsSinceEpoch: $0) }
  }

  private static func check(_ start: Int64, _ interval: Int64, _ instant: Int64, _ comment: String) throws {
    let schedule = try PeriodicSchedule(
      from: WallInstant(nanosecondsSinceEpoch: start), by: .nanoseconds(interval))
    let instant = WallInstant(nanosecondsSinceEpoch: instant)
    let expected = expected(start, interval, after: instant.nanosecondsSinceEpoch)
    #expect(schedule.next(after: instant) == expected, "\(schedule) after \(instant), \(comment)")
    #expect(ScheduleRule.periodic(schedule).next(after: instant) == expected, "\(comment)")
  }

  private static let edges: [Int64] = [
    .min, .min + 1, -1_000_000_007, -1, 0, 1, 2, 30_000_000_000, 1 << 32, .max / 2, .max - 1, .max,
  ]

  @Test func `it is exact at every edge`() throws {
    for start in Self.edges {
      for interval in Self.edges where interval > 0 {
        for instant in Self.edges { try Self.check(start, interval, instant, "an edge") }
      }
    }
  }

  @Test(arguments: UInt64(1)...20)
  func `it is exact at, before and behind an entry`(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<500 {
      // Of every magnitude, so that what fits in 32 bits and what does not meet.
      let interval =
        Int64.random(in: 1...Int64.max, using: &generator) >> Int64.random(in: 0...62, using: &generator)
      let start =
        Int64.random(in: .min ... .max, using: &generator) >> Int64.random(in: 0...62, using: &generator)
      let room = (Int128(Int64.max) - Int128(start)) / Int128(max(1, interval))
      let step = UInt64.random(in: 0...UInt64(room), using: &generator)
      let entry = Int64(Int128(start) + Int128(step) * Int128(max(1, interval)))
      for instant in [entry, entry.subtractingSaturating(1), entry.addingSaturating(1), start, .max] {
        try Self.check(start, max(1, interval), instant, "seed \(seed)")
      }
    }
  }
}
