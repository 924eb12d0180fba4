import Testing
import TimelineCore

/// Picked entries against tables kept by hand, and picks that are refused.
@Suite struct `Picking the nth of a period` {
  static let make = `Unions, windows and exclusions`.schedule

  /// The schedule of `rules` with a pick.
  static func schedule(
    _ rules: [String], _ positions: [Int], _ period: EntryPick.Period, weekStart: Weekday = .monday,
    zone: String = "UTC", except: [String] = [],
    change: (inout ComposedSchedule.Conditions) throws -> Void = { _ in }
  ) throws -> ComposedSchedule {
    try make(rules, [], except, zone) {
      $0.pick = try EntryPick(positions, per: period, weekStart: weekStart)
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

  @Test func `the last working day of each month of 2026 in Berlin`() throws {
    let days = [
      (1, 1), (4, 3), (4, 6), (5, 1), (5, 14), (5, 25), (10, 3), (12, 24), (12, 25), (12, 26), (12, 31),
    ]
    let list = HolidayList(
      name: "berlin", dates: try days.map { try #require(CivilDate(year: 2026, month: $0.0, day: $0.1)) })
    let schedule = try Self.schedule(
      ["0 18 * * *"], [-1], .month, zone: "Europe/Berlin", except: ["Sat,Sun"]
    ) { $0.except.append(CivilWindow(holidays: list)) }
    try expect(
      schedule, from: "2026-01-01T00:00:00Z",
      [
        "2026-01-30T17:00Z", "2026-02-27T17:00Z", "2026-03-31T16:00Z", "2026-04-30T16:00Z",
        "2026-05-29T16:00Z", "2026-06-30T16:00Z", "2026-07-31T16:00Z", "2026-08-31T16:00Z",
        "2026-09-30T16:00Z", "2026-10-30T17:00Z", "2026-11-30T17:00Z", "2026-12-30T17:00Z",
      ])
    #expect(
      schedule.description
        == "cron 0 18 * * * in Europe/Berlin, except Sat,Sun and holidays berlin, only the last entry of each month, "
        + "on clocks in Europe/Berlin")
  }

  @Test func `the second to last Monday of each quarter`() throws {
    try expect(
      Self.schedule(["0 9 * * mon"], [-2], .quarter, zone: "Europe/Berlin"), from: "2026-01-01T00:00:00Z",
      ["2026-03-23T08:00Z", "2026-06-22T07:00Z", "2026-09-21T07:00Z", "2026-12-21T08:00Z"])
  }

  @Test func `weeks begin on the day that is given`() throws {
    let rows: [(Weekday, [Int], [String])] = [
      (.monday, [1], ["2026-01-05T12:00Z", "2026-01-12T12:00Z"]),
      (.sunday, [1], ["2026-01-04T12:00Z", "2026-01-11T12:00Z"]),
      (.sunday, [-1], ["2026-01-03T12:00Z", "2026-01-10T12:00Z"]),
      (.sunday, [2, -3], ["2026-01-01T12:00Z", "2026-01-05T12:00Z", "2026-01-08T12:00Z"]),
      (.thursday, [1, 7], ["2026-01-01T12:00Z", "2026-01-07T12:00Z", "2026-01-08T12:00Z"]),
    ]
    for (weekStart, positions, expected) in rows {
      try expect(
        Self.schedule(["0 12 * * *"], positions, .week, weekStart: weekStart), from: "2026-01-01T00:00:00Z",
        expected)
    }
  }

  @Test func `days of 23 and 25 hours have their own entries`() throws {
    let zone = "Europe/Berlin"
    // On 29 March 2026 clocks skip 02:00, and on 25 October 02:00 comes twice.
    try expect(
      Self.schedule(["0 * * * *"], [3], .day, zone: zone), from: "2026-03-27T23:00:00Z",
      ["2026-03-28T01:00Z", "2026-03-29T01:00Z", "2026-03-30T00:00Z"])
    try expect(
      Self.schedule(["0 * * * *"], [3], .day, zone: zone), from: "2026-10-23T22:00:00Z",
      ["2026-10-24T00:00Z", "2026-10-25T00:00Z", "2026-10-26T01:00Z"])
    try expect(
      Self.schedule(["0 * * * *"], [25], .day, zone: zone), from: "2026-01-01T00:00:00Z",
      ["2026-10-25T22:00Z", "2027-10-31T22:00Z", "2028-10-29T22:00Z"])
    try expect(
      Self.schedule(["0 * * * *"], [-24], .day, zone: zone), from: "2026-03-27T23:00:00Z",
      ["2026-03-27T23:00Z", "2026-03-29T22:00Z"])
    try expect(
      Self.schedule(["0 * * * *"], [-24], .day, zone: zone), from: "2026-10-23T22:00:00Z",
      ["2026-10-23T22:00Z", "2026-10-24T23:00Z", "2026-10-25T23:00Z"])
  }

  @Test func `a day that comes twice where clocks are put back over midnight is one day`() throws {
    // In Beirut 2026-10-25 00:00 becomes 2026-10-24 23:00, so that 24 October has 25 hours.
    try expect(
      Self.schedule(["0 * * * *"], [25, -1], .day, zone: "Asia/Beirut"), from: "2026-10-23T21:00:00Z",
      ["2026-10-24T21:00Z", "2026-10-25T21:00Z"])
    // In St. John's 2009-11-01 00:01 became 2009-10-31 23:01: the minute from 00:00 belongs to November.
    try expect(
      Self.schedule(["0,30 * * * *"], [1, -1], .month, zone: "America/St_Johns"),
      from: "2009-10-31T03:00:00Z",
      ["2009-11-01T02:30Z", "2009-11-01T03:00Z", "2009-12-01T03:00Z"])
  }

  @Test func `the last of a year and the first and last of a month`() throws {
    try expect(
      Self.schedule(["0 12 * * fri"], [-1], .year), from: "2026-01-01T00:00:00Z",
      ["2026-12-25T12:00Z", "2027-12-31T12:00Z", "2028-12-29T12:00Z"])
    try expect(
      Self.schedule(["0 12 * * *"], [366], .year), from: "2026-01-01T00:00:00Z",
      ["2028-12-31T12:00Z", "2032-12-31T12:00Z"])
    try expect(
      Self.schedule(["0 12 20-25 * *"], [-1, 1, 6], .month), from: "2026-01-01T00:00:00Z",
      ["2026-01-20T12:00Z", "2026-01-25T12:00Z", "2026-02-20T12:00Z"])
  }

  @Test func `a start in the middle of a period does not change its positions`() throws {
    func starting(_ text: String, _ position: Int, limit: Int? = nil, ends: String? = nil) throws
      -> ComposedSchedule
    {
      try Self.schedule(["0 12 * * *"], [position], .month) {
        $0.starts = try WallInstant(rfc3339: text)
        $0.ends = try ends.map { try WallInstant(rfc3339: $0) }
        $0.limit = limit
      }
    }
    let (early, late) = ("2026-01-05T00:00:00Z", "2026-01-11T00:00:00Z")
    try expect(starting(early, 10), from: early, ["2026-01-10T12:00Z", "2026-02-10T12:00Z"])
    try expect(starting(late, 10), from: early, ["2026-02-10T12:00Z", "2026-03-10T12:00Z"])
    try expect(starting(early, 1), from: early, ["2026-02-01T12:00Z", "2026-03-01T12:00Z"])
    try expect(starting(early, -30), from: early, ["2026-03-02T12:00Z", "2026-04-01T12:00Z"])
    // The limit counts what is picked, from the start on.
    let limited = try starting(early, 1, limit: 2)
    #expect(limited.count(after: .min, through: .max) == 2)
    try expect(limited, from: "2025-01-01T00:00:00Z", ["2026-02-01T12:00Z", "2026-03-01T12:00Z"])
    let ended = try starting(early, -1, ends: "2026-02-28T11:00:00Z")
    #expect(ended.latest(atOrBefore: .max)?.description == "2026-01-31T12:00:00Z")
    #expect(ended.next(after: .epoch)?.description == "2026-01-31T12:00:00Z")
  }

  @Test func `entries of several rules that meet are one entry`() throws {
    let rules = ["0 9 * * mon", "0 9 * * fri", "0 9 1 * *", "*-*~1 09:00"]
    try expect(
      Self.schedule(rules, [-1], .month), from: "2026-01-01T00:00:00Z",
      ["2026-01-31T09:00Z", "2026-02-28T09:00Z", "2026-03-31T09:00Z"])
    // 1 May 2026 is a Friday, and 1 June a Monday.
    try expect(
      Self.schedule(rules, [2], .month), from: "2026-04-01T00:00:00Z",
      ["2026-04-03T09:00Z", "2026-05-04T09:00Z", "2026-06-05T09:00Z"])
    #expect(throws: ScheduleError.self) { try Self.schedule(["0 12 * * *", "*-*-* 12:00"], [2], .day) }
  }

  @Test func `what is not picked is no omission, and what windows exclude is one`() throws {
    let schedule = try Self.schedule(["0 12 * * *"], [-1], .month, except: ["Sun"])
    let start = try WallInstant(rfc3339: "2026-01-01T00:00:00Z")
    let omissions = ScheduleRule.composed(schedule).omissions(after: start, through: start + .days(31))
    #expect(omissions.map(\.count) == [1, 1, 1, 1])
    #expect(omissions.allSatisfy { $0.outcome == .excluded })
    #expect(ScheduleRule.composed(schedule).emptyPeriods(after: start, years: 3).isEmpty)
  }

  @Test(arguments: [
    ([], "there are 0 positions"), ([0], "position 0"), ([367], "position 367"), ([-367], "position -367"),
    ([Int.min], "position -9223372036854775808"), ([1, -1, 1], "position 1 is given twice"),
    (Array(1...33), "there are 33 positions"),
  ]) func `positions out of range or given twice are refused`(positions: [Int], word: String) {
    let error = #expect(throws: ScheduleError.self) { try EntryPick(positions, per: .month) }
    #expect(error?.description.contains(word) == true)
  }

  @Test func `a pick among too many entries or of none is refused`() throws {
    let rows: [(String, Int, EntryPick.Period, [String], String?)] = [
      ("* * * * *", 1, .day, [], nil),
      ("0,30 * * * * *", 1, .day, [], "the day of 2000-01-01 has 2880 entries"),
      ("* * * * *", -1, .week, [], "the week of 1999-12-27 has 10080 entries"),
      ("* * * * *", -1, .week, ["18:00-08:00"], nil),
      ("* * * * *", 1, .month, ["18:00-08:00"], "the month of 2000-01-01 has 18600 entries"),
      ("every 1ms", 1, .year, [], "entries to pick from"),
      ("*-2-* *:*", 1, .year, [], "the year of 2000-01-01 has 41760 entries"),
      ("2019-*-* *:*:0/20", 1, .day, [], "the day of 2019-01-01 has 4320 entries"),
      ("0 12 * * *", 40, .day, [], "the 40th entry of each day never exists"),
      ("0 12 * * *", 32, .month, [], "the 32nd entry of each month never exists"),
      ("0 12 * * *", -31, .month, [], nil),
      ("0 12 * * *", 366, .year, [], nil),
      ("0 * * * *", 25, .day, [], nil),
    ]
    for (rule, position, period, except, word) in rows {
      do {
        _ = try Self.schedule([rule], [position], period, zone: "Europe/Berlin", except: except)
        #expect(word == nil, "\(rule) \(position)")
      } catch let error as ScheduleError {
        #expect(word.map { error.description.contains($0) } == true, "\(error)")
      }
    }
  }

  @Test(arguments: [
    ([1], EntryPick.Period.day, Weekday.monday, "the first entry of each day"),
    ([-1, 1], .month, .monday, "the first and last entries of each month"),
    (
      [-2, 22, 13, 3, 101], .year, .monday,
      "the third, 13th, 22nd, 101st and second to last entries of each year"
    ),
    ([-111, 6], .week, .sunday, "the 6th and 111th to last entries of each week from Sunday on"),
    ([5], .quarter, .sunday, "the fifth entry of each quarter"),
  ]) func `a pick has words`(positions: [Int], period: EntryPick.Period, start: Weekday, words: String) throws
  {
    #expect(try EntryPick(positions, per: period, weekStart: start).description == words)
  }

  @Test func `an explanation names the clock changes that concern picked entries`() throws {
    let start = try WallInstant(rfc3339: "2026-01-01T00:00:00Z")
    func changes(_ rule: String, _ position: Int, _ period: EntryPick.Period) throws -> [String] {
      let schedule = try Self.schedule([rule], [position], period, zone: "Europe/Berlin")
      let explanation = ScheduleRule.composed(schedule).explanation(from: start, years: 1)
      #expect(explanation.words.contains("; only \(try EntryPick([position], per: period))"))
      #expect(explanation.changes.allSatisfy { !$0.isLeftOut })
      return explanation.changes.map(\.words)
    }
    // Both changes of 2026 are on the last Sunday of a month.
    #expect(try changes("30 2 * * sun", 1, .month).isEmpty)
    #expect(
      try changes("30 2 * * sun", -1, .month) == [
        "02:30 does not exist on 2026-03-29 in Europe/Berlin: it runs at 2026-03-29 03:00:00 CEST",
        "02:30 comes twice on 2026-10-25 in Europe/Berlin: it runs the first time",
      ])
    #expect(
      try changes("0 * * * *", 4, .day) == [
        "02:00 does not exist on 2026-03-29 in Europe/Berlin: the rule follows real time and goes on at "
          + "2026-03-29 04:00:00 CEST",
        "02:00 comes twice on 2026-10-25 in Europe/Berlin: of these runs the one at 2026-10-25 02:00:00 CET is picked",
      ])
    #expect(try changes("0 * * * *", 1, .month).isEmpty)
  }
}
