import Testing
import TimelineCore
import TimelineTestSupport

@Suite struct `Calendar rules in zones` {
  static func schedule(
    _ rule: String, _ zone: String, _ policy: DaylightSavingPolicy = DaylightSavingPolicy()
  ) throws -> CalendarSchedule {
    CalendarSchedule(
      expression: try CalendarExpression(parsing: rule),
      zone: zone == "UTC" ? .utc : try ZoneFiles.zone(zone),
      daylightSaving: policy)
  }

  static let rows: [(zone: String, rule: String, from: String, expected: [String])] = [
    ("UTC", "*-02-29", "2023-01-01T00:00:00Z", ["2024-02-29T00:00:00Z", "2028-02-29T00:00:00Z"]),
    ("UTC", "Mon *-05~07/1", "2026-01-01T00:00:00Z", ["2026-05-25T00:00:00Z", "2027-05-31T00:00:00Z"]),
    (
      "UTC", "*-*~01 23:30", "2027-12-01T00:00:00Z",
      ["2027-12-31T23:30:00Z", "2028-01-31T23:30:00Z", "2028-02-29T23:30:00Z"]
    ),
    (
      "UTC", "*-02~03", "2026-01-01T00:00:00Z",
      ["2026-02-26T00:00:00Z", "2027-02-26T00:00:00Z", "2028-02-27T00:00:00Z"]
    ),
    (
      "UTC", "*:*:00/0.5", "2026-01-01T00:00:59.4Z",
      ["2026-01-01T00:00:59.5Z", "2026-01-01T00:01:00Z", "2026-01-01T00:01:00.5Z"]
    ),
    (
      "UTC", "10:00:23.42/20.17", "2026-01-01T00:00:00Z",
      ["2026-01-01T10:00:23.42Z", "2026-01-01T10:00:43.59Z", "2026-01-02T10:00:23.42Z"]
    ),
    (
      "UTC", "10:00:01.5,01..02,59.999999", "2026-01-01T10:00:01Z",
      [
        "2026-01-01T10:00:01.5Z", "2026-01-01T10:00:02Z", "2026-01-01T10:00:59.999999Z",
        "2026-01-02T10:00:01Z",
      ]
    ),
    ("UTC", "2026-11-21 12:00", "2026-01-01T00:00:00Z", ["2026-11-21T12:00:00Z"]),
    ("UTC", "2010-11-21 12:00", "2026-01-01T00:00:00Z", []),
    ("Europe/Berlin", "02:30", "2026-03-28T12:00:00Z", ["2026-03-29T01:00:00Z", "2026-03-30T00:30:00Z"]),
    ("Europe/Berlin", "02:30", "2026-10-24T12:00:00Z", ["2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z"]),
    (
      "Europe/Berlin", "*:00/30", "2026-10-25T00:00:00Z",
      ["2026-10-25T00:30:00Z", "2026-10-25T01:00:00Z", "2026-10-25T01:30:00Z"]
    ),
    // A step without an end follows real time, a range does not.
    (
      "Europe/Berlin", "00/2:30", "2026-10-24T23:00:00Z",
      ["2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z", "2026-10-25T03:30:00Z"]
    ),
    (
      "Europe/Berlin", "00..22/2:30", "2026-10-24T23:00:00Z",
      ["2026-10-25T00:30:00Z", "2026-10-25T03:30:00Z"]
    ),
    ("Pacific/Apia", "*-12-30", "2011-01-01T00:00:00Z", ["2011-12-30T10:00:00Z", "2012-12-29T10:00:00Z"]),
    ("Africa/Cairo", "daily", "2026-04-23T12:00:00Z", ["2026-04-23T22:00:00Z", "2026-04-24T21:00:00Z"]),
  ]

  @Test(arguments: rows) func `entries are those of the calendar and of the policy`(
    row: (zone: String, rule: String, from: String, expected: [String])
  ) throws {
    let schedule = try Self.schedule(row.rule, row.zone)
    var instant = try WallInstant(rfc3339: row.from)
    var found: [String] = []
    while found.count < max(row.expected.count, 1), let next = schedule.next(after: instant) {
      found.append("\(next)")
      instant = next
    }
    #expect(found == row.expected)
  }

  @Test func `a million instants per second are counted without a visit of each`() throws {
    let schedule = try Self.schedule("*:*:00/0.000001", "UTC")
    let (start, end) = (second(1_000), second(1_000_000_000))
    #expect(schedule.count(after: start, through: end) == 999_999_000_000_000)
    let gap = try Self.schedule("02:*:00/0.000001", "Europe/Berlin", DaylightSavingPolicy(gap: .shift))
    #expect(!gap.expression.fixesTimeOfDay)
    let fixed = try Self.schedule("02:00..59:00/0.000001", "Europe/Berlin", DaylightSavingPolicy(gap: .shift))
    let day = try WallInstant(rfc3339: "2026-03-28T23:00:00Z")
    #expect(fixed.count(after: day - .nanoseconds(1), through: day + .hours(23)) == 3_600_000_000)
  }

  @Test func `omissions of a policy are reported as for cron`() throws {
    let rule = ScheduleRule.calendar(
      try Self.schedule("02:00,30", "Europe/Berlin", DaylightSavingPolicy(gap: .skip, fold: .first)))
    let year = try WallInstant(rfc3339: "2027-01-01T00:00:00Z")
    #expect(
      rule.omissions(after: year, through: year + .days(365)).map(`What changes of the clocks leave out`.text)
        == [
          "2027-03-28T01:00:00Z 2 dst-gap 02:00 to 02:30 do not exist on 2027-03-28 in Europe/Berlin",
          "2027-10-31T01:00:00Z to 2027-10-31T01:30:00Z 2 dst-fold 02:00 to 02:30 come twice on 2027-10-31 in Europe/Berlin and run the first time",
        ])
    #expect(rule.mayOmit)
    #expect(!ScheduleRule.calendar(try Self.schedule("*:00/30", "Europe/Berlin")).mayOmit)
  }

  static let fast: [(rule: String, isFast: Bool)] = [
    ("*:*:*", false), ("*:*:00/0.5", true), ("10:00:00.5", false), ("10:00:01,01.5", true),
    ("*:*:00,59.5", true), ("*:00/2:00,59.5", false), ("*:00,59:00,59.5", true), ("daily", false),
  ]

  @Test(arguments: fast) func `a rule is fast if it can have two entries in a second`(
    row: (rule: String, isFast: Bool)
  ) throws {
    let rule = ScheduleRule.calendar(try Self.schedule(row.rule, "UTC"))
    #expect(rule.hasMoreThanOneEntryPerSecond == row.isFast)
    #expect(!rule.isClosedLoop)
  }

  @Test func `the description of a rule has its zone once`() throws {
    #expect("\(try Self.schedule("daily", "Europe/Berlin"))" == "calendar *-*-* 00:00:00 in Europe/Berlin")
    #expect(
      "\(ScheduleRule.calendar(try Self.schedule("daily UTC", "UTC")))" == "calendar *-*-* 00:00:00 UTC")
  }

  static let seed: UInt64 = 0xCA1D

  /// The same days and times in both languages; cron's own tests look at every minute.
  @Test(arguments: `Cron rules minute by minute`.places) func `a rule of both languages has the same entries`(
    place: (zone: String, change: String)
  ) throws {
    var generator = SeededGenerator(seed: Self.seed)
    let zone = place.zone == "UTC" ? Zone.utc : try ZoneFiles.zone(place.zone)
    let change = try WallInstant(rfc3339: place.change)
    let (start, end) = (change - .minutes(36 * 60), change + .minutes(36 * 60))
    var ruleCount = 0
    while ruleCount < 18 {
      let cron = RandomCronRule(using: &generator)
      guard cron.day.beginsWithStar || cron.weekday.beginsWithStar,
        let expression = try? CronExpression(parsing: "\(cron)")
      else { continue }
      ruleCount += 1
      let text = Self.text(of: cron)
      let (gaps, folds) = (DaylightSavingPolicy.Gap.allCases, DaylightSavingPolicy.Fold.allCases)
      let policy = DaylightSavingPolicy(gap: gaps[ruleCount % 3], fold: folds[ruleCount / 3 % 3])
      let expected = ScheduleRule.cron(
        CronSchedule(expression: expression, zone: zone, daylightSaving: policy))
      let rule = ScheduleRule.calendar(
        CalendarSchedule(
          expression: try CalendarExpression(parsing: text), zone: zone, daylightSaving: policy))
      let name = "\(text) in \(zone) \(policy), seed \(Self.seed)"
      var (instant, back) = (start, end)
      while let next = expected.next(after: instant), next <= end {
        guard rule.next(after: instant) == next else { break }
        instant = next
      }
      #expect(rule.next(after: instant) == expected.next(after: instant), "\(name) after \(instant)")
      while let latest = expected.latest(atOrBefore: back), latest > start {
        guard rule.latest(atOrBefore: back) == latest else { break }
        back = latest - .nanoseconds(1)
      }
      #expect(rule.latest(atOrBefore: back) == expected.latest(atOrBefore: back), "\(name) before \(back)")
      #expect(rule.count(after: start, through: end) == expected.count(after: start, through: end), "\(name)")
      #expect(
        rule.omissions(after: start, through: end) == expected.omissions(after: start, through: end),
        "\(name)")
    }
  }

  /// A cron rule with one field of its days as a star, in the other language.
  static func text(of cron: RandomCronRule) -> String {
    let names = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    let weekdays = Set(cron.weekday.numbers.map { $0 % 7 }).sorted().map { names[$0] }.joined(separator: ",")
    return "\(weekdays) *-\(list(cron.month))-\(list(cron.day)) \(list(cron.hour)):\(list(cron.minute))"
  }

  private static func list(_ field: RandomCronRule.Field) -> String {
    guard field.beginsWithStar else { return field.numbers.sorted().map(String.init).joined(separator: ",") }
    let step = field.text.dropFirst(2)
    return step.isEmpty || step == "1" ? "*" : "\(field.numbers.min() ?? 0)/\(step)"
  }
}
