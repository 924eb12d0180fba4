import Testing
import TimelineCore

@Suite struct `Schedules for other programs` {
  @Test(arguments: [
    ("30 2 * * Mon-Fri", "30 2 * * 1-5"), ("@hourly", "0 * * * *"), ("*/10 * * * *", "*/10 * * * *"),
    ("0 0 L * *", nil), ("15 0 2 * * *", nil),
  ])
  func `a rule of cron has five fields`(rule: String, expected: String?) throws {
    let schedule = CronSchedule(
      expression: try CronExpression(parsing: rule), zone: try ZoneFiles.zone("Europe/Berlin"))
    #expect(ScheduleRule.cron(schedule).portable == expected.map { .cron($0, zone: "Europe/Berlin") })
  }

  @Test(arguments: [
    ("Mon..Fri 08:00", "Mon..Fri *-*-* 08:00:00"), ("daily Europe/Berlin", "*-*-* 00:00:00"),
  ])
  func `a calendar rule is exported without its zone`(rule: String, expected: String) throws {
    let schedule = CalendarSchedule(
      expression: try CalendarExpression(parsing: rule), zone: try ZoneFiles.zone("Europe/Berlin"))
    #expect(ScheduleRule.calendar(schedule).portable == .calendar(expected, zone: "Europe/Berlin"))
  }

  @Test(arguments: [(ElapsedTime.seconds(90), Int64?(90)), (.milliseconds(1_500), nil)])
  func `a period has whole seconds`(interval: ElapsedTime, expected: Int64?) throws {
    let schedule = try PeriodicSchedule(from: .epoch, by: interval)
    #expect(ScheduleRule.periodic(schedule).portable == expected.map { .period(seconds: $0) })
    #expect(try ScheduleRule.explicit(ExplicitSchedule([.epoch])).portable == nil)
  }
}
