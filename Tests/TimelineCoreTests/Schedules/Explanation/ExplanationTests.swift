import Testing
import TimelineCore
import TimelineTestSupport

@Suite struct `Rules in words` {
  static let crons: [(rule: String, words: String)] = [
    ("30 2 * * *", "at 02:30 on every day"), ("* * * * *", "every minute on every day"),
    ("*/15 * * * *", "every 15 minutes on every day"), ("0 * * * *", "every hour on every day"),
    ("5 * * * *", "at minute 5 of every hour on every day"),
    ("0 8,18 * * 1-5", "at 08:00 and 18:00 on Monday to Friday"),
    ("0 9-17 * * mon-fri", "at minute 0 of hours 9 to 17 on Monday to Friday"),
    ("*/10 9 * * *", "at 09:00, 09:10, 09:20, 09:30, 09:40 and 09:50 on every day"),
    ("*/5 9,10 * * *", "every 5 minutes of hours 9 and 10 on every day"),
    ("* */4 * * *", "every minute of hours 0, 4, 8, 12, 16 and 20 on every day"),
    ("30 */2 * * *", "at minute 30 of every 2 hours on every day"),
    ("0 0 1 1 *", "at 00:00 on day 1 of the month in January"),
    ("0 0 13 * 5", "at 00:00 on day 13 of the month or on Friday"),
    ("0 0 1-7 * */7", "at 00:00 on day 1 to 7 of the month, if it is Sunday"),
    ("0 0 L,15W * *", "at 00:00 on the last day and the workday nearest to day 15 of the month"),
    ("0 0 LW * *", "at 00:00 on the last workday of the month"),
    ("0 0 * * 5L,1#2", "at 00:00 on the last Friday and the second Monday"),
    ("0 0 * 6-8,12 0,6", "at 00:00 on Saturday and Sunday in June to August and December"),
    ("15 30 2 * * *", "at 02:30:15 on every day"),
    ("*/20 30 2 * * *", "every 20 seconds, at 02:30 on every day"),
    ("* * * * * *", "every second, every minute on every day"),
    ("1,2 30 2 * * *", "at seconds 1 and 2, at 02:30 on every day"),
    ("30 0 * * * *", "at second 30 of minute 0 of every hour on every day"),
  ]

  static let calendars: [(rule: String, words: String)] = [
    ("daily", "at 00:00 on every day"), ("hourly", "every hour on every day"),
    ("Mon..Fri 08:00", "at 08:00 on Monday to Friday"), ("*:00/15", "every 15 minutes on every day"),
    ("*-*~01 23:30", "at 23:30 on the last day of the month"),
    ("Mon *-05~07/1", "at 00:00 on the last 7 days of the month, if it is Monday in May"),
    ("2026-12-24 18:00", "at 18:00 on day 24 of the month in December in the year 2026"),
    ("quarterly", "at 00:00 on day 1 of the month in January, April, July and October"),
    ("*:*:00/0.5", "every 500ms, every minute on every day"),
    ("*:*:*", "every second, every minute on every day"),
    ("10:00:01.5", "at second 1.5, at 10:00 on every day"),
    ("*-*-1..7/2 12:00:30", "at 12:00:30 on day 1, 3, 5 and 7 of the month"),
    ("Sat *-*~7/1", "at 00:00 on the last 7 days of the month, if it is Saturday"),
    ("*-*~9/4", "at 00:00 on day 1, 5 and 9 from the end of the month"),
    ("00:00:01.5/0.25", "every 250ms from second 1.5 on, at 00:00 on every day"),
    (
      "00:00:1,2.25,10..20,30..40/5",
      "at second 1, 2.25 and 10 to 20 and every 5s from second 30 to 40, at 00:00 on every day"
    ),
    ("2020..2030/2-*-*", "at 00:00 on every day in every 2 years from 2020 to 2030"),
    (
      "2026,2028..2030,2040/5-1-1",
      "at 00:00 on day 1 of the month in January in the years 2026 and 2028 to 2030 and every 5 years from 2040 on"
    ),
  ]

  @Test(arguments: crons) func `a cron rule is put into words`(row: (rule: String, words: String)) throws {
    let schedule = try `Cron rules in zones`.schedule(row.rule, "UTC")
    #expect(ScheduleRule.cron(schedule).explanation(from: .epoch, years: 2).words == "\(row.words), in UTC")
  }

  @Test(arguments: calendars) func `a calendar rule is put into words`(row: (rule: String, words: String))
    throws
  {
    let schedule = try `Calendar rules in zones`.schedule(row.rule, "UTC")
    let explanation = ScheduleRule.calendar(schedule).explanation(from: .epoch, years: 2)
    #expect(explanation.words == "\(row.words), in UTC")
    #expect(explanation.canonicalForm == schedule.expression.description)
    #expect(explanation.changes.isEmpty && explanation.daylightSaving == nil)
  }

  static let policies: [(gap: DaylightSavingPolicy.Gap, fold: DaylightSavingPolicy.Fold, changes: [String])] =
    [
      (
        .runAtEnd, .first,
        [
          "gap 1 02:30 does not exist on 2027-03-28 in Europe/Berlin: it runs at 2027-03-28 03:00:00 CEST [2027-03-28T01:00:00Z]",
          "fold 1 02:30 comes twice on 2027-10-31 in Europe/Berlin: it runs the first time [2027-10-31T00:30:00Z]",
        ]
      ),
      (
        .shift, .second,
        [
          "gap 1 02:30 does not exist on 2027-03-28 in Europe/Berlin: it runs as long after midnight as on other days [2027-03-28T01:30:00Z]",
          "fold 1 02:30 comes twice on 2027-10-31 in Europe/Berlin: it runs the second time [2027-10-31T01:30:00Z]",
        ]
      ),
      (
        .skip, .both,
        [
          "gap 1 02:30 does not exist on 2027-03-28 in Europe/Berlin: it does not run []",
          "fold 1 02:30 comes twice on 2027-10-31 in Europe/Berlin: it runs both times [2027-10-31T00:30:00Z, 2027-10-31T01:30:00Z]",
        ]
      ),
    ]

  static func text(_ change: ClockChangeEffect) -> String {
    "\(change.kind.rawValue) \(change.timeCount) \(change.words) [\(change.entries.map(\.description).joined(separator: ", "))]"
  }

  @Test(arguments: policies) func `every clock change is described with the effect of the policy`(
    row: (gap: DaylightSavingPolicy.Gap, fold: DaylightSavingPolicy.Fold, changes: [String])
  ) throws {
    let policy = DaylightSavingPolicy(gap: row.gap, fold: row.fold)
    let start = try WallInstant(rfc3339: "2027-01-01T00:00:00Z")
    let cron = ScheduleRule.cron(try `Cron rules in zones`.schedule("30 2 * * *", "Europe/Berlin", policy))
    #expect(cron.explanation(from: start, years: 1).changes.map(Self.text) == row.changes)
    let calendar = ScheduleRule.calendar(
      try `Calendar rules in zones`.schedule("02:30", "Europe/Berlin", policy))
    #expect(calendar.explanation(from: start, years: 1).changes.map(Self.text) == row.changes)
    #expect(calendar.explanation(from: start, years: 2).changes.count == 4)
    #expect(calendar.explanation(from: start, years: 0).changes.isEmpty)
  }

  @Test func `the explanation of a rule that follows real time states this`() throws {
    let start = try WallInstant(rfc3339: "2027-01-01T00:00:00Z")
    let rule = ScheduleRule.cron(try `Cron rules in zones`.schedule("*/30 * * * *", "Europe/Berlin"))
    let explanation = rule.explanation(from: start, years: 1)
    #expect(
      explanation.daylightSaving
        == "follows real time; a time that clocks skip has no entry; one that comes twice runs both times")
    #expect(
      explanation.changes.map(Self.text) == [
        "gap 2 02:00 to 02:30 do not exist on 2027-03-28 in Europe/Berlin: the rule follows real time and goes on at 2027-03-28 03:00:00 CEST []",
        "fold 2 02:00 to 02:30 come twice on 2027-10-31 in Europe/Berlin: the rule follows real time and runs both times [2027-10-31T00:00:00Z, 2027-10-31T00:30:00Z, 2027-10-31T01:00:00Z, 2027-10-31T01:30:00Z]",
      ])
    let minute = ScheduleRule.everyMinute(EveryMinuteSchedule(zone: try ZoneFiles.zone("Europe/Berlin")))
    #expect(
      minute.explanation(from: start, years: 1).daylightSaving
        == "an interval; clock changes do not affect it")
  }

  @Test func `a composed rule is described with its parts and conditions`() throws {
    let schedule = try `Unions, windows and exclusions`.schedule(
      ["30 2 * * *", "0 12 * * *"], only: ["Mon..Fri"], except: ["2027-12-24"]
    ) {
      $0.starts = try WallInstant(rfc3339: "2027-06-01T00:00:00Z")
    }
    let explanation = ScheduleRule.composed(schedule).explanation(
      from: try WallInstant(rfc3339: "2027-01-01T00:00:00Z"), years: 1)
    #expect(
      explanation.words
        == "at 02:30 on every day, in Europe/Berlin; or at 12:00 on every day, in Europe/Berlin; only Monday to Friday, except 2027-12-24, from 2027-06-01T00:00:00Z, on clocks in Europe/Berlin"
    )
    #expect(
      explanation.daylightSaving
        == "a fixed time of day; a time that clocks skip runs once, when the gap ends; one that comes twice runs the first time"
    )
    // Clock changes are on Sundays.
    #expect(explanation.changes.isEmpty)
    #expect(explanation.canonicalForm == nil)
  }

  @Test func `holidays are described with their last known day`() throws {
    func words(_ days: Int...) throws -> String {
      let list = HolidayList(
        name: "office", dates: try days.map { try #require(CivilDate(year: 2026, month: 12, day: $0)) })
      let schedule = try `Unions, windows and exclusions`.schedule(["0 9 * * *"], zone: "UTC") {
        $0.except = [CivilWindow(holidays: list)]
      }
      return ScheduleRule.composed(schedule).explanation(from: .epoch, years: 1).words
    }
    #expect(
      try words(26, 24)
        == "at 09:00 on every day, in UTC; except the holidays office (the last known day is 2026-12-26), on clocks in UTC"
    )
    #expect(try words() == "at 09:00 on every day, in UTC; except the holidays office, on clocks in UTC")
  }

  static let windows: [(rule: String, only: [String], except: [String], kinds: [ClockChangeEffect.Kind])] = [
    ("30 2 * * *", [], [], [.gap, .fold]), ("30 2 * * *", ["Mon..Fri"], [], []),
    ("30 2 * * *", ["Mon..Sun"], ["2027-03-28"], [.gap, .fold]),
    ("30 2 * * *", ["02:00-03:00"], [], [.gap, .fold]),
    ("30 2 * * *", [], ["03:00-04:00"], [.gap, .fold]), ("*/30 * * * *", ["Sat,Sun"], [], [.gap, .fold]),
    ("*/5 * * * *", ["Sun 02:45-03:30"], [], [.gap, .fold]), ("*/30 * * * *", [], ["Sun"], []),
    ("*/30 * * * *", ["02:00-03:00"], [], [.gap, .fold]), ("30 2 * * *", ["03:00-04:00"], [], [.gap]),
  ]

  @Test(arguments: windows) func `a change within closed windows is not reported`(
    row: (rule: String, only: [String], except: [String], kinds: [ClockChangeEffect.Kind])
  ) throws {
    let schedule = try `Unions, windows and exclusions`.schedule(
      [row.rule], only: row.only, except: row.except)
    let explanation = ScheduleRule.composed(schedule).explanation(
      from: try WallInstant(rfc3339: "2027-01-01T00:00:00Z"), years: 1)
    #expect(explanation.changes.map(\.kind) == row.kinds)
  }

  static let leftOut: [(rule: String, only: [String], except: [String], words: String, isLeftOut: Bool)] = [
    (
      "30 2 * * *", ["02:00-03:00"], [],
      "02:30 does not exist on 2027-03-28 in Europe/Berlin: the run at 2027-03-28 03:00:00 CEST is left out (outside \"02:00-03:00\")",
      true
    ),
    (
      "30 2,12 * * *", [], ["03:00-04:00"],
      "02:30 does not exist on 2027-03-28 in Europe/Berlin: the run at 2027-03-28 03:00:00 CEST is left out (within \"03:00-04:00\")",
      false
    ),
    (
      "*/30 * * * *", ["02:00-03:00"], [],
      "02:00 to 02:30 do not exist on 2027-03-28 in Europe/Berlin: the rule follows real time and goes on at 2027-03-29 02:00:00 CEST; windows let nothing else of that day through",
      true
    ),
    (
      "30 2 * * *", [], ["2027-03-28"],
      "02:30 does not exist on 2027-03-28 in Europe/Berlin: it does not run, within \"2027-03-28\"", false
    ),
    (
      "*/30 * * * *", ["02:00-05:00"], [],
      "02:00 to 02:30 do not exist on 2027-03-28 in Europe/Berlin: the rule follows real time and goes on at 2027-03-28 03:00:00 CEST",
      false
    ),
  ]

  @Test(arguments: leftOut) func `a day on which a change leaves no run is reported`(
    row: (rule: String, only: [String], except: [String], words: String, isLeftOut: Bool)
  ) throws {
    let schedule = try `Unions, windows and exclusions`.schedule(
      [row.rule], only: row.only, except: row.except)
    let change = try #require(
      ScheduleRule.composed(schedule).explanation(
        from: try WallInstant(rfc3339: "2027-01-01T00:00:00Z"), years: 1
      ).changes.first)
    #expect(change.kind == .gap)
    #expect(change.words == row.words)
    #expect(change.isLeftOut == row.isLeftOut)
  }

  @Test func `the words of a rule have no signs of the rule's language`() throws {
    var generator = SeededGenerator(seed: 0x0307)
    var count = 0
    while count < 400 {
      let text = RandomCalendarText.mutated(using: &generator)
      guard let rule = try? CalendarExpression(parsing: text), rule.zoneName == nil else { continue }
      count += 1
      let schedule = CalendarSchedule(expression: rule, zone: .utc)
      Self.checkWords(of: .calendar(schedule), text)
      let windows = ["Mon..Fri 08:00-18:00", "2027-01-01..2027-12-31"].compactMap {
        try? CivilWindow(parsing: $0)
      }
      var conditions = ComposedSchedule.Conditions()
      conditions.except = windows
      if let composed = try? ComposedSchedule([.calendar(schedule)], conditions: conditions, zone: .utc) {
        Self.checkWords(of: .composed(composed), text)
      }
    }
    for _ in 0..<400 {
      let fields = [0..<60, 0..<24, 1..<32, 1..<13, 0..<7].map { range -> String in
        let low = Int.random(in: range, using: &generator)
        let high = Int.random(in: low..<range.upperBound, using: &generator)
        let step = Int.random(in: 1..<70, using: &generator)
        return ["*", "*/\(step)", "\(low)", "\(low)-\(high)", "\(low)-\(high)/\(step)", "\(low),\(high)"]
          .randomElement(using: &generator) ?? "*"
      }
      let text = fields.joined(separator: " ")
      guard let rule = try? CronExpression(parsing: text) else { continue }
      Self.checkWords(of: .cron(CronSchedule(expression: rule, zone: .utc)), text)
    }
  }

  private static func checkWords(of rule: ScheduleRule, _ text: String) {
    let words = rule.explanation(from: .epoch, years: 0).words
    let signs = ["~", "..", "/", "*", "#", "?"].filter { words.contains($0) }
    #expect(signs.isEmpty, "\(text): \(words)")
    // A "-" is only part of a date.
    #expect(words.replacing(/\d{4}-\d\d-\d\d/, with: "").contains("-") == false, "\(text): \(words)")
  }
}
