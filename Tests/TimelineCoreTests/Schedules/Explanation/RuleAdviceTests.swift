import Testing
import TimelineCore

/// Advice about rules: what it proposes is a rule, and each warning holds.
@Suite struct `Advice about rules` {
  /// Every text that the tests of dialects refuse.
  private static let refused =
    `Rules of other schedulers`.crons.map(\.text) + `Rules of other schedulers`.calendars.map(\.text)

  /// The values that `help` gives a key: what stands in quotes behind `key = `.
  private static func values(of key: String, in help: String) throws -> [String] {
    try help.matches(of: Regex("\\b\(key) = \"([^\"]*)\"")).compactMap {
      $0.output[1].substring.map(String.init)
    }
  }

  private static func help(_ text: String) -> [String] {
    var help: [String] = []
    do throws(TextError) { _ = try CronExpression(parsing: text) } catch { help += error.help }
    do throws(TextError) { _ = try CalendarExpression(parsing: text) } catch { help += error.help }
    return help
  }

  @Test(arguments: refused) func `a hint proposes only valid rules`(text: String) throws {
    for help in Self.help(text) {
      for rule in try Self.values(of: "cron", in: help) where rule != "@reboot" {
        #expect(throws: Never.self) { try CronExpression(parsing: rule) }
      }
      for rule in try Self.values(of: "calendar", in: help) {
        #expect(throws: Never.self) { try CalendarExpression(parsing: rule) }
      }
      for length in try Self.values(of: "by", in: help) + Self.values(of: "jitter", in: help) {
        #expect(throws: Never.self) { try ElapsedTime(parsing: length) }
      }
    }
  }

  static let warnings: [(rule: String, message: String?, help: [String])] = [
    (
      "* */4 * * *", "\"*\" in the minute means 60 times in each hour of the rule",
      [
        "the rule runs every minute of hours 0, 4, 8, 12, 16 and 20 on every day",
        "for once an hour write { cron = \"0 */4 * * *\" }",
      ]
    ),
    (
      "* 2 * * *", "\"*\" in the minute means 60 times in each hour of the rule",
      [
        "the rule runs every minute of hour 2 on every day",
        "for once an hour write { cron = \"0 2 * * *\" }",
      ]
    ),
    (
      "*/1 3 * * *", "\"*/1\" in the minute means 60 times in each hour of the rule",
      [
        "the rule runs every minute of hour 3 on every day",
        "for once an hour write { cron = \"0 3 * * *\" }",
      ]
    ),
    (
      "0-59 3 * * *", "\"0-59\" in the minute means 60 times in each hour of the rule",
      [
        "the rule runs every minute of hour 3 on every day",
        "for once an hour write { cron = \"0 3 * * *\" }",
      ]
    ),
    (
      "0 * 3 * * *", "\"*\" in the minute means 60 times in each hour of the rule",
      [
        "the rule runs every minute of hour 3 on every day",
        "for once an hour write { cron = \"0 0 3 * * *\" }",
      ]
    ),
    (
      "* * 3 * * *", "\"*\" in the minute means 3600 times in each hour of the rule",
      [
        "the rule runs every second, every minute of hour 3 on every day",
        "for once an hour write { cron = \"0 0 3 * * *\" }",
      ]
    ),
    ("*/10 * 3 * * *", nil, []), ("* * * * * *", nil, []), ("*/2 3 * * *", nil, []),
    ("0-58 3 * * *", nil, []),
    ("* 9-17 * * *", nil, []), ("* 22,23,0 * * *", nil, []), ("* * * * *", nil, []), ("0 2 * * *", nil, []),
    (
      "0 0 31W * *", "\"31W\" means no day in February, April, June, September and November",
      ["\"LW\" is the last workday of every month"]
    ),
    ("0 0 15W * *", nil, []), ("0 0 31W 1,3 *", nil, []), ("0 0 31W,L * *", nil, []),
    ("0 0 31W * 1", nil, []),
    (
      "0 8 * * mon-2", "\"mon-2\" means MON to TUE",
      [
        "for these days write \"MON-TUE\"",
        "the last MON of the month is MONL, the one before it is { calendar = \"Mon *-*~08..14 08:00\" }",
      ]
    ),
    ("0 8 * * mon-tue", nil, []), ("0 8 * * 1-2", nil, []), ("0 8 1-2 * *", nil, []),
    (
      "0 0 29W * *", "\"29W\" means no day in February of most years",
      ["\"LW\" is the last workday of every month"]
    ),
  ]

  @Test(arguments: warnings) func `a cron rule is warned about`(
    row: (rule: String, message: String?, help: [String])
  ) {
    let warnings = CronExpression.warnings(in: row.rule)
    #expect(warnings.map(\.message) == (row.message.map { [$0] } ?? []))
    #expect(warnings.flatMap(\.help) == row.help)
  }

  static let lists: [(rule: String, message: String?, help: [String])] = [
    (
      "8:00,20:00", "\"8:00,20:00\" means 08:00 and 08:20",
      [
        "for 08:00 and 20:00 write { calendar = \"08,20:00\" }",
        "the numbers behind the comma are a minute and a second: for both times write { any = [{ calendar = \"08:00\" }, { calendar = \"20:00\" }] }",
      ]
    ),
    (
      "Mon..Fri 8:00,20:30 UTC", "\"8:00,20:30\" means 08:00:30 and 08:20:30",
      [
        "the numbers behind the comma are a minute and a second: for both times write { any = [{ calendar = \"Mon..Fri 08:00 UTC\" }, { calendar = \"Mon..Fri 20:30 UTC\" }] }"
      ]
    ),
    ("8,20:00", nil, []), ("*:00,30:00", nil, []), ("9:00,15", nil, []), ("9:00,30:00", nil, []),
  ]

  @Test(arguments: lists) func `a list of minutes that looks like times is warned about`(
    row: (rule: String, message: String?, help: [String])
  ) throws {
    let warnings = CalendarExpression.warnings(in: row.rule)
    #expect(warnings.map(\.message) == (row.message.map { [$0] } ?? []))
    #expect(warnings.flatMap(\.help) == row.help)
    for help in row.help {
      for rule in try Self.values(of: "calendar", in: help) {
        #expect(throws: Never.self) { try CalendarExpression(parsing: rule) }
      }
    }
  }

  static let days: [(rule: String, day: String?)] = [
    ("*/15 2 * * 0", "2027-03-28"), ("*/15 2,4 * * 0", nil), ("0-45/15 2 * * 0", nil), ("*/15 * * * *", nil),
    ("*/15 2 * * 1", nil), ("* 2 28 3 *", "2027-03-28"),
  ]

  @Test(arguments: days) func `a day that a gap leaves without an entry is found`(
    row: (rule: String, day: String?)
  ) throws {
    let start = try WallInstant(rfc3339: "2026-11-28T00:00:00Z")
    let rule = ScheduleRule.cron(try `Cron rules in zones`.schedule(row.rule, "Europe/Berlin"))
    let change = rule.emptyDay(after: start, years: 3)
    #expect(change.map { String($0.instant.description.prefix(10)) } == row.day)
    guard let change else { return }
    let next = try #require(rule.next(after: change.instant - .nanoseconds(1)))
    #expect(change.words.hasSuffix("goes on at \(next.text(in: try ZoneFiles.zone("Europe/Berlin")))"))
  }

  @Test func `the same rule with numbers for each star has a fixed time`() throws {
    let rule = try CronExpression(parsing: "*/15 2 * * 0").atFixedTimes
    #expect(rule.description == "0-45/15 2 * * 0" && rule.fixesTimeOfDay)
    #expect(try CronExpression(parsing: rule.description) == rule)
  }

  @Test func `an interval of a day names the changes that move its local time`() throws {
    let zone = try ZoneFiles.zone("Europe/Berlin")
    let start = try WallInstant(rfc3339: "2027-01-01T00:00:00Z")
    for (length, count) in [
      (ElapsedTime.days(1), 2), (.days(14), 2), (.hours(12), 2), (.hours(1), 0), (.seconds(7), 0),
    ] {
      let rule = ScheduleRule.periodic(try PeriodicSchedule(from: .epoch, by: length))
      let changes = rule.explanation(from: start, years: 1, on: zone).changes
      #expect(changes.count == count, "\(length)")
      #expect(
        rule.explanation(from: start, years: 1, on: zone).daylightSaving
          == (count == 0 ? nil : "an interval of elapsed time; clock changes move its local times"))
      for change in changes { #expect(change.entries.allSatisfy { rule.latest(atOrBefore: $0) == $0 }) }
      #expect(rule.explanation(from: start, years: 1).changes.isEmpty)
    }
    let daily = ScheduleRule.periodic(try PeriodicSchedule(from: .epoch, by: .days(1)))
    #expect(
      daily.explanation(from: start, years: 1, on: zone).changes.first?.words
        == "the interval is elapsed time: an entry at 01:00 before is at 02:00 from 2027-03-29 02:00:00 CEST on"
    )
  }
}
