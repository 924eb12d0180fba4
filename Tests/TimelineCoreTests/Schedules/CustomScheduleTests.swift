import Testing
import TimelineCore

/// A schedule of a library's user: it has its entries, and no other question is its own.
private struct CustomSchedule<Base: Schedule>: Schedule {
  var base: Base

  func entries(from start: WallInstant, mode: Mode) -> Base.Entries { base.entries(from: start, mode: mode) }
}

/// A schedule in the manner of many in SwiftUI apps: an iterator that begins with the start.
private struct CountingSchedule: Schedule {
  var step: ElapsedTime

  func entries(from start: WallInstant, mode: Mode) -> AnyIterator<WallInstant> {
    var next = start
    return AnyIterator {
      defer { next = next + (mode == .lowFrequency ? .minutes(1) : step) }
      return next
    }
  }
}

@Suite struct CustomScheduleTests {
  private static let recurrence = `Civil rules in zones`.recurrence

  /// Each kind, with instants before, at, between and behind its entries.
  static let questions: [(ScheduleRule, [Int64])] = {
    do {
      return [
        (.periodic(.periodic(from: second(100), by: .seconds(5))), [0, 99, 100, 101, 105, 1_000]),
        (.animation(.animation(minimumInterval: .seconds(2))), [0, 1, 7]),
        (.animation(.animation(paused: true)), [0]),
        (.explicit(.explicit([10, 20, 30].map(second))), [0, 9, 10, 11, 20, 29, 30, 31]),
        (.explicit(ExplicitSchedule()), [0]),
        (.everyMinute(.everyMinute), [0, 1, 59, 60, 61]),
        (.cron(try .cron("*/15 * * * *", in: .utc)), [0, 1, 899, 900, 901]),
        (.calendar(try .calendar("*:00/20", in: .utc)), [0, 1, 1_199, 1_200, 1_201]),
        (
          .civil(
            .civil(try recurrence("1 days", "1969-12-31", "00:00 00:20 01:00", [], .monday, nil), in: .utc)),
          [0, 1, 1_199, 1_200, 1_201]
        ),
        (
          .recurrence(
            .recurrence(
              try RecurrenceRules.rule("FREQ=MINUTELY;INTERVAL=20", from: "1969-12-31T00:00:00"), in: .utc)),
          [0, 1, 1_199, 1_200, 1_201]
        ),
      ]
    } catch {
      Issue.record(error)
      return []
    }
  }()

  @Test func `every kind with a name of its own is tested`() {
    #expect(
      Set(Self.questions.map(\.0.kindName)) == Set(ScheduleRule.KindName.allCases).subtracting([.composed]))
  }

  @Test(arguments: questions)
  func `the default implementations agree with the schedule's own`(
    rule: ScheduleRule, seconds: [Int64]
  ) {
    let custom = CustomSchedule(base: rule)
    for instant in seconds.map(second) {
      #expect(custom.next(after: instant) == rule.next(after: instant), "after \(instant)")
      #expect(custom.latest(atOrBefore: instant) == rule.latest(atOrBefore: instant), "at \(instant)")
      let end = instant + .seconds(3_600)
      #expect(custom.count(after: instant, through: end) == rule.count(after: instant, through: end))
      #expect(custom.count(after: end, through: instant) == 0)
    }
  }

  @Test func `entries that begin at the start behave as an animation`() {
    let schedule = CountingSchedule(step: .seconds(7))
    #expect(schedule.next(after: second(3)) == second(10))
    #expect(schedule.latest(atOrBefore: second(3)) == second(3))
    #expect(schedule.count(after: second(3), through: second(17)) == 2)
    #expect(Array(schedule.entries(from: .epoch, mode: .lowFrequency).prefix(2)) == [second(0), second(60)])
  }
}

/// The names that SwiftUI gives its schedules, where some schedule is expected.
@Suite struct ScheduleMemberTests {
  private func entries(of schedule: some Schedule, from start: Int64) -> [Int64] {
    schedule.entries(from: second(start), mode: .normal).prefix(3).map(\.seconds)
  }

  @Test func `each name makes its schedule`() throws {
    let zone = try ZoneFiles.zone("Asia/Kathmandu")
    #expect(entries(of: .periodic(from: .epoch, by: .seconds(5)), from: 12) == [10, 15, 20])
    #expect(entries(of: .everyMinute, from: 61) == [60, 120, 180])
    #expect(entries(of: .everyMinute(in: zone), from: 61) == [60, 120, 180])
    #expect(entries(of: .explicit([second(1), second(3)]), from: 12) == [1, 3])
    #expect(entries(of: .explicit(Set([second(4)])), from: 12) == [4])
    #expect(entries(of: .animation(minimumInterval: .seconds(2)), from: 12) == [12, 14, 16])
    #expect(entries(of: .animation(paused: true), from: 12) == [])
    #expect(entries(of: .animation, from: 12) == [12, 12, 12])
    // 13:00 there was 07:30 in UTC then.
    #expect(entries(of: try .cron("0 13 * * *", in: zone), from: 27_000) == [27_000, 113_400, 199_800])
    #expect(entries(of: try .calendar("13:00", in: zone), from: 27_000) == [27_000, 113_400, 199_800])
    let daily = try `Civil rules in zones`.recurrence("1 days", from: "1970-01-01", at: "13:00")
    #expect(entries(of: .civil(daily, in: zone), from: 27_000) == [27_000, 113_400, 199_800])
    let recurrence = try RecurrenceRules.rule("FREQ=DAILY", from: "1970-01-01T13:00:00")
    #expect(entries(of: .recurrence(recurrence, in: zone), from: 27_000) == [27_000, 113_400, 199_800])
  }

  @Test func `an invalid rule is refused with the place of the error`() {
    #expect(throws: TextError.self) { _ = try CronSchedule.cron("61 * * * *", in: .utc) }
    #expect(throws: TextError.self) { _ = try CalendarSchedule.calendar("25:00", in: .utc) }
  }

  @Test func `an interval that is not positive traps`() async {
    await #expect(processExitsWith: .failure) {
      _ = PeriodicSchedule.periodic(from: .epoch, by: .zero)
    }
  }

  @Test func `dates that do not ascend trap`() async {
    await #expect(processExitsWith: .failure) { _ = ExplicitSchedule.explicit([.epoch, .epoch]) }
  }
}
