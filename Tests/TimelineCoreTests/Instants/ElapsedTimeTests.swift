import Testing
import TimelineCore

/// Lengths of time and instants with the members of `Swift.Duration`.
@Suite struct ElapsedTimeTests {
  @Test(
    arguments: [
      (.seconds(1.2), 1_200_000_000), (.seconds(0.1), 100_000_000), (.seconds(-0.1), -100_000_000),
      (.milliseconds(1.5), 1_500_000), (.nanoseconds(1) / 2, 1), (.nanoseconds(-1) / 2, 0),
      (.nanoseconds(3) / 2, 2), (Duration(attoseconds: 499_999_999), 0),
      (Duration(attoseconds: -500_000_001), -1),
      (Duration(attoseconds: .max), .max), (Duration(attoseconds: .min), .min),
    ] as [(Duration, Int64)])
  func `an instant moves by a duration to the nearest nanosecond`(_ duration: Duration, _ nanoseconds: Int64)
  {
    let instant = WallInstant(nanosecondsSinceEpoch: nanoseconds)
    #expect(WallInstant.epoch.advanced(by: duration) == instant)
    #expect(WallInstant.epoch + duration == instant)
  }

  @Test func `an instant moves back by a duration`() {
    #expect(WallInstant.epoch - Duration.seconds(1.2) == .epoch - .milliseconds(1_200))
    #expect(WallInstant.epoch - Duration(attoseconds: .min) == .max)
  }

  @Test(
    arguments: [
      (Duration(attoseconds: 1), 1), (Duration(attoseconds: -1), 0), (.nanoseconds(7), 7),
      (Duration(attoseconds: .min), .min), (Duration(attoseconds: .max), .max),
    ] as [(Duration, Int64)])
  func `a duration of any size is rounded up`(_ duration: Duration, _ nanoseconds: Int64) {
    #expect(ElapsedTime(roundingUp: duration).nanoseconds == nanoseconds)
  }

  @Test func `a length is made of a decimal number, and of any integer`() {
    let rows: [(ElapsedTime, Int64)] = [
      (.seconds(0.5), 500_000_000), (.seconds(1.2), 1_200_000_000), (.milliseconds(0.1), 100_000),
      (.seconds(-2.5), -2_500_000_000), (.seconds(1e30), .max), (.seconds(-Double.infinity), .min),
      (.seconds(Int(3)), 3_000_000_000), (.milliseconds(UInt8(3)), 3_000_000), (.seconds(UInt64.max), .max),
    ]
    for (length, nanoseconds) in rows { #expect(length.nanoseconds == nanoseconds) }
  }

  @Test func `a length is divided, and has components`() {
    #expect(ElapsedTime.seconds(7) / 2 == .milliseconds(3_500))
    #expect(ElapsedTime.seconds(7) / .seconds(2) == 3.5)
    #expect(ElapsedTime.min / -1 == .max)
    #expect(ElapsedTime.seconds(2) * Int(3) == .seconds(6))
    #expect(
      ElapsedTime.milliseconds(-1_500).components == (seconds: -1, attoseconds: -500_000_000_000_000_000))
    #expect(ElapsedTime.min.components == ElapsedTime.min.duration.components)
  }

  @Test func `schedules take seconds as SwiftUI does`() {
    let minimum: Double? = 0.25
    let none: Double? = nil
    #expect(AnimationSchedule.animation(minimumInterval: minimum).interval == .milliseconds(250))
    #expect(AnimationSchedule.animation(minimumInterval: none, paused: true).minimumInterval == nil)
    #expect(AnimationSchedule.animation(minimumInterval: nil) == .animation)
    #expect(
      PeriodicSchedule.periodic(from: .epoch, by: 0.5) == .periodic(from: .epoch, by: .milliseconds(500)))
    #expect(AnySchedule(.everyMinute).next(after: .epoch) == .epoch + .minutes(1))
  }
}
