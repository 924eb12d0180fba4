import Testing
import TimelineCore

/// Instants of recurrence rules around changes of the clocks, from tables that were made by hand.
@Suite struct `Recurrence rules in zones` {
  struct Row: Sendable {
    var zone: String, rule: String, from: String
    var policy = DaylightSavingPolicy(gap: .shift, fold: .first)
    var entries: String
  }

  static let rows = [
    Row(
      zone: "Europe/Berlin", rule: "FREQ=DAILY;COUNT=3", from: "2026-03-28T02:30:00",
      entries: "2026-03-28T01:30 2026-03-29T01:30 2026-03-30T00:30"),
    // The time that clocks skip counts, and is no entry.
    Row(
      zone: "Europe/Berlin", rule: "FREQ=DAILY;COUNT=3", from: "2026-03-28T02:30:00",
      policy: DaylightSavingPolicy(gap: .skip), entries: "2026-03-28T01:30 2026-03-30T00:30"),
    Row(
      zone: "Europe/Berlin", rule: "FREQ=DAILY;COUNT=2", from: "2026-03-29T02:30:00",
      policy: DaylightSavingPolicy(gap: .runAtEnd), entries: "2026-03-29T01:00 2026-03-30T00:30"),
    Row(
      zone: "Europe/Berlin", rule: "FREQ=DAILY;UNTIL=20261026T013000Z", from: "2026-10-24T02:30:00",
      entries: "2026-10-24T00:30 2026-10-25T00:30 2026-10-26T01:30"),
    Row(
      zone: "Europe/Berlin", rule: "FREQ=DAILY;UNTIL=20261025T003000Z", from: "2026-10-24T02:30:00",
      entries: "2026-10-24T00:30 2026-10-25T00:30"),
    Row(
      zone: "Europe/Berlin", rule: "FREQ=DAILY;UNTIL=20261025T002959Z", from: "2026-10-24T02:30:00",
      entries: "2026-10-24T00:30"),
    // 02:45 is shifted behind the end, and 03:00, which follows it on the clock, is not.
    Row(
      zone: "Europe/Berlin", rule: "FREQ=DAILY;UNTIL=20260329T011000Z;BYHOUR=2,3;BYMINUTE=0,45",
      from: "2026-03-29T02:00:00", entries: "2026-03-29T01:00"),
    Row(
      zone: "Europe/Berlin", rule: "FREQ=DAILY;UNTIL=20260329", from: "2026-03-28T23:30:00",
      entries: "2026-03-28T22:30 2026-03-29T21:30"),
    Row(
      zone: "Europe/Berlin", rule: "FREQ=HOURLY;COUNT=4", from: "2026-10-25T01:30:00",
      entries: "2026-10-24T23:30 2026-10-25T00:30 2026-10-25T01:30 2026-10-25T02:30"),
    Row(
      zone: "Europe/Berlin", rule: "FREQ=HOURLY;INTERVAL=24;COUNT=3", from: "2026-03-28T12:00:00",
      entries: "2026-03-28T11:00 2026-03-29T11:00 2026-03-30T11:00"),
    Row(
      zone: "Europe/Berlin", rule: "FREQ=HOURLY;BYHOUR=2;COUNT=3", from: "2026-10-24T02:00:00",
      entries: "2026-10-24T00:00 2026-10-25T00:00 2026-10-25T01:00"),
    Row(
      zone: "America/New_York", rule: "FREQ=DAILY;COUNT=3", from: "2026-03-07T02:30:00",
      entries: "2026-03-07T07:30 2026-03-08T07:30 2026-03-09T06:30"),
    Row(
      zone: "America/New_York", rule: "FREQ=DAILY;COUNT=2", from: "2026-11-01T01:30:00",
      entries: "2026-11-01T05:30 2026-11-02T06:30"),
    Row(
      zone: "America/New_York", rule: "FREQ=DAILY;COUNT=2", from: "2026-11-01T01:30:00",
      policy: DaylightSavingPolicy(gap: .shift, fold: .both),
      entries: "2026-11-01T05:30 2026-11-01T06:30 2026-11-02T06:30"),
    Row(
      zone: "Australia/Lord_Howe", rule: "FREQ=DAILY;COUNT=3", from: "2026-10-03T02:15:00",
      entries: "2026-10-02T15:45 2026-10-03T15:45 2026-10-04T15:15"),
    Row(
      zone: "Australia/Lord_Howe", rule: "FREQ=DAILY;COUNT=2", from: "2026-04-05T01:45:00",
      entries: "2026-04-04T14:45 2026-04-05T15:15"),
    Row(
      zone: "Australia/Lord_Howe", rule: "FREQ=HOURLY;COUNT=3", from: "2026-10-04T01:00:00",
      entries: "2026-10-03T14:30 2026-10-03T15:30 2026-10-03T16:30"),
    Row(
      zone: "America/Santiago", rule: "FREQ=DAILY;COUNT=3", from: "2026-09-05T00:00:00",
      entries: "2026-09-05T04:00 2026-09-06T04:00 2026-09-07T03:00"),
    Row(
      zone: "America/Santiago", rule: "FREQ=DAILY;COUNT=2", from: "2026-04-04T23:30:00",
      entries: "2026-04-05T02:30 2026-04-06T03:30"),
    Row(
      zone: "America/Santiago", rule: "FREQ=MONTHLY;BYDAY=SU;BYSETPOS=1;COUNT=2", from: "2026-09-01T00:00:00",
      entries: "2026-09-06T04:00 2026-10-04T03:00"),
  ]

  @Test(arguments: rows.indices) func `a rule has the instants of the table`(index: Int) throws {
    let row = Self.rows[index]
    let zone = try `Civil rules in zones`.zone(row.zone)
    let rule = try RecurrenceRules.rule(row.rule, from: row.from)
    let schedule = RecurrenceSchedule(recurrence: rule, zone: zone, daylightSaving: row.policy)
    let found = schedule.entries(from: .min, mode: .normal).prefix(9).map {
      String($0.description.prefix(16))
    }
    #expect(found.joined(separator: " ") == row.entries)
    #expect(schedule.count(after: .min, through: .max) == found.count)
    #expect(schedule.latest(atOrBefore: .max).map { String($0.description.prefix(16)) } == found.last)
    #expect(schedule.zone == zone)
  }

  @Test func `a first time that the rule does not match is no entry and does not count`() throws {
    let rule = try RecurrenceRules.rule("FREQ=MONTHLY;BYDAY=-1FR;COUNT=2", from: "2026-01-29T17:00:00")
    let schedule = RecurrenceSchedule(recurrence: rule, zone: .utc)
    let found = schedule.entries(from: .min, mode: .normal).map(\.description)
    #expect(found == ["2026-01-30T17:00:00Z", "2026-02-27T17:00:00Z"])
  }

  @Test func `dates are added and left out after the rule has counted`() throws {
    let rule = try RecurrenceRules.rule(
      "FREQ=DAILY;COUNT=4", from: "2026-03-27T02:30:00",
      rdates: "2026-03-28T02:30:00 2026-04-02T10:00:00 2026-03-01T00:00:00 2026-05-01T00:00:00",
      exdates: "2026-03-28T02:30:00 2026-05-01T00:00:00 2026-06-01T00:00:00")
    let schedule = RecurrenceSchedule(recurrence: rule, zone: try ZoneFiles.zone("Europe/Berlin"))
    let found = schedule.entries(from: .min, mode: .normal).map { String($0.description.prefix(16)) }
    #expect(
      found == [
        "2026-02-28T23:00", "2026-03-27T01:30", "2026-03-29T01:30", "2026-03-30T00:30", "2026-04-02T08:00",
      ])
    #expect(schedule.count(after: .min, through: .max) == 5)
  }

  @Test func `words name each part`() throws {
    let rule = try RecurrenceRules.rule(
      "FREQ=MONTHLY;INTERVAL=2;BYDAY=MO,-1FR;BYSETPOS=1,-1;WKST=SU;COUNT=3", from: "2026-01-30T17:00:00",
      rdates: "2026-02-06T17:00:00")
    let explanation = ScheduleRule.recurrence(.recurrence(rule, in: .utc)).explanation(from: .epoch, years: 1)
    #expect(
      explanation.words
        == "every 2 months on the last Friday and Monday and only the last and the 1st of each month, in weeks that begin on "
        + "Sunday, from 2026-01-30 at 17:00, 3 times at most, and at 1 more time, in UTC")
  }
}
