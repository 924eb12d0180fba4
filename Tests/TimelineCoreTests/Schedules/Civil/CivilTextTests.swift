import Testing

@testable import TimelineCore

@Suite struct `Civil rules in words` {
  private static let make = `Civil rules in zones`.recurrence

  static let rows: [(rule: CivilRecurrence, words: String, form: String, summary: String)] = {
    do {
      return [
        (
          try make("2 weeks", "2026-01-05", "09:00 17:30", [.thursday, .monday], .monday, nil),
          "at 09:00 and 17:30 on Monday and Thursday, every 2 weeks from 2026-01-05",
          #"{ every = "2 weeks", from = 2026-01-05, on = ["mon", "thu"], at = ["09:00", "17:30"] }"#,
          "every 2 weeks from 2026-01-05 on Mon,Thu at 09:00,17:30"
        ),
        (
          try make("2 weeks", "2026-01-07", "09:00", [.sunday], .sunday, nil),
          "at 09:00 on Sunday, every 2 weeks from 2026-01-07, in weeks that begin on Sunday",
          #"{ every = "2 weeks", from = 2026-01-07, week-starts = "sun", on = ["sun"], at = ["09:00"] }"#,
          "every 2 weeks from 2026-01-07 week-starts sun on Sun at 09:00"
        ),
        (
          try make("1 weeks", "2026-01-05", "09:00:30", [], .sunday, nil),
          "at 09:00:30 on Monday, every week from 2026-01-05",
          #"{ every = "1 week", from = 2026-01-05, on = ["mon"], at = ["09:00:30"] }"#,
          "every 1 week from 2026-01-05 on Mon at 09:00:30"
        ),
        (
          try make("10 days", "2026-01-05", "00:00", [], .monday, .skip),
          "at 00:00, every 10 days from 2026-01-05",
          #"{ every = "10 days", from = 2026-01-05, at = ["00:00"] }"#,
          "every 10 days from 2026-01-05 at 00:00"
        ),
        (
          try make("1 days", "2026-01-05", "00:00 01:00 02:00 03:00 04:00 05:00 06:30", [], .monday, nil),
          "at 7 times from 00:00 to 06:30, every day from 2026-01-05",
          #"{ every = "1 day", from = 2026-01-05, at = ["00:00", "01:00", "02:00", "03:00", "04:00", "05:00", "06:30"] }"#,
          "every 1 day from 2026-01-05 at 00:00,01:00,02:00,03:00,04:00,05:00,06:30"
        ),
        (
          try make("3 months", "2026-01-31", "09:00", [], .monday, .last),
          "at 09:00 on day 31 of the month, every 3 months from 2026-01-31, or on the last day of a month without it",
          #"{ every = "3 months", from = 2026-01-31, short-month = "last", at = ["09:00"] }"#,
          "every 3 months from 2026-01-31 short-month last at 09:00"
        ),
        (
          try make("1 years", "2024-02-29", "09:00", [], .monday, .skip),
          "at 09:00 on day 29 of February, every year from 2024-02-29, not in a month without it",
          #"{ every = "1 year", from = 2024-02-29, short-month = "skip", at = ["09:00"] }"#,
          "every 1 year from 2024-02-29 short-month skip at 09:00"
        ),
      ]
    } catch {
      Issue.record(error)
      return []
    }
  }()

  @Test(arguments: rows.indices) func `a civil rule is put into words`(index: Int) throws {
    let row = Self.rows[index]
    let schedule = CivilSchedule(recurrence: row.rule, zone: try ZoneFiles.zone("Europe/Berlin"))
    let explanation = ScheduleRule.civil(schedule).explanation(from: .epoch, years: 2)
    #expect(explanation.words == row.words + ", in Europe/Berlin")
    #expect(explanation.canonicalForm == row.form)
    #expect(schedule.description == "civil \(row.summary) in Europe/Berlin")
    #expect(explanation.daylightSaving?.hasPrefix("a fixed time of day") == true)
    #expect(ScheduleRule.civil(schedule).portable == nil)
  }

  @Test func `the changes of the clocks that concern the rule are named`() throws {
    let rule = try Self.make("1 weeks", "2027-03-21", "02:30", [.sunday], .monday, nil)
    let schedule = ScheduleRule.civil(.civil(rule, in: try ZoneFiles.zone("Europe/Berlin")))
    let start = try WallInstant(rfc3339: "2027-01-01T00:00:00Z")
    #expect(
      schedule.explanation(from: start, years: 1).changes.map(\.words) == [
        "02:30 does not exist on 2027-03-28 in Europe/Berlin: it runs at 2027-03-28 03:00:00 CEST",
        "02:30 comes twice on 2027-10-31 in Europe/Berlin: it runs the first time",
      ])
    // The weeks between have no change.
    let other = try Self.make("2 weeks", "2027-03-21", "02:30", [.sunday], .monday, nil)
    let quiet = ScheduleRule.civil(.civil(other, in: try ZoneFiles.zone("Europe/Berlin")))
    #expect(quiet.explanation(from: start, years: 1).changes.map(\.kind) == [.fold])
    let skipping = ScheduleRule.civil(
      .civil(
        rule, in: try ZoneFiles.zone("Europe/Berlin"),
        daylightSaving: DaylightSavingPolicy(gap: .skip, fold: .second)))
    #expect(
      skipping.omissions(after: start, through: start + .days(365)).map(\.outcome) == [
        .daylightSavingGap, .daylightSavingFold,
      ])
  }
}
