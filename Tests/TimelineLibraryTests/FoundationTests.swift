import Foundation
import Testing
import TimelineCore
import TimelineFoundation
import TimelineTestSupport

@Suite struct FoundationTests {
  static let seed: UInt64 = 0xDA7E

  @Test(arguments: [
    (0, "2001-01-01T00:00:00Z"), (-978_307_200, "1970-01-01T00:00:00Z"), (0.25, "2001-01-01T00:00:00.25Z"),
    (-0.25, "2000-12-31T23:59:59.75Z"), (1e-9, "2001-01-01T00:00:00.000000001Z"),
    (4e-10, "2001-01-01T00:00:00Z"), (1_000_000_000.5, "2032-09-09T01:46:40.5Z"),
  ])
  func `a date is the instant that it names`(seconds: Double, text: String) throws {
    let date = Date(timeIntervalSinceReferenceDate: seconds)
    #expect(WallInstant(date).description == text)
  }

  @Test(arguments: [
    (Date.distantFuture, WallInstant.max), (.distantPast, .min),
    (Date(timeIntervalSinceReferenceDate: .infinity), .max),
    (Date(timeIntervalSinceReferenceDate: -.infinity), .min),
    (Date(timeIntervalSinceReferenceDate: .greatestFiniteMagnitude), .max),
  ])
  func `a date beyond all instants is the last of them`(date: Date, instant: WallInstant) {
    #expect(WallInstant(date) == instant)
  }

  @Test func `a date that is not a number traps`() async {
    await #expect(processExitsWith: .failure) {
      _ = WallInstant(Date(timeIntervalSinceReferenceDate: .nan))
    }
  }

  @Test func `a date converted to an instant and back is the same date`() {
    var generator = SeededGenerator(seed: Self.seed)
    for _ in 0..<10_000 {
      let seconds = Double.random(in: 8_388_608...8_000_000_000, using: &generator)
      for date in [seconds, -seconds].map(Date.init(timeIntervalSinceReferenceDate:)) {
        #expect(Date(WallInstant(date)) == date)
      }
    }
  }

  @Test func `an instant is the nearest date`() {
    var generator = SeededGenerator(seed: Self.seed)
    for _ in 0..<10_000 {
      let instant = WallInstant(nanosecondsSinceEpoch: .random(in: .min ... .max, using: &generator))
      let date = Date(instant)
      let step = date.timeIntervalSinceReferenceDate.ulp
      let error = (WallInstant(date) - instant).nanoseconds.magnitude
      #expect(Double(error) <= step / 2 * 1e9 + 1, "\(instant)")
    }
    #expect(WallInstant(Date(.max)) > .max - .seconds(1))
    #expect(WallInstant(Date(.min)) < .min + .seconds(1))
  }

  @Test(arguments: [
    (0.1, 100_000_000), (-1.5, -1_500_000_000), (1e-10, 0), (1e300, Int64.max), (-1e300, .min),
    (.infinity, .max),
  ])
  func `a time interval is a length of time`(interval: TimeInterval, nanoseconds: Int64) {
    #expect(ElapsedTime(timeInterval: interval) == .nanoseconds(nanoseconds))
  }

  @Test func `lengths of time are time intervals`() {
    #expect(ElapsedTime.milliseconds(100).timeInterval == 0.1)
    #expect(ElapsedTime.seconds(-2).timeInterval == -2)
    #expect(Duration.milliseconds(100).timeInterval == 0.1)
    #expect(Duration.seconds(3).timeInterval == 3)
  }

  private func dates(of schedule: some Schedule, from start: Date) -> [Double] {
    schedule.entries(from: start, mode: .normal).prefix(3).map(\.timeIntervalSinceReferenceDate)
  }

  @Test func `schedules are made of dates and queried with dates`() {
    let start = Date(timeIntervalSinceReferenceDate: 100)
    #expect(dates(of: .periodic(from: start, by: 0.5), from: start + 0.75) == [100.5, 101, 101.5])
    #expect(dates(of: .explicit([start, start + 1]), from: start) == [100, 101])
    #expect(dates(of: .animation(minimumInterval: 1.5), from: start) == [100, 101.5, 103])
    #expect(dates(of: .animation(minimumInterval: 1.5, paused: true), from: start) == [])
    let schedule = EveryMinuteSchedule(zone: .utc)
    #expect(schedule.next(after: start) == Date(timeIntervalSinceReferenceDate: 120))
    #expect(schedule.latest(atOrBefore: start) == Date(timeIntervalSinceReferenceDate: 60))
    #expect(ExplicitSchedule().next(after: start) == nil)
  }
}
