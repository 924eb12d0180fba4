import Testing
import TimelineCore

@Suite struct `Cron rules in zones` {
  static func schedule(
    _ rule: String, _ zone: String, _ policy: DaylightSavingPolicy = DaylightSavingPolicy()
  ) throws
    -> CronSchedule
  {
    CronSchedule(
      expression: try CronExpression(parsing: rule), zone: zone == "UTC" ? .utc : try ZoneFiles.zone(zone),
      daylightSaving: policy)
  }

  /// The civil times of the entries in UTC after an instant.
  static func entries(_ schedule: CronSchedule, after start: String, count: Int) throws -> [String] {
    var instant = try WallInstant(rfc3339: start)
    var entries: [String] = []
    while entries.count < count, let next = schedule.next(after: instant) {
      entries.append("\(next)".replacing(":00Z", with: "").replacing("T00:00", with: ""))
      instant = next
    }
    return entries
  }

  static let calendar: [(rule: String, from: String, expected: [String])] = [
    ("0 0 29 2 *", "2023-01-01T00:00:00Z", ["2024-02-29", "2028-02-29", "2032-02-29"]),
    ("0 0 29 2 *", "2096-03-01T00:00:00Z", ["2104-02-29", "2108-02-29"]),
    ("0 0 29 2 *", "1999-03-01T00:00:00Z", ["2000-02-29", "2004-02-29"]),
    ("0 0 29 2 */7", "2026-01-01T00:00:00Z", ["2032-02-29", "2060-02-29", "2088-02-29", "2128-02-29"]),
    ("0 0 L * *", "2026-01-01T00:00:00Z", ["2026-01-31", "2026-02-28", "2026-03-31", "2026-04-30"]),
    ("0 0 L 2 *", "2027-03-01T00:00:00Z", ["2028-02-29", "2029-02-28"]),
    (
      "0 0 LW * *", "2026-01-01T00:00:00Z",
      ["2026-01-30", "2026-02-27", "2026-03-31", "2026-04-30", "2026-05-29"]
    ),
    (
      "0 0 15W * *", "2026-01-01T00:00:00Z",
      ["2026-01-15", "2026-02-16", "2026-03-16", "2026-04-15", "2026-05-15"]
    ),
    ("0 0 1W * *", "2026-07-15T00:00:00Z", ["2026-08-03", "2026-09-01", "2026-10-01", "2026-11-02"]),
    ("0 0 31W * *", "2026-01-01T00:00:00Z", ["2026-01-30", "2026-03-31", "2026-05-29", "2026-07-31"]),
    ("0 0 * * 5L", "2026-01-01T00:00:00Z", ["2026-01-30", "2026-02-27", "2026-03-27"]),
    ("0 0 * * 5#2", "2026-01-01T00:00:00Z", ["2026-01-09", "2026-02-13", "2026-03-13"]),
    ("0 0 * * 5#5", "2026-01-01T00:00:00Z", ["2026-01-30", "2026-05-29", "2026-07-31"]),
    (
      "0 0 13 * 5", "2026-02-01T00:00:00Z",
      ["2026-02-06", "2026-02-13", "2026-02-20", "2026-02-27", "2026-03-06"]
    ),
    ("0 0 */13 * 5", "2026-02-01T00:00:00Z", ["2026-02-27", "2026-03-27", "2026-05-01"]),
    ("0 0 1-7 * */7", "2026-01-01T00:00:00Z", ["2026-01-04", "2026-02-01", "2026-03-01"]),
    (
      "0 0 30 2 1", "2026-01-31T00:00:00Z",
      ["2026-02-02", "2026-02-09", "2026-02-16", "2026-02-23", "2027-02-01"]
    ),
    ("30 2 * * *", "2026-12-31T02:30:00Z", ["2027-01-01T02:30", "2027-01-02T02:30"]),
    ("30 2 * * *", "2026-12-31T02:29:59.999999999Z", ["2026-12-31T02:30", "2027-01-01T02:30"]),
    (
      "*/20 30 2 * * *", "2026-06-01T02:30:20Z",
      ["2026-06-01T02:30:40Z", "2026-06-02T02:30", "2026-06-02T02:30:20Z"]
    ),
    ("59 59 23 31 12 *", "2026-01-01T00:00:00Z", ["2026-12-31T23:59:59Z", "2027-12-31T23:59:59Z"]),
    ("0 0 1 1 *", "1900-06-01T00:00:00Z", ["1901-01-01", "1902-01-01"]),
    ("0 0 * * 0", "1965-01-01T00:00:00Z", ["1965-01-03", "1965-01-10"]),
    ("@hourly", "2026-01-01T22:00:00Z", ["2026-01-01T23:00", "2026-01-02", "2026-01-02T01:00"]),
    ("0 0 29 2 */7", "2230-01-01T00:00:00Z", ["2252-02-29"]),
  ]

  @Test(arguments: calendar)
  func `the calendar is kept in UTC`(row: (rule: String, from: String, expected: [String])) throws {
    let schedule = try Self.schedule(row.rule, "UTC")
    #expect(try Self.entries(schedule, after: row.from, count: row.expected.count) == row.expected)
  }

  /// Zone, rule and a day around a change, and the UTC times of the entries on that local day.
  static let changes: [(zone: String, rule: String, from: String, expected: [String])] = [
    ("Europe/Berlin", "30 2 * * *", "2026-03-28T12:00:00Z", ["2026-03-29T01:00", "2026-03-30T00:30"]),
    ("Europe/Berlin", "0,15,30,45 2 * * *", "2026-03-28T12:00:00Z", ["2026-03-29T01:00", "2026-03-30"]),
    (
      "Europe/Berlin", "30 2,3 * * *", "2026-03-28T12:00:00Z",
      ["2026-03-29T01:00", "2026-03-29T01:30", "2026-03-30T00:30"]
    ),
    (
      "Europe/Berlin", "0 2,3 * * *", "2026-03-28T12:00:00Z",
      ["2026-03-29T01:00", "2026-03-30", "2026-03-30T01:00"]
    ),
    ("Europe/Berlin", "30 2 * * *", "2026-10-24T12:00:00Z", ["2026-10-25T00:30", "2026-10-26T01:30"]),
    (
      "Europe/Berlin", "30 2,3 * * *", "2026-10-24T12:00:00Z",
      ["2026-10-25T00:30", "2026-10-25T02:30", "2026-10-26T01:30"]
    ),
    (
      "Europe/Berlin", "30 */2 * * *", "2026-10-24T23:00:00Z",
      ["2026-10-25T00:30", "2026-10-25T01:30", "2026-10-25T03:30"]
    ),
    (
      "Europe/Berlin", "30 * * * *", "2026-03-29T00:00:00Z",
      ["2026-03-29T00:30", "2026-03-29T01:30", "2026-03-29T02:30"]
    ),
    ("America/New_York", "30 2 * * *", "2026-03-07T12:00:00Z", ["2026-03-08T07:00", "2026-03-09T06:30"]),
    ("America/New_York", "30 1 * * *", "2026-10-31T12:00:00Z", ["2026-11-01T05:30", "2026-11-02T06:30"]),
    ("Australia/Lord_Howe", "15 2 * * *", "2026-10-03T00:00:00Z", ["2026-10-03T15:30", "2026-10-04T15:15"]),
    ("Australia/Lord_Howe", "45 1 * * *", "2026-04-04T00:00:00Z", ["2026-04-04T14:45", "2026-04-05T15:15"]),
    ("America/Santiago", "30 0 * * *", "2026-09-05T12:00:00Z", ["2026-09-06T04:00", "2026-09-07T03:30"]),
    ("America/Santiago", "30 23 * * *", "2026-04-04T12:00:00Z", ["2026-04-05T02:30", "2026-04-06T03:30"]),
    ("Africa/Cairo", "0 0 * * *", "2026-04-23T12:00:00Z", ["2026-04-23T22:00", "2026-04-24T21:00"]),
    ("Africa/Cairo", "0 0 * * 5", "2026-04-23T12:00:00Z", ["2026-04-23T22:00", "2026-04-30T21:00"]),
    ("Africa/Cairo", "30 23 * * *", "2026-10-29T12:00:00Z", ["2026-10-29T20:30", "2026-10-30T21:30"]),
    ("Africa/Casablanca", "30 2 * * *", "2026-02-14T12:00:00Z", ["2026-02-15T01:30", "2026-02-16T02:30"]),
    ("Africa/Casablanca", "30 2 * * *", "2026-03-21T12:00:00Z", ["2026-03-22T02:00", "2026-03-23T01:30"]),
    (
      "Pacific/Apia", "30 2 * * *", "2011-12-29T00:00:00Z",
      ["2011-12-29T12:30", "2011-12-30T10:00", "2011-12-30T12:30"]
    ),
    ("Pacific/Apia", "0 0 30 12 *", "2011-01-01T00:00:00Z", ["2011-12-30T10:00", "2012-12-29T10:00"]),
    (
      "Pacific/Apia", "0 0 * * *", "2011-12-29T00:00:00Z",
      ["2011-12-29T10:00", "2011-12-30T10:00", "2011-12-31T10:00"]
    ),
    ("America/Sao_Paulo", "0 0 * * *", "2018-11-03T12:00:00Z", ["2018-11-04T03:00", "2018-11-05T02:00"]),
    ("America/Sao_Paulo", "30 0 4 11 *", "2018-01-01T00:00:00Z", ["2018-11-04T03:00", "2019-11-04T03:30"]),
    (
      "Asia/Kathmandu", "0 0 * * *", "1985-12-30T12:00:00Z",
      ["1985-12-30T18:30", "1985-12-31T18:30", "1986-01-01T18:15"]
    ),
    ("Europe/London", "30 1 * * *", "2026-03-28T12:00:00Z", ["2026-03-29T01:00", "2026-03-30T00:30"]),
    ("Australia/Sydney", "30 2 * * *", "2026-04-04T00:00:00Z", ["2026-04-04T15:30", "2026-04-05T16:30"]),
  ]

  @Test(arguments: changes) func `a fixed time of the day comes once on every day`(
    row: (zone: String, rule: String, from: String, expected: [String])
  ) throws {
    let schedule = try Self.schedule(row.rule, row.zone)
    #expect(try Self.entries(schedule, after: row.from, count: row.expected.count) == row.expected)
  }

  static let policies:
    [(gap: DaylightSavingPolicy.Gap, fold: DaylightSavingPolicy.Fold, rule: String, expected: [String])] = [
      (.runAtEnd, .first, "30 2 * * *", ["2026-03-29T01:00", "2026-03-30T00:30"]),
      (.shift, .first, "30 2 * * *", ["2026-03-29T01:30", "2026-03-30T00:30"]),
      (.skip, .first, "30 2 * * *", ["2026-03-30T00:30", "2026-03-31T00:30"]),
      (.shift, .first, "15,30 2,3 * * *", ["2026-03-29T01:15", "2026-03-29T01:30", "2026-03-30T00:15"]),
      (.shift, .first, "15 2,3 * * *", ["2026-03-29T01:15", "2026-03-30T00:15", "2026-03-30T01:15"]),
      (.shift, .first, "15 2-4 * * *", ["2026-03-29T01:15", "2026-03-29T02:15", "2026-03-30T00:15"]),
      (.shift, .first, "0 2 * * *", ["2026-03-29T01:00", "2026-03-30"]),
      (.runAtEnd, .first, "30 2 25 10 *", ["2026-10-25T00:30", "2027-10-25T00:30"]),
      (.runAtEnd, .second, "30 2 25 10 *", ["2026-10-25T01:30", "2027-10-25T00:30"]),
      (.runAtEnd, .both, "30 2 25 10 *", ["2026-10-25T00:30", "2026-10-25T01:30", "2027-10-25T00:30"]),
      (
        .runAtEnd, .both, "15,45 2 25 10 *",
        ["2026-10-25T00:15", "2026-10-25T00:45", "2026-10-25T01:15", "2026-10-25T01:45"]
      ),
      (
        .runAtEnd, .second, "0,59 1-3 25 10 *",
        ["2026-10-24T23:00", "2026-10-24T23:59", "2026-10-25T01:00", "2026-10-25T01:59", "2026-10-25T02:00"]
      ),
      (
        .skip, .second, "*/30 2 25 10 *",
        ["2026-10-25", "2026-10-25T00:30", "2026-10-25T01:00", "2026-10-25T01:30"]
      ),
    ]

  @Test(arguments: policies) func `a policy decides what a change does`(
    row: (gap: DaylightSavingPolicy.Gap, fold: DaylightSavingPolicy.Fold, rule: String, expected: [String])
  ) throws {
    let policy = DaylightSavingPolicy(gap: row.gap, fold: row.fold)
    let schedule = try Self.schedule(row.rule, "Europe/Berlin", policy)
    #expect(
      try Self.entries(schedule, after: "2026-03-28T12:00:00Z", count: row.expected.count) == row.expected)
  }

  /// Zone, rule, begin and end of the local day in UTC, and its number of entries.
  static let days: [(zone: String, rule: String, from: String, to: String, count: Int)] = [
    ("Europe/Berlin", "*/30 * * * *", "2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z", 46),
    ("Europe/Berlin", "*/30 * * * *", "2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z", 50),
    ("Europe/Berlin", "0 * * * *", "2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z", 23),
    ("Europe/Berlin", "0 * * * *", "2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z", 25),
    ("Europe/Berlin", "30 2 * * *", "2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z", 1),
    ("Europe/Berlin", "30 2 * * *", "2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z", 1),
    ("America/New_York", "30 2 * * *", "2026-03-08T05:00:00Z", "2026-03-09T04:00:00Z", 1),
    ("Australia/Lord_Howe", "*/30 * * * *", "2026-10-03T13:30:00Z", "2026-10-04T13:00:00Z", 47),
    ("Australia/Lord_Howe", "*/30 * * * *", "2026-04-04T13:00:00Z", "2026-04-05T13:30:00Z", 49),
    ("America/Sao_Paulo", "0 0 * * *", "2018-11-04T02:59:00Z", "2018-11-05T01:59:00Z", 1),
    ("America/Sao_Paulo", "*/30 * * * *", "2018-11-04T03:00:00Z", "2018-11-05T02:00:00Z", 46),
    ("Africa/Cairo", "*/30 * * * *", "2026-04-23T22:00:00Z", "2026-04-24T21:00:00Z", 46),
    ("America/Santiago", "*/30 * * * *", "2026-04-04T03:00:00Z", "2026-04-05T04:00:00Z", 50),
    ("Pacific/Apia", "*/30 * * * *", "2011-12-29T10:00:00Z", "2011-12-31T10:00:00Z", 96),
    ("Africa/Casablanca", "*/30 * * * *", "2026-02-14T23:00:00Z", "2026-02-16T00:00:00Z", 50),
  ]

  @Test(arguments: days) func `short and long days have no missing and no repeated entries`(
    row: (zone: String, rule: String, from: String, to: String, count: Int)
  ) throws {
    let schedule = try Self.schedule(row.rule, row.zone)
    // The day lasts from its first instant up to, but not including, the first of the next day.
    let start = try WallInstant(rfc3339: row.from) - .nanoseconds(1)
    let end = try WallInstant(rfc3339: row.to) - .nanoseconds(1)
    #expect(schedule.count(after: start, through: end) == row.count)
    guard row.rule == "*/30 * * * *" else { return }
    var instant = start
    while let next = schedule.next(after: instant), next <= end {
      if instant != start { #expect(next - instant == .minutes(30), "after \(instant)") }
      instant = next
    }
  }

  @Test func `a rule that is always skipped ends with the range of instants`() throws {
    let policy = DaylightSavingPolicy(gap: .skip)
    let schedule = try Self.schedule("30 2 */1 3 0L", "Europe/Berlin", policy)
    let from = try WallInstant(rfc3339: "2026-01-01T00:00:00Z")
    #expect(schedule.next(after: from) == nil)
    #expect(schedule.count(after: from, through: .max) == 0)
    let both = try Self.schedule("30 2 */1 3 0L", "Europe/Berlin")
    #expect(both.count(after: from, through: .max) == 237)
  }

  /// The split into stretches relies on it: the times that a change skips or repeats end before the next change.
  @Test(arguments: ZoneFiles.odd) func `every stretch of a zone outlasts the changes at its ends`(
    name: String
  ) throws {
    let zone = try ZoneFiles.zone(name)
    var transition = zone.nextTransition(after: .min)
    while let found = transition, let next = zone.nextTransition(after: found) {
      let before = zone.offset(at: found - .nanoseconds(1)) - zone.offset(at: found)
      let after = zone.offset(at: found) - zone.offset(at: next)
      #expect(next - found > .seconds(Int64(max(abs(before), abs(after)))), "\(name) \(found)")
      transition = next
    }
  }

  @Test func `the description of a rule has its zone`() throws {
    let rule = ScheduleRule.cron(try Self.schedule("@daily", "Europe/Berlin"))
    #expect(rule.description == "cron 0 0 * * * in Europe/Berlin")
    #expect(!rule.isClosedLoop && !rule.hasMoreThanOneEntryPerSecond)
  }
}
