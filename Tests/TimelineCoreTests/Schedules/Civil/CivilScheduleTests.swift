import Testing
import TimelineCore

@Suite struct `Civil rules in zones` {
  static func date(_ text: String) throws -> CivilDate {
    let parts = text.split(separator: "-").compactMap { Int($0) }
    return try #require(CivilDate(year: parts[0], month: parts[1], day: parts[2]))
  }

  static func time(_ text: String) throws -> CivilTime {
    let parts = text.split(separator: ":").compactMap { Int($0) }
    return try #require(CivilTime(hour: parts[0], minute: parts[1], second: parts.count > 2 ? parts[2] : 0))
  }

  /// A recurrence of `2 weeks`, for example, at `02:30 03:00`.
  static func recurrence(
    _ every: String, from: String, at times: String = "00:00", on weekdays: Set<Weekday> = [],
    weekStart: Weekday = .monday, shortMonth: CivilRecurrence.ShortMonth? = nil
  ) throws -> CivilRecurrence {
    let words = every.split(separator: " ")
    return try CivilRecurrence(
      every: try #require(Int(words[0])), try #require(CivilRecurrence.Unit(rawValue: String(words[1]))),
      from: try date(from), at: try times.split(separator: " ").map { try time(String($0)) }, on: weekdays,
      weekStart: weekStart, shortMonth: shortMonth)
  }

  static func zone(_ name: String) throws -> Zone { name == "UTC" ? .utc : try ZoneFiles.zone(name) }

  static func entries(_ schedule: CivilSchedule, after start: String, count: Int) throws -> [String] {
    var instant = try WallInstant(rfc3339: start)
    var entries: [String] = []
    while entries.count < count, let next = schedule.next(after: instant) {
      entries.append("\(next)".replacing(":00Z", with: "").replacing("T00:00", with: ""))
      instant = next
    }
    return entries
  }

  /// Days that were looked up in a calendar.
  static let days: [(rule: CivilRecurrence, after: String, expected: [String])] = {
    do {
      return [
        // The example of the manual, from a Wednesday on.
        (
          try recurrence("2 weeks", from: "2026-01-07", on: [.monday, .thursday]), "2026-01-01T00:00:00Z",
          ["2026-01-08", "2026-01-19", "2026-01-22", "2026-02-02"]
        ),
        (
          try recurrence("2 weeks", from: "2026-01-07"), "2026-01-07T00:00:00Z",
          ["2026-01-21", "2026-02-04", "2026-02-18"]
        ),
        (
          try recurrence("2 weeks", from: "2026-01-07", on: [.sunday]), "2026-01-01T00:00:00Z",
          ["2026-01-11", "2026-01-25", "2026-02-08"]
        ),
        (
          try recurrence("2 weeks", from: "2026-01-07", on: [.sunday], weekStart: .sunday),
          "2026-01-01T00:00:00Z", ["2026-01-18", "2026-02-01", "2026-02-15"]
        ),
        (
          try recurrence("1 weeks", from: "2026-02-25", on: [.saturday, .tuesday, .sunday]),
          "2025-01-01T00:00:00Z", ["2026-02-28", "2026-03-01", "2026-03-03", "2026-03-07"]
        ),
        (
          try recurrence("1000 weeks", from: "2026-01-05"), "2020-01-01T00:00:00Z",
          ["2026-01-05", "2045-03-06", "2064-05-05"]
        ),
        (
          try recurrence("10 days", from: "2026-02-20"), "2026-02-20T00:00:00Z",
          ["2026-03-02", "2026-03-12", "2026-03-22", "2026-04-01"]
        ),
        (
          try recurrence("1 months", from: "2026-01-31", shortMonth: .skip), "2026-01-01T00:00:00Z",
          ["2026-01-31", "2026-03-31", "2026-05-31", "2026-07-31", "2026-08-31"]
        ),
        (
          try recurrence("1 months", from: "2026-01-31", shortMonth: .last), "2026-01-01T00:00:00Z",
          ["2026-01-31", "2026-02-28", "2026-03-31", "2026-04-30"]
        ),
        (
          try recurrence("3 months", from: "2025-11-30", shortMonth: .last), "2025-01-01T00:00:00Z",
          ["2025-11-30", "2026-02-28", "2026-05-30", "2026-08-30"]
        ),
        (
          try recurrence("18 months", from: "2026-04-15"), "2026-04-15T00:00:00Z",
          ["2027-10-15", "2029-04-15", "2030-10-15"]
        ),
        (
          try recurrence("1 years", from: "2024-02-29", shortMonth: .skip), "2024-01-01T00:00:00Z",
          ["2024-02-29", "2028-02-29", "2032-02-29"]
        ),
        (
          try recurrence("1 years", from: "2024-02-29", shortMonth: .last), "2024-01-01T00:00:00Z",
          ["2024-02-29", "2025-02-28", "2026-02-28", "2027-02-28", "2028-02-29"]
        ),
        (
          try recurrence("4 years", from: "2092-02-29", shortMonth: .skip), "2090-01-01T00:00:00Z",
          ["2092-02-29", "2096-02-29", "2104-02-29"]
        ),
        (
          try recurrence("100 years", from: "2000-02-29", shortMonth: .skip), "1999-01-01T00:00:00Z",
          ["2000-02-29"]
        ),
        (try recurrence("1000 years", from: "2026-12-24"), "2020-01-01T00:00:00Z", ["2026-12-24"]),
        (try recurrence("1 days", from: "9999-12-31"), "2020-01-01T00:00:00Z", []),
        (
          try recurrence("1 days", from: "0001-01-01", at: "00:00 12:30"), "2026-01-01T00:00:00Z",
          ["2026-01-01T12:30", "2026-01-02", "2026-01-02T12:30"]
        ),
      ]
    } catch {
      Issue.record(error)
      return []
    }
  }()

  @Test(arguments: days.indices) func `the days are those of the calendar`(index: Int) throws {
    let (rule, after, expected) = Self.days[index]
    let schedule = CivilSchedule(recurrence: rule, zone: .utc)
    #expect(try Self.entries(schedule, after: after, count: expected.count) == expected, "\(rule)")
    if expected.count == 1 { #expect(try Self.entries(schedule, after: after, count: 2).count == 1) }
    let first = schedule.next(after: .min)
    #expect(first.map { schedule.latest(atOrBefore: $0 - .nanoseconds(1)) == nil } ?? true, "\(rule)")
    for entry in schedule.entries(from: try WallInstant(rfc3339: after), mode: .normal).prefix(50) {
      #expect(schedule.latest(atOrBefore: entry) == entry)
    }
  }

  struct Change: Sendable {
    var zone: String, every: String, from: String, at: String
    /// Instants by policy for the gap, or for the fold, after the first date.
    var gap: [DaylightSavingPolicy.Gap: [String]] = [:]
    var fold: [DaylightSavingPolicy.Fold: [String]] = [:]
  }

  /// Days on which clocks are changed, with instants worked out by hand from the offsets of the zone.
  static let changes = [
    Change(
      zone: "Europe/Berlin", every: "1 weeks", from: "2027-03-21", at: "02:30",
      gap: [
        .runAtEnd: ["2027-03-21T01:30", "2027-03-28T01:00", "2027-04-04T00:30"],
        .shift: ["2027-03-21T01:30", "2027-03-28T01:30", "2027-04-04T00:30"],
        .skip: ["2027-03-21T01:30", "2027-04-04T00:30"],
      ]),
    Change(
      zone: "Europe/Berlin", every: "7 days", from: "2027-10-24", at: "02:30",
      fold: [
        .first: ["2027-10-24T00:30", "2027-10-31T00:30", "2027-11-07T01:30"],
        .second: ["2027-10-24T00:30", "2027-10-31T01:30", "2027-11-07T01:30"],
        .both: ["2027-10-24T00:30", "2027-10-31T00:30", "2027-10-31T01:30", "2027-11-07T01:30"],
      ]),
    Change(
      zone: "America/New_York", every: "2 days", from: "2027-03-12", at: "02:15 03:15",
      gap: [
        .runAtEnd: [
          "2027-03-12T07:15", "2027-03-12T08:15", "2027-03-14T07:00", "2027-03-14T07:15", "2027-03-16T06:15",
        ],
        // 02:15 is shifted to 03:15, which is an entry of its own: one of both.
        .shift: ["2027-03-12T07:15", "2027-03-12T08:15", "2027-03-14T07:15", "2027-03-16T06:15"],
        .skip: ["2027-03-12T07:15", "2027-03-12T08:15", "2027-03-14T07:15", "2027-03-16T06:15"],
      ]),
    // A second of its own in the minute of another entry: the shifted 02:15:10 does not coincide.
    Change(
      zone: "America/New_York", every: "2 days", from: "2027-03-14", at: "02:15:10 02:15:40 03:15:40",
      gap: [
        .shift: ["2027-03-14T07:15:10Z", "2027-03-14T07:15:40Z", "2027-03-16T06:15:10Z"]
      ]),
    Change(
      zone: "America/New_York", every: "1 months", from: "2027-10-07", at: "01:30",
      fold: [
        .first: ["2027-10-07T05:30", "2027-11-07T05:30", "2027-12-07T06:30"],
        .second: ["2027-10-07T05:30", "2027-11-07T06:30", "2027-12-07T06:30"],
        .both: ["2027-10-07T05:30", "2027-11-07T05:30", "2027-11-07T06:30", "2027-12-07T06:30"],
      ]),
    // Half an hour: 02:10 does not exist, and 02:30 is the end of the gap.
    Change(
      zone: "Australia/Lord_Howe", every: "1 years", from: "2026-10-03", at: "02:10 02:30",
      gap: [
        .runAtEnd: ["2026-10-02T15:40", "2026-10-02T16:00", "2027-10-02T15:30"],
        .shift: ["2026-10-02T15:40", "2026-10-02T16:00", "2027-10-02T15:30", "2027-10-02T15:40"],
        .skip: ["2026-10-02T15:40", "2026-10-02T16:00", "2027-10-02T15:30"],
      ]),
    Change(
      zone: "Australia/Lord_Howe", every: "2 weeks", from: "2027-03-21", at: "01:45",
      fold: [
        .first: ["2027-03-20T14:45", "2027-04-03T14:45", "2027-04-17T15:15"],
        .second: ["2027-03-20T14:45", "2027-04-03T15:15", "2027-04-17T15:15"],
        .both: ["2027-03-20T14:45", "2027-04-03T14:45", "2027-04-03T15:15", "2027-04-17T15:15"],
      ]),
    // Clocks are changed at midnight.
    Change(
      zone: "America/Santiago", every: "1 weeks", from: "2027-08-29", at: "00:00",
      gap: [
        .runAtEnd: ["2027-08-29T04:00", "2027-09-05T04:00", "2027-09-12T03:00"],
        .shift: ["2027-08-29T04:00", "2027-09-05T04:00", "2027-09-12T03:00"],
        .skip: ["2027-08-29T04:00", "2027-09-12T03:00"],
      ]),
    Change(
      zone: "America/Santiago", every: "7 days", from: "2027-03-27", at: "23:30",
      fold: [
        .first: ["2027-03-28T02:30", "2027-04-04T02:30", "2027-04-11T03:30"],
        .second: ["2027-03-28T02:30", "2027-04-04T03:30", "2027-04-11T03:30"],
      ]),
    // A whole day that clocks never showed.
    Change(
      zone: "Pacific/Apia", every: "1 days", from: "2011-12-29", at: "12:00",
      gap: [
        .runAtEnd: ["2011-12-29T22:00", "2011-12-30T10:00", "2011-12-30T22:00"],
        .shift: ["2011-12-29T22:00", "2011-12-30T22:00", "2011-12-31T22:00"],
        .skip: ["2011-12-29T22:00", "2011-12-30T22:00", "2011-12-31T22:00"],
      ]),
  ]

  @Test(arguments: changes.indices) func `a change of the clocks goes by the policy`(index: Int) throws {
    let change = Self.changes[index]
    let rule = try Self.recurrence(change.every, from: change.from, at: change.at)
    let policies =
      change.gap.map { (DaylightSavingPolicy(gap: $0), $1) }
      + change.fold.map { (DaylightSavingPolicy(fold: $0), $1) }
    for (policy, expected) in policies {
      let schedule = CivilSchedule(
        recurrence: rule, zone: try Self.zone(change.zone), daylightSaving: policy)
      let found = try Self.entries(schedule, after: "2000-01-01T00:00:00Z", count: expected.count)
      #expect(found == expected, "\(schedule), \(policy)")
      let last = try WallInstant(
        rfc3339: expected[expected.count - 1] + (expected[expected.count - 1].hasSuffix("Z") ? "" : ":00Z"))
      #expect(schedule.count(after: .min, through: last) == expected.count, "\(schedule), \(policy)")
    }
  }
}
