import Testing
import TimelineCore

/// The arithmetic of civil rules against a walk over every day of twenty years.
@Suite struct `Searching civil rules` {
  struct Subject: Sendable {
    var every: Int, unit: CivilRecurrence.Unit, from: String, at: String
    var weekdays: Set<Weekday> = []
    var weekStart = Weekday.monday
    var shortMonth: CivilRecurrence.ShortMonth?
  }

  static let subjects = [
    Subject(every: 1, unit: .days, from: "2008-02-28", at: "00:00 02:30 23:59:59"),
    Subject(every: 3, unit: .days, from: "2008-03-30", at: "02:00:10 02:00:50 02:30:20 03:00:10"),
    Subject(every: 97, unit: .days, from: "2008-12-31", at: "00:30 01:45"),
    Subject(every: 1, unit: .weeks, from: "2008-01-06", at: "02:15", weekdays: [.sunday, .wednesday]),
    Subject(
      every: 2, unit: .weeks, from: "2008-01-09", at: "01:30 02:30", weekdays: [.sunday, .thursday, .monday]),
    Subject(
      every: 3, unit: .weeks, from: "2008-01-09", at: "02:10", weekdays: [.sunday, .saturday],
      weekStart: .saturday),
    Subject(every: 1, unit: .months, from: "2008-01-31", at: "02:30 12:00", shortMonth: .last),
    Subject(every: 1, unit: .months, from: "2008-01-30", at: "02:30 12:00", shortMonth: .skip),
    Subject(every: 5, unit: .months, from: "2008-08-31", at: "00:00", shortMonth: .skip),
    Subject(every: 7, unit: .months, from: "2008-10-04", at: "01:59 02:00 02:29:59 02:30"),
    Subject(every: 1, unit: .years, from: "2008-02-29", at: "08:00", shortMonth: .skip),
    Subject(every: 3, unit: .years, from: "2008-02-29", at: "08:00", shortMonth: .last),
    Subject(every: 2, unit: .years, from: "2008-10-26", at: "00:00 01:00 02:00"),
  ]
  static let zones = [
    "UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "America/Santiago", "Pacific/Apia",
  ]
  static let policies = [
    DaylightSavingPolicy(), DaylightSavingPolicy(gap: .shift, fold: .both),
    DaylightSavingPolicy(gap: .skip, fold: .second),
  ]
  static let yearCount = 20

  /// Whether a day matches, by counting from the first date on.
  private static func isNamed(_ day: CivilDate, _ subject: Subject, from: CivilDate) -> Bool {
    switch subject.unit {
    case .days:
      return (day.daysSinceEpoch - from.daysSinceEpoch) % subject.every == 0
    case .weeks:
      func week(_ date: CivilDate) -> Int {
        var begin = date
        while begin.weekday != subject.weekStart {
          begin = CivilDate(daysSinceEpoch: begin.daysSinceEpoch - 1) ?? begin
        }
        return begin.daysSinceEpoch
      }
      return subject.weekdays.contains(day.weekday) && (week(day) - week(from)) / 7 % subject.every == 0
    case .months, .years:
      let monthCount = (day.year - from.year) * 12 + day.month - from.month
      guard monthCount % (subject.unit == .years ? 12 * subject.every : subject.every) == 0 else {
        return false
      }
      let length = CivilDate.dayCount(ofMonth: day.month, inYear: day.year)
      return day.day == from.day || from.day > length && day.day == length && subject.shortMonth == .last
    }
  }

  /// The instants of a local time by a policy.
  private static func instants(of civil: CivilDateTime, in zone: Zone, _ policy: DaylightSavingPolicy)
    -> [WallInstant]
  {
    switch (zone.instants(of: civil), policy.gap, policy.fold) {
    case (.one(let instant), _, _), (.fold(let instant, _), _, .first), (.fold(_, let instant), _, .second):
      [instant]
    case (.fold(let first, let second), _, .both): [first, second]
    case (.gap(let end, _, _), .runAtEnd, _): [end]
    case (.gap(_, let shifted, _), .shift, _): [shifted]
    case (.gap, .skip, _), (.outOfRange, _, _): []
    }
  }

  @Test(arguments: subjects.indices, zones)
  func `twenty years have the entries of a walk over every day`(index: Int, zoneName: String) throws {
    let subject = Self.subjects[index]
    let zone = try `Civil rules in zones`.zone(zoneName)
    let from = try `Civil rules in zones`.date(subject.from)
    let times = try subject.at.split(separator: " ").map { try `Civil rules in zones`.time(String($0)) }
    let recurrence = try CivilRecurrence(
      every: subject.every, subject.unit, from: from, at: times, on: subject.weekdays,
      weekStart: subject.weekStart, shortMonth: subject.shortMonth)
    let end = WallInstant(secondsSinceEpoch: Int64(from.daysSinceEpoch + Self.yearCount * 365) * 86_400)
    let dates = (0...Self.yearCount * 366).compactMap { CivilDate(daysSinceEpoch: from.daysSinceEpoch + $0) }
      .filter { Self.isNamed($0, subject, from: from) }
    for policy in Self.policies {
      let all = Set(
        dates.flatMap { date in
          times.flatMap { Self.instants(of: CivilDateTime(date: date, time: $0), in: zone, policy) }
        })
      let expected = all.filter { $0 <= end }.sorted()
      let schedule = CivilSchedule(recurrence: recurrence, zone: zone, daylightSaving: policy)
      var found: [WallInstant] = []
      var instant = WallInstant.min
      while let next = schedule.next(after: instant), next <= end {
        found.append(next)
        instant = next
      }
      #expect(found == expected, "\(schedule), \(policy)")
      #expect(schedule.count(after: .min, through: end) == expected.count, "\(schedule), \(policy)")
      var backwards: [WallInstant] = []
      instant = end
      while let latest = schedule.latest(atOrBefore: instant) {
        backwards.append(latest)
        instant = latest - .nanoseconds(1)
      }
      #expect(backwards == expected.reversed(), "\(schedule), \(policy)")
      let start = try #require(expected.first)
      #expect(Array(schedule.entries(from: start, mode: .normal).prefix(expected.count)) == expected)
    }
  }

  @Test func `the longest search looks only at months that can match`() throws {
    // No entry after 2000: the year that has the day again is not representable.
    let rule = try `Civil rules in zones`.recurrence("100 years", from: "2000-02-29", shortMonth: .skip)
    let schedule = CivilSchedule(recurrence: rule, zone: try ZoneFiles.zone("Europe/Berlin"))
    let start = try WallInstant(rfc3339: "2000-03-01T00:00:00Z")
    for _ in 0..<1_000 { #expect(schedule.next(after: start) == nil) }
    #expect(schedule.count(after: .min, through: .max) == 1)
  }

  @Test func `a value out of range or beside another unit is refused`() throws {
    let date = try `Civil rules in zones`.date("2026-01-31")
    let (nine, ten) = (try `Civil rules in zones`.time("09:00"), try `Civil rules in zones`.time("10:00"))
    func check(_ words: String, _ make: () throws -> CivilRecurrence) {
      let error = #expect(throws: ScheduleError.self) { try make() }
      #expect(error?.description.contains(words) == true, "\(words)")
    }
    for every in [0, -1, 1_001, .max] {
      check("the distance \(every) is not from 1 to 1000") {
        try CivilRecurrence(every: every, .days, from: date, at: [nine])
      }
    }
    check("there are 0 times") { try CivilRecurrence(every: 1, .days, from: date, at: []) }
    check("do not ascend") { try CivilRecurrence(every: 1, .days, from: date, at: [ten, nine]) }
    check("do not ascend") { try CivilRecurrence(every: 1, .days, from: date, at: [nine, nine]) }
    let many = (0..<65).compactMap { CivilTime(hour: 9, minute: $0 / 60, second: $0 % 60) }
    check("there are 65 times") { try CivilRecurrence(every: 1, .days, from: date, at: many) }
    let fine = try #require(CivilTime(hour: 9, minute: 0, second: 0, nanosecond: 1))
    check("fraction") { try CivilRecurrence(every: 1, .days, from: date, at: [fine]) }
    check("count weeks") { try CivilRecurrence(every: 1, .months, from: date, at: [nine], on: [.monday]) }
    check("no day 31") { try CivilRecurrence(every: 12, .months, from: date, at: [nine]) }
    _ = try CivilRecurrence(every: 1, .years, from: date, at: [nine])
    _ = try CivilRecurrence(every: 1_000, .weeks, from: date, at: [nine, ten])
  }
}
