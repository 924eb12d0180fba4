import Testing
import TimelineCore

/// Apple's rows: the documentation of TimelineView and a suite that compares implementations with it.
@Suite struct `Golden rows of TimelineView` {
  static func seconds(_ values: Double...) -> [WallInstant] {
    values.map { WallInstant(nanosecondsSinceEpoch: Int64($0 * 1e9)) }
  }

  static func second(_ value: Double) -> WallInstant { seconds(value)[0] }

  static func clock(_ hour: Int, _ minute: Int, _ second: Int) -> WallInstant {
    WallInstant(secondsSinceEpoch: Int64(hour * 3_600 + minute * 60 + second))
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let rule: ScheduleRule
    let from: WallInstant
    let expected: [WallInstant]
    var lowFrequency: [WallInstant]?
  }

  static let rows: [Row] = {
    do {
      let dates = seconds(3, 7, 1_000)
      return try [
        Row(
          testDescription: "periodic from 10:09:30 by 60 s, asked from 10:34:45",
          rule: .periodic(PeriodicSchedule(from: clock(10, 9, 30), by: .seconds(60))),
          from: clock(10, 34, 45), expected: [clock(10, 34, 30), clock(10, 35, 30), clock(10, 36, 30)]),
        Row(
          testDescription: "periodic from 0 by 5, asked from 12",
          rule: .periodic(PeriodicSchedule(from: .epoch, by: .seconds(5))),
          from: second(12), expected: seconds(10, 15, 20)),
        Row(
          testDescription: "periodic from 0 by 5, asked from 15: a boundary is included",
          rule: .periodic(PeriodicSchedule(from: .epoch, by: .seconds(5))),
          from: second(15), expected: seconds(15, 20, 25)),
        Row(
          testDescription: "periodic from 100 by 5, asked from 12: nothing before a start in the future",
          rule: .periodic(PeriodicSchedule(from: second(100), by: .seconds(5))),
          from: second(12), expected: seconds(100, 105, 110)),
        Row(
          testDescription: "everyMinute, asked from 10:09:32",
          rule: .everyMinute(EveryMinuteSchedule(zone: .utc)),
          from: clock(10, 9, 32), expected: [clock(10, 9, 0), clock(10, 10, 0), clock(10, 11, 0)]),
        Row(
          testDescription: "explicit, asked from before", rule: .explicit(ExplicitSchedule(dates)),
          from: .epoch, expected: dates),
        Row(
          testDescription: "explicit, asked from after", rule: .explicit(ExplicitSchedule(dates)),
          from: second(5_000), expected: dates),
        Row(
          testDescription: "animation minimum 1.5, asked from 0",
          rule: .animation(AnimationSchedule(minimumInterval: .milliseconds(1_500))),
          from: .epoch, expected: seconds(0, 1.5, 3), lowFrequency: []),
        Row(
          testDescription: "animation without an interval: 1/120 s",
          rule: .animation(AnimationSchedule()),
          from: .epoch, expected: [0, 8_333_333, 16_666_666].map(WallInstant.init(nanosecondsSinceEpoch:)),
          lowFrequency: []),
        Row(
          testDescription: "animation, paused",
          rule: .animation(AnimationSchedule(minimumInterval: .seconds(1), isPaused: true)),
          from: .epoch, expected: [], lowFrequency: []),
      ]
    } catch {
      Issue.record(error)
      return []
    }
  }()

  @Test(arguments: rows) func `entries agree with TimelineView`(row: Row) {
    #expect(Array(row.rule.entries(from: row.from, mode: .normal).prefix(3)) == row.expected)
  }

  @Test(arguments: rows) func `low-frequency mode stops animation and nothing else`(row: Row) {
    #expect(
      Array(row.rule.entries(from: row.from, mode: .lowFrequency).prefix(3))
        == row.lowFrequency ?? row.expected)
  }

  @Test func `the table has every row`() { #expect(Self.rows.count == 10) }

  @Test(arguments: [0, -1, Int64.min])
  func `an interval that is not positive is refused`(nanoseconds: Int64) {
    let interval = ElapsedTime(nanoseconds: nanoseconds)
    #expect(throws: ScheduleError.intervalNotPositive(interval)) {
      try PeriodicSchedule(from: .epoch, by: interval)
    }
    #expect(throws: ScheduleError.intervalNotPositive(interval)) {
      try AnimationSchedule(minimumInterval: interval)
    }
  }

  @Test func `dates that do not ascend are refused with the index of the first wrong one`() {
    #expect(throws: ScheduleError.datesNotAscending(index: 2, date: Self.second(2), previous: Self.second(2)))
    {
      try ExplicitSchedule(Self.seconds(1, 2, 2, 3))
    }
    #expect(throws: ScheduleError.datesNotAscending(index: 1, date: Self.second(4), previous: Self.second(5)))
    {
      try ExplicitSchedule(Self.seconds(5, 4))
    }
  }

  @Test func `a refusal names the correction`() {
    #expect(
      ScheduleError.intervalNotPositive(.seconds(-5)).description
        == "the interval -5s is not positive; give at least 1ns")
    #expect(
      ScheduleError.datesNotAscending(index: 2, date: Self.second(2), previous: Self.second(2)).description
        == "date 3, 1970-01-01T00:00:02Z, is given twice; leave one of the two out")
    #expect(
      ScheduleError.datesNotAscending(index: 1, date: Self.second(4), previous: Self.second(5)).description
        == "date 2, 1970-01-01T00:00:04Z, is earlier than the one before it, 1970-01-01T00:00:05Z; put the dates in ascending order"
    )
  }
}
