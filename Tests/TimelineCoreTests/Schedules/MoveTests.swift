import Testing
import TimelineCore

/// Moved entries against tables kept by hand, and moves that are refused.
@Suite struct `Moving excluded entries` {
  typealias Unions = `Unions, windows and exclusions`

  /// The schedule of `rules` with a move.
  static func schedule(
    _ rules: [String], _ direction: EntryMove.Direction, dayMax: Int = EntryMove.dayMaxDefault,
    isWithinMonth: Bool = false, zone: String = "UTC", only: [String] = [], except: [String] = [],
    change: (inout ComposedSchedule.Conditions) throws -> Void = { _ in }
  ) throws -> ComposedSchedule {
    try Unions.schedule(rules, only: only, except: except, zone: zone) {
      $0.move = try EntryMove(direction, dayMax: dayMax, isWithinMonth: isWithinMonth)
      try change(&$0)
    }
  }

  /// The first entries from an instant on, without their seconds, forward and back.
  private func expect(_ schedule: ComposedSchedule, from start: String, _ expected: [String]) throws {
    let start = try WallInstant(rfc3339: start) - .nanoseconds(1)
    var (found, instant): ([WallInstant], WallInstant) = ([], start)
    while found.count < expected.count, let next = schedule.next(after: instant) {
      found.append(next)
      instant = next
    }
    #expect(found.map { "\($0)".replacing(":00Z", with: "Z") } == expected, "\(schedule)")
    var back: [WallInstant] = []
    while let latest = schedule.latest(atOrBefore: instant), latest > start {
      back.append(latest)
      instant = latest - .nanoseconds(1)
    }
    #expect(back.reversed() == found, "\(schedule)")
    #expect(schedule.count(after: start, through: found.last ?? start) == found.count, "\(schedule)")
  }

  private func origins(_ schedule: ComposedSchedule, of entry: String) throws -> [String] {
    try schedule.origins(of: WallInstant(rfc3339: entry)).map { "\($0)".replacing(":00Z", with: "Z") }
  }

  /// Holidays of Berlin in 2026, and the days at the end of the year on which a company is closed.
  static let holidays = [
    (1, 1), (3, 8), (4, 3), (4, 6), (5, 1), (5, 14), (5, 25), (10, 3), (12, 24), (12, 25), (12, 26), (12, 28),
    (12, 29), (12, 30), (12, 31),
  ]

  private static func list() throws -> CivilWindow {
    CivilWindow(
      holidays: HolidayList(
        name: "berlin",
        dates: try holidays.map { try #require(CivilDate(year: 2026, month: $0.0, day: $0.1)) }))
  }

  @Test func `the last working day up to the 28th of each month of 2026 in Berlin`() throws {
    let schedule = try Self.schedule(["0 9 28 * *"], .before, zone: "Europe/Berlin", except: ["Sat,Sun"]) {
      $0.except.append(try Self.list())
    }
    try expect(
      schedule, from: "2026-01-01T00:00:00Z",
      [
        "2026-01-28T08:00Z", "2026-02-27T08:00Z", "2026-03-27T08:00Z", "2026-04-28T07:00Z",
        "2026-05-28T07:00Z", "2026-06-26T07:00Z", "2026-07-28T07:00Z", "2026-08-28T07:00Z",
        "2026-09-28T07:00Z", "2026-10-28T08:00Z", "2026-11-27T08:00Z", "2026-12-23T08:00Z",
      ])
    #expect(try origins(schedule, of: "2026-12-23T08:00:00Z") == ["2026-12-28T08:00Z"])
    #expect(try origins(schedule, of: "2026-01-28T08:00:00Z").isEmpty)
    #expect(
      schedule.description
        == "cron 0 9 28 * * in Europe/Berlin, except Sat,Sun and holidays berlin, "
        + "excluded entries move to the previous day that lets them through, within 7 days, on clocks in Europe/Berlin"
    )
  }

  @Test func `an origin is an omission with the day to which it moved`() throws {
    let schedule = try Self.schedule(["0 9 28 * *"], .before, zone: "Europe/Berlin", except: ["Sat,Sun"]) {
      $0.except.append(try Self.list())
    }
    let start = try WallInstant(rfc3339: "2026-11-01T00:00:00Z")
    let omissions = ScheduleRule.composed(schedule).omissions(after: start, through: start + .days(60))
    #expect(omissions.allSatisfy { $0.outcome == .excluded && $0.count == 1 && $0.first == $0.last })
    #expect(
      omissions.map(\.reason) == [
        "within \"Sat,Sun\"; moved to 2026-11-27 09:00:00 CET",
        "2026-12-28 is one of the holidays berlin; moved to 2026-12-23 09:00:00 CET",
      ])
  }

  @Test func `entries that meet are one entry with all of their origins`() throws {
    let after = try Self.schedule(["0 12 * * *"], .after, except: ["Sat,Sun"])
    try expect(
      after, from: "2026-01-02T00:00:00Z", ["2026-01-02T12:00Z", "2026-01-05T12:00Z", "2026-01-06T12:00Z"])
    #expect(
      try origins(after, of: "2026-01-05T12:00:00Z") == ["2026-01-03T12:00Z", "2026-01-04T12:00Z"])
    let alone = try Self.schedule(["0 12 * * sat,sun", "0 12 * * mon"], .before, except: ["Sat,Sun"])
    try expect(
      alone, from: "2026-01-02T00:00:00Z", ["2026-01-02T12:00Z", "2026-01-05T12:00Z", "2026-01-09T12:00Z"])
    #expect(
      try origins(alone, of: "2026-01-02T12:00:00Z") == ["2026-01-03T12:00Z", "2026-01-04T12:00Z"])
    let start = try WallInstant(rfc3339: "2026-01-02T00:00:00Z")
    let rows = ScheduleRule.composed(after).omissions(after: start, through: start + .days(7))
    #expect(rows.map(\.count) == [2])
    #expect(rows.map(\.reason) == ["within \"Sat,Sun\"; moved to 2026-01-05 12:00:00 UTC"])
  }

  @Test func `the nearest day is the earlier of two at one distance`() throws {
    for (rule, except, expected) in [
      ("0 12 * * sat", "Sat,Sun", "2026-01-02T12:00Z"), ("0 12 * * sun", "Sat,Sun", "2026-01-05T12:00Z"),
      ("0 12 * * wed", "Wed", "2026-01-06T12:00Z"), ("0 12 * * sun", "Sat,Sun,Mon", "2026-01-02T12:00Z"),
    ] {
      try expect(Self.schedule([rule], .nearest, except: [except]), from: "2026-01-02T00:00:00Z", [expected])
    }
  }

  @Test func `an entry that stays in its month turns round`() throws {
    let rows: [(String, EntryMove.Direction, String, String)] = [
      ("0 12 L * *", .after, "2026-01-31T00:00:00Z", "2026-02-27T12:00Z"),
      ("0 12 L * *", .after, "2026-01-15T00:00:00Z", "2026-01-30T12:00Z"),
      ("0 12 L * *", .after, "2026-05-01T00:00:00Z", "2026-05-29T12:00Z"),
      ("0 12 1 * *", .before, "2026-02-20T00:00:00Z", "2026-03-02T12:00Z"),
      ("0 12 1 * *", .nearest, "2026-07-15T00:00:00Z", "2026-08-03T12:00Z"),
      ("0 12 15 * *", .after, "2026-02-10T00:00:00Z", "2026-02-16T12:00Z"),
    ]
    for (rule, direction, start, expected) in rows {
      let schedule = try Self.schedule([rule], direction, isWithinMonth: true, except: ["Sat,Sun"])
      try expect(schedule, from: start, [expected])
    }
    // The 28th is a Saturday in 2026 and a Sunday in 2027, without an open day beside it in the month.
    let all = try Self.schedule(
      ["0 12 28 2 *"], .after, dayMax: 1, isWithinMonth: true, except: ["Sat,Sun", "2026-02-27"])
    try expect(all, from: "2026-01-01T00:00:00Z", ["2028-02-28T12:00Z"])
  }

  @Test func `an entry moves by at most the days that are given`() throws {
    for (dayMax, expected) in [
      (2, "2027-01-01T12:00Z"), (3, "2026-12-28T12:00Z"), (4, "2026-12-28T12:00Z"), (31, "2026-12-28T12:00Z"),
    ] {
      let schedule = try Self.schedule(
        ["0 12 25 12 *", "0 12 1 1 *"], .after, dayMax: dayMax, except: ["2026-12-24..2026-12-27"])
      try expect(schedule, from: "2026-06-01T00:00:00Z", [expected])
      let start = try WallInstant(rfc3339: "2026-06-01T00:00:00Z")
      let reason = ScheduleRule.composed(schedule).omissions(after: start, through: start + .days(240)).first?
        .reason
      #expect(
        reason == "within \"2026-12-24..2026-12-27\"; "
          + (dayMax == 2
            ? "not moved, as no day within 2 days lets it through" : "moved to 2026-12-28 12:00:00 UTC"))
    }
  }

  @Test func `a time that no window lets through stays excluded`() throws {
    let schedule = try Self.schedule(
      ["0 9,20 * * *"], .after, dayMax: 31, only: ["Mon..Fri 08:00-18:00", "Sat 08:00-09:00"])
    try expect(
      schedule, from: "2026-01-02T10:00:00Z", ["2026-01-05T09:00Z", "2026-01-06T09:00Z", "2026-01-07T09:00Z"])
    let long = try Self.schedule(
      ["0 9 * * *"], .nearest, dayMax: 2, except: ["2026-01-10..2026-12-20", "Mon"])
    try expect(
      long, from: "2026-01-08T10:00:00Z",
      ["2026-01-09T09:00Z", "2026-12-22T09:00Z", "2026-12-23T09:00Z"])
    #expect(try origins(long, of: "2026-01-09T09:00:00Z") == ["2026-01-10T09:00Z", "2026-01-11T09:00Z"])
    #expect(try origins(long, of: "2026-12-22T09:00:00Z") == ["2026-12-20T09:00Z", "2026-12-21T09:00Z"])
  }

  private static func night(
    _ rule: String, gap: DaylightSavingPolicy.Gap = .runAtEnd, fold: DaylightSavingPolicy.Fold = .first,
    except: [String]
  ) throws -> ComposedSchedule {
    let zone = try ZoneFiles.zone("Europe/Berlin")
    var conditions = try Unions.conditions(except: except)
    conditions.move = try EntryMove(.after)
    let cron = CronSchedule(
      expression: try CronExpression(parsing: rule), zone: zone,
      daylightSaving: DaylightSavingPolicy(gap: gap, fold: fold))
    return try ComposedSchedule([.cron(cron)], conditions: conditions, zone: zone)
  }

  @Test func `a time that clocks skip on the day of the move goes by the policy of the rule`() throws {
    // Saturday 28 March 2026 moves to the Sunday on which 02:30 does not exist.
    for (gap, except, expected) in [
      (DaylightSavingPolicy.Gap.runAtEnd, ["Sat"], "2026-03-29T01:00Z"),
      (.shift, ["Sat"], "2026-03-29T01:30Z"),
      (.skip, ["Sat"], "2026-03-30T00:30Z"), (.runAtEnd, ["Sat", "03:00-03:15"], "2026-03-30T00:30Z"),
      (.shift, ["Sat", "03:00-03:15"], "2026-03-29T01:30Z"),
    ] {
      let schedule = try Self.night("30 2 28 3 *", gap: gap, except: except)
      try expect(schedule, from: "2026-01-01T00:00:00Z", [expected])
      #expect(
        try origins(schedule, of: expected.replacing("0Z", with: "0:00Z")) == ["2026-03-28T01:30Z"])
    }
  }

  @Test func `a time that comes twice on the day of the move is one entry`() throws {
    for (fold, expected) in [
      (DaylightSavingPolicy.Fold.first, "2026-10-25T00:30Z"), (.second, "2026-10-25T01:30Z"),
      (.both, "2026-10-25T00:30Z"),
    ] {
      try expect(
        Self.night("30 2 24 10 *", fold: fold, except: ["Sat"]), from: "2026-01-01T00:00:00Z", [expected])
    }
    let both = try Self.night("30 2 25 10 *", fold: .both, except: ["Sun"])
    try expect(both, from: "2026-10-01T00:00:00Z", ["2026-10-26T01:30Z"])
    #expect(
      try origins(both, of: "2026-10-26T01:30:00Z") == ["2026-10-25T00:30Z", "2026-10-25T01:30Z"])
  }

  @Test func `a pick counts the entries where they come to lie`() throws {
    // The 31st of January 2026 is a Saturday, and moves to February, whose first entry it is.
    let schedule = try Self.schedule(["0 12 10,31 * *"], .after, except: ["Sat,Sun"]) {
      $0.pick = try EntryPick([1], per: .month)
    }
    try expect(
      schedule, from: "2026-01-01T00:00:00Z", ["2026-01-12T12:00Z", "2026-02-02T12:00Z", "2026-03-10T12:00Z"])
    let start = try WallInstant(rfc3339: "2026-05-01T00:00:00Z")
    let rows = ScheduleRule.composed(schedule).omissions(after: start, through: start + .days(45))
    #expect(
      rows.map(\.reason) == [
        "within \"Sat,Sun\"; moved to 2026-05-11 12:00:00 UTC",
        "within \"Sat,Sun\"; moved to 2026-06-01 12:00:00 UTC",
      ])
    let last = try Self.schedule(["0 12 10,31 * *"], .after, except: ["Sat,Sun"]) {
      $0.pick = try EntryPick([-1], per: .month)
    }
    #expect(
      ScheduleRule.composed(last).omissions(after: start, through: start + .days(45)).map(\.reason) == [
        "within \"Sat,Sun\"; moved to 2026-05-11 12:00:00 UTC",
        "within \"Sat,Sun\"; not moved, as 2026-06-01 12:00:00 UTC is not picked",
      ])
  }

  @Test func `bounds apply to the instant to which an entry moves`() throws {
    func bounded(_ starts: String, _ ends: String?, limit: Int? = nil) throws -> ComposedSchedule {
      try Self.schedule(["0 12 * * sat"], .after, except: ["Sat,Sun"]) {
        $0.starts = try WallInstant(rfc3339: starts)
        $0.ends = try ends.map { try WallInstant(rfc3339: $0) }
        $0.limit = limit
      }
    }
    try expect(
      bounded("2026-01-04T00:00:00Z", nil), from: "2025-01-01T00:00:00Z",
      ["2026-01-05T12:00Z", "2026-01-12T12:00Z"])
    let limited = try bounded("2026-01-04T00:00:00Z", nil, limit: 2)
    #expect(limited.count(after: .min, through: .max) == 2)
    let ended = try bounded("2026-01-01T00:00:00Z", "2026-01-11T00:00:00Z")
    #expect(ended.count(after: .min, through: .max) == 1)
    let reasons = ScheduleRule.composed(ended).omissions(after: .epoch, through: .max).map(\.reason)
    #expect(
      reasons == [
        "within \"Sat,Sun\"; moved to 2026-01-05 12:00:00 UTC",
        "within \"Sat,Sun\"; not moved, as 2026-01-12 12:00:00 UTC is outside of the schedule's bounds",
      ])
  }

  @Test func `a move by too many days, without windows or of too many entries is refused`() throws {
    for dayMax in [Int.min, -1, 0, 32, Int.max] {
      let error = #expect(throws: ScheduleError.self) { try EntryMove(.after, dayMax: dayMax) }
      #expect(error?.description.hasSuffix("days; give 1 to 31") == true)
    }
    let rows: [([String], [String], String?)] = [
      (["0 * * * *"], ["Sat"], nil), (["every 1h"], ["Sat"], nil),
      (["0 * * * *", "*-*-* *:00"], ["Sat"], nil),
      (["30 2 * * *"], [], "no window excludes an entry"),
      (["*/30 * * * *"], ["Sat"], "the day of 2000-01-01 has 48 entries"),
      (["every 1ms"], ["Sat"], "entries, and at most 24"), (["every 59m"], ["Sat"], "has 25 entries"),
      (["0 * * * *", "30 12 * * *"], ["Sat"], "the day of 2000-01-01 has 25 entries"),
      (["30 2 29 2 *", "2004-02-29 *:0/30"], ["Sat"], "the day of 2004-02-29 has 48 entries"),
      (["0 20 * * *"], ["08:00-24:00"], "in 50000 steps no entry was found"),
    ]
    for (rules, except, word) in rows {
      do {
        _ = try Self.schedule(rules, .after, zone: "Europe/Berlin", except: except)
        #expect(word == nil, "\(rules)")
      } catch let error as ScheduleError {
        #expect(word.map { error.description.contains($0) } == true, "\(error)")
      }
    }
  }

  @Test func `an explanation names the move and the clock change of a moved entry`() throws {
    let start = try WallInstant(rfc3339: "2026-01-01T00:00:00Z")
    let schedule = try Self.night("30 2 25 10 *", except: ["Sun"])
    let explanation = ScheduleRule.composed(schedule).explanation(from: start, years: 1)
    #expect(
      explanation.words.contains(
        "; except Sunday, excluded entries move to the next day that lets them through, within 7 days, "))
    #expect(
      explanation.changes.map(\.words) == [
        "02:30 comes twice on 2026-10-25 in Europe/Berlin: it runs the first time; "
          + "the run at 2026-10-25 02:30:00 CEST is moved to 2026-10-26 02:30:00 CET"
      ])
    #expect(explanation.changes.allSatisfy { !$0.isLeftOut })
  }

  @Test func `a month that a move leaves is reported, and one that it stays in is not`() throws {
    let start = try WallInstant(rfc3339: "2026-01-01T00:00:00Z")
    func months(_ isWithinMonth: Bool) throws -> [String] {
      let schedule = try Self.schedule(
        ["0 12 31 10 *", "0 12 1 1 *"], .after, isWithinMonth: isWithinMonth, except: ["Sat,Sun"])
      return ScheduleRule.composed(schedule).emptyPeriods(after: start, years: 2).map(\.first.description)
    }
    #expect(try months(false) == ["2026-10-31T12:00:00Z", "2027-10-31T12:00:00Z"])
    #expect(try months(true).isEmpty)
  }
}
