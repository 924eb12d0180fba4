import Testing
import TimelineCore

/// Nine questions about daylight saving, which most schedulers answer wrongly, in ten zones with their odd years.
///
/// The expected entries were enumerated minute by minute with Python's zoneinfo on the same zone files, and are written down
/// here to the letter. Days run from their first instant to their last, as clocks show them; Kathmandu only ever put
/// its clocks forward, and of Apia's missing day, 30 December 2011, the day after is asked. The answers are the same
/// in the language of cron and in that of systemd.
@Suite struct `Conformance` {
  struct Row: Sendable, CustomTestStringConvertible {
    let zone: String
    /// The day on which clocks are put forward, and the one on which they are put back.
    let gap: String, fold: String?
    /// 1 and 2, 3 and 4: how often a rule of every half hour and one of every hour come on these days.
    let halfHours: (Int, Int), hours: (Int, Int)
    /// 5 and 6: when a time runs that the day does not have, and one that it has twice.
    let insideGap: (String, [String]), insideFold: (String, [String])
    /// 7 and 8: when a time runs that the change does not concern.
    let noon: ([String], [String])
    /// 9: when midnight runs, also where it is missing.
    let midnight: ([String], [String])
    var testDescription: String { zone }

    init(
      _ zone: String, gap: String, fold: String?, halfHours: (Int, Int), hours: (Int, Int),
      insideGap: (String, [String]), insideFold: (String, [String]), noon: ([String], [String]),
      midnight: ([String], [String])
    ) {
      (self.zone, self.gap, self.fold, self.halfHours, self.hours) = (zone, gap, fold, halfHours, hours)
      (self.insideGap, self.insideFold, self.noon, self.midnight) = (insideGap, insideFold, noon, midnight)
    }
  }

  static let rows = [
    Row(
      "Europe/Berlin", gap: "2026-03-29", fold: "2026-10-25",
      halfHours: (46, 50), hours: (23, 25),
      insideGap: ("02:30", ["2026-03-29T01:00Z"]),
      insideFold: ("02:30", ["2026-10-25T00:30Z"]),
      noon: (["2026-03-29T10:00Z"], ["2026-10-25T11:00Z"]),
      midnight: (["2026-03-28T23:00Z"], ["2026-10-24T22:00Z"])),
    Row(
      "America/New_York", gap: "2026-03-08", fold: "2026-11-01",
      halfHours: (46, 50), hours: (23, 25),
      insideGap: ("02:30", ["2026-03-08T07:00Z"]),
      insideFold: ("01:30", ["2026-11-01T05:30Z"]),
      noon: (["2026-03-08T16:00Z"], ["2026-11-01T17:00Z"]),
      midnight: (["2026-03-08T05:00Z"], ["2026-11-01T04:00Z"])),
    Row(
      "Europe/London", gap: "2026-03-29", fold: "2026-10-25",
      halfHours: (46, 50), hours: (23, 25),
      insideGap: ("01:30", ["2026-03-29T01:00Z"]),
      insideFold: ("01:30", ["2026-10-25T00:30Z"]),
      noon: (["2026-03-29T11:00Z"], ["2026-10-25T12:00Z"]),
      midnight: (["2026-03-29T00:00Z"], ["2026-10-24T23:00Z"])),
    Row(
      "Australia/Sydney", gap: "2026-10-04", fold: "2026-04-05",
      halfHours: (46, 50), hours: (23, 25),
      insideGap: ("02:30", ["2026-10-03T16:00Z"]),
      insideFold: ("02:30", ["2026-04-04T15:30Z"]),
      noon: (["2026-10-04T01:00Z"], ["2026-04-05T02:00Z"]),
      midnight: (["2026-10-03T14:00Z"], ["2026-04-04T13:00Z"])),
    Row(
      "Australia/Lord_Howe", gap: "2026-10-04", fold: "2026-04-05",
      halfHours: (47, 49), hours: (23, 24),
      insideGap: ("02:15", ["2026-10-03T15:30Z"]),
      insideFold: ("01:45", ["2026-04-04T14:45Z"]),
      noon: (["2026-10-04T01:00Z"], ["2026-04-05T01:30Z"]),
      midnight: (["2026-10-03T13:30Z"], ["2026-04-04T13:00Z"])),
    Row(
      "America/Santiago", gap: "2026-09-06", fold: "2026-04-04",
      halfHours: (46, 50), hours: (23, 25),
      insideGap: ("00:30", ["2026-09-06T04:00Z"]),
      insideFold: ("23:30", ["2026-04-05T02:30Z"]),
      noon: (["2026-09-06T15:00Z"], ["2026-04-04T15:00Z"]),
      midnight: (["2026-09-06T04:00Z"], ["2026-04-04T03:00Z"])),
    Row(
      "Africa/Cairo", gap: "2026-04-24", fold: "2026-10-29",
      halfHours: (46, 50), hours: (23, 25),
      insideGap: ("00:30", ["2026-04-23T22:00Z"]),
      insideFold: ("23:30", ["2026-10-29T20:30Z"]),
      noon: (["2026-04-24T09:00Z"], ["2026-10-29T09:00Z"]),
      midnight: (["2026-04-23T22:00Z"], ["2026-10-28T21:00Z"])),
    Row(
      "Africa/Casablanca", gap: "2026-03-22", fold: "2026-02-15",
      halfHours: (46, 50), hours: (23, 25),
      insideGap: ("02:30", ["2026-03-22T02:00Z"]),
      insideFold: ("02:30", ["2026-02-15T01:30Z"]),
      noon: (["2026-03-22T11:00Z"], ["2026-02-15T12:00Z"]),
      midnight: (["2026-03-22T00:00Z"], ["2026-02-14T23:00Z"])),
    Row(
      "Asia/Kathmandu", gap: "1986-01-01", fold: nil,
      halfHours: (47, 0), hours: (23, 0),
      insideGap: ("00:10", ["1985-12-31T18:30Z"]),
      insideFold: ("", []),
      noon: (["1986-01-01T06:15Z"], []),
      midnight: (["1985-12-31T18:30Z"], [])),
    Row(
      "Pacific/Apia", gap: "2011-12-31", fold: "2012-04-01",
      halfHours: (48, 50), hours: (24, 25),
      insideGap: ("02:30", ["2011-12-30T10:00Z", "2011-12-30T12:30Z"]),
      insideFold: ("03:30", ["2012-03-31T13:30Z"]),
      noon: (["2011-12-30T10:00Z", "2011-12-30T22:00Z"], ["2012-03-31T23:00Z"]),
      midnight: (["2011-12-30T10:00Z"], ["2012-03-31T10:00Z"])),
  ]

  /// From the last instant before a day to its last minute, as clocks in the zone show it.
  static func day(_ text: String, in zone: Zone) throws -> (start: WallInstant, end: WallInstant) {
    let noon = try WallInstant(rfc3339: "\(text)T12:00:00Z")
    var minutes: [WallInstant] = []
    for minute in Int64(-36 * 60)...36 * 60 {
      let instant = noon + .minutes(minute)
      if zone.civil(at: instant).date.description == text { minutes.append(instant) }
    }
    return (try #require(minutes.first) - .nanoseconds(1), try #require(minutes.last))
  }

  static func entries(_ rule: ScheduleRule, in day: (start: WallInstant, end: WallInstant)) -> [WallInstant] {
    var found: [WallInstant] = []
    var instant = day.start
    while let next = rule.next(after: instant), next <= day.end {
      found.append(next)
      instant = next
    }
    return found
  }

  /// The same rule in both languages.
  static func rules(_ cron: String, _ calendar: String, in zone: Zone) throws -> [ScheduleRule] {
    [
      .cron(CronSchedule(expression: try CronExpression(parsing: cron), zone: zone)),
      .calendar(CalendarSchedule(expression: try CalendarExpression(parsing: calendar), zone: zone)),
    ]
  }

  @Test(arguments: rows) func `no half hour and no hour is missing or repeated`(row: Row) throws {
    let zone = try ZoneFiles.zone(row.zone)
    var days = [(row.gap, row.halfHours.0, row.hours.0)]
    if let fold = row.fold { days.append((fold, row.halfHours.1, row.hours.1)) }
    for (text, halfHours, hours) in days {
      let day = try Self.day(text, in: zone)
      for rule in try Self.rules("*/30 * * * *", "*:00/30", in: zone) {
        let found = Self.entries(rule, in: day)
        #expect(found.count == halfHours, "\(rule) on \(text)")
        let gaps = Set(zip(found, found.dropFirst()).map { $1 - $0 })
        // A change by a quarter of an hour moves the half hours.
        #expect(gaps.isSubset(of: [.minutes(30)]) || row.zone == "Asia/Kathmandu", "\(rule) on \(text)")
      }
      for rule in try Self.rules("0 * * * *", "hourly", in: zone) {
        #expect(Self.entries(rule, in: day).count == hours, "\(rule) on \(text)")
      }
    }
  }

  @Test(arguments: rows) func `a time of the day runs once on every existing day`(row: Row) throws {
    let zone = try ZoneFiles.zone(row.zone)
    let questions: [(day: String?, time: String, expected: [String])] = [
      (row.gap, row.insideGap.0, row.insideGap.1), (row.fold, row.insideFold.0, row.insideFold.1),
      (row.gap, "12:00", row.noon.0), (row.fold, "12:00", row.noon.1),
      (row.gap, "00:00", row.midnight.0), (row.fold, "00:00", row.midnight.1),
    ]
    for question in questions {
      guard let text = question.day else { continue }
      let day = try Self.day(text, in: zone)
      let parts = question.time.split(separator: ":").compactMap { Int($0) }
      for rule in try Self.rules("\(parts[1]) \(parts[0]) * * *", question.time, in: zone) {
        let found = Self.entries(rule, in: day).map { "\($0)".replacing(":00Z", with: "Z") }
        #expect(found == question.expected, "\(rule) on \(text)")
      }
    }
  }
}
