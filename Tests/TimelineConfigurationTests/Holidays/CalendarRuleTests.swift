import Testing
import TimelineCore

@testable import TimelineConfiguration

/// Rules of events that repeat, by RFC 5545, section 3.3.10.
@Suite struct `Rules of holidays` {
  static func days(of start: String, _ rule: String, _ years: ClosedRange<Int>) throws -> [String] {
    let bytes = `Calendars of holidays`.file("DTSTART;VALUE=DATE:\(start)\r\nRRULE:\(rule)")
    let output = try `Calendars of holidays`.lines(bytes, years: years)
    let events = try CalendarLines(zone: `Calendars of holidays`.zone).events(of: output, name: "test")
    return events.list(in: .utc).dates.map(\.description)
  }

  /// A first day, a rule, and the days in the years from 2025 through 2030.
  static let rules: [(start: String, rule: String, days: [String])] = [
    // Without BYDAY it is the weekday of DTSTART, which counts in any case.
    (
      "20260131", "FREQ=YEARLY;BYWEEKNO=20",
      ["2026-01-31", "2026-05-16", "2027-05-22", "2028-05-20", "2029-05-19", "2030-05-18"]
    ),
    ("20251229", "FREQ=YEARLY;BYWEEKNO=-53;BYDAY=MO,TU,TH", ["2025-12-29", "2025-12-30", "2026-01-01"]),
    ("20201228", "FREQ=YEARLY;BYWEEKNO=53;BYDAY=MO", ["2026-12-28"]),
    ("20260102", "FREQ=YEARLY;BYWEEKNO=52;BYDAY=FR;WKST=SA;COUNT=2", ["2026-01-02", "2027-01-01"]),
    (
      "20261227", "FREQ=YEARLY;BYWEEKNO=52;BYDAY=SU",
      ["2026-12-27", "2028-01-02", "2028-12-31", "2029-12-30", "2030-12-29"]
    ),
    (
      "20260102", "FREQ=YEARLY;BYWEEKNO=-1",
      ["2026-01-02", "2027-01-01", "2027-12-31", "2028-12-29", "2029-12-28", "2030-12-27"]
    ),
    (
      "20260104", "FREQ=YEARLY;BYWEEKNO=1;BYDAY=SU;WKST=SU",
      ["2026-01-04", "2027-01-03", "2028-01-02", "2028-12-31", "2029-12-30", "2030-12-29"]
    ),
    ("20260511", "FREQ=YEARLY;INTERVAL=2;BYWEEKNO=20;BYDAY=MO;COUNT=2", ["2026-05-11", "2028-05-15"]),
    (
      "20260101", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=3",
      ["2026-01-01", "2026-01-30", "2026-02-27"]
    ),
    (
      "20260108", "FREQ=WEEKLY;BYDAY=TU,TH,FR;BYSETPOS=1;COUNT=3", ["2026-01-08", "2026-01-13", "2026-01-20"]
    ),
    (
      "20260102", "FREQ=MONTHLY;BYDAY=FR,-1TU;COUNT=5",
      ["2026-01-02", "2026-01-09", "2026-01-16", "2026-01-23", "2026-01-27"]
    ),
    ("20260103", "FREQ=DAILY;INTERVAL=2;BYMONTHDAY=3;COUNT=2", ["2026-01-03", "2026-04-03"]),
    ("20260131", "FREQ=MONTHLY;COUNT=3", ["2026-01-31", "2026-03-31", "2026-05-31"]),
    ("20240229", "FREQ=YEARLY", ["2024-02-29", "2028-02-29"]),
    ("20261231", "freq=yearly;byyearday=-1;count=2;", ["2026-12-31", "2027-12-31"]),
    // BYHOUR "MUST be ignored" where DTSTART is a date.
    ("20260101", "FREQ=YEARLY;BYHOUR=1,9;COUNT=2", ["2026-01-01", "2027-01-01"]),
    // DTSTART "always counts as the first occurrence".
    ("20260101", "FREQ=YEARLY;BYDAY=20MO;COUNT=2", ["2026-01-01", "2026-05-18"]),
    // A bound in UTC of days is the day that it is written as.
    ("20260101", "FREQ=YEARLY;UNTIL=20270101T000000Z", ["2026-01-01", "2027-01-01"]),
    ("20260101", "FREQ=YEARLY;UNTIL=20261231T235959Z", ["2026-01-01"]),
    ("20300101", "FREQ=YEARLY;UNTIL=99991231T235959Z", ["2030-01-01"]),
  ]

  @Test(arguments: rules) func `a rule names the days of RFC 5545`(
    row: (start: String, rule: String, days: [String])
  ) throws {
    #expect(try Self.days(of: row.start, row.rule, 2_025...2_030) == row.days)
  }

  /// Examples of RFC 5545, section 3.8.5.3, and the first days that it lists.
  static let examples: [(start: String, rule: String, days: [String])] = [
    ("19970902", "FREQ=DAILY;INTERVAL=10;COUNT=3", ["1997-09-02", "1997-09-12", "1997-09-22"]),
    (
      "19970902", "FREQ=WEEKLY;COUNT=4;WKST=SU;BYDAY=TU,TH",
      ["1997-09-02", "1997-09-04", "1997-09-09", "1997-09-11"]
    ),
    (
      "19970805", "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO",
      ["1997-08-05", "1997-08-10", "1997-08-19", "1997-08-24"]
    ),
    (
      "19970805", "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU",
      ["1997-08-05", "1997-08-17", "1997-08-19", "1997-08-31"]
    ),
    (
      "19970907", "FREQ=MONTHLY;INTERVAL=2;COUNT=4;BYDAY=1SU,-1SU",
      ["1997-09-07", "1997-09-28", "1997-11-02", "1997-11-30"]
    ),
    ("19970928", "FREQ=MONTHLY;BYMONTHDAY=-3", ["1997-09-28", "1997-10-29", "1997-11-28", "1997-12-29"]),
    (
      "19970101", "FREQ=YEARLY;INTERVAL=3;COUNT=4;BYYEARDAY=1,100,200",
      ["1997-01-01", "1997-04-10", "1997-07-19", "2000-01-01"]
    ),
    ("19970519", "FREQ=YEARLY;BYDAY=20MO", ["1997-05-19", "1998-05-18", "1999-05-17"]),
    ("19970512", "FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO", ["1997-05-12", "1998-05-11", "1999-05-17"]),
    (
      "19980213", "FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13",
      ["1998-02-13", "1998-03-13", "1998-11-13", "1999-08-13", "2000-10-13"]
    ),
    (
      "19961105", "FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8",
      ["1996-11-05", "2000-11-07"]
    ),
    (
      "19970904", "FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3",
      ["1997-09-04", "1997-10-07", "1997-11-06"]
    ),
    (
      "19970929", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2",
      ["1997-09-29", "1997-10-30", "1997-11-27", "1997-12-30"]
    ),
  ]

  @Test(arguments: examples) func `an example of RFC 5545 has its days`(
    row: (start: String, rule: String, days: [String])
  ) throws {
    let days = try Self.days(of: row.start, row.rule, 1_996...2_003)
    #expect(days.prefix(row.days.count) == row.days[...])
  }

  /// A rule, the column behind `RRULE:` at which it is refused, and the reason.
  static let refused: [(rule: String, column: Int, reason: String)] = [
    ("FREQ=NEVER", 6, "FREQ is expected as DAILY, WEEKLY, MONTHLY or YEARLY"),
    ("FREQ=HOURLY", 6, "FREQ=HOURLY is not read: days are expected, as DAILY"),
    ("INTERVAL=2", 1, "a rule such as FREQ=YEARLY is expected"),
    ("", 1, "a rule such as FREQ=YEARLY is expected"),
    ("RSCALE=CHINESE;FREQ=YEARLY", 1, "RSCALE of a rule is not read"),
    ("FREQ=YEARLY;FREQ=DAILY", 13, "FREQ is expected once"),
    ("FREQ=YEARLY;BYMONTH=1,13", 23, "BYMONTH is expected from 1 through 12"),
    ("FREQ=YEARLY;BYMONTH=1;BYDAY=MX", 29, "a weekday such as MO is expected"),
    (
      "FREQ=MONTHLY;BYMONTHDAY=-32", 25,
      "BYMONTHDAY is expected from 1 through 31, or from the end with \"-\""
    ),
    ("FREQ=YEARLY;INTERVAL=0", 22, "INTERVAL is expected from 1 through 9999"),
    ("FREQ=YEARLY;COUNT=2x", 20, "the end of COUNT is expected"),
    ("FREQ=YEARLY;UNTIL=20260230", 19, "UNTIL is expected as 20261224 or 20261224T235959Z"),
    ("FREQ=YEARLY;COUNT=2;UNTIL=20270101", 21, "UNTIL and COUNT are not allowed in one rule"),
    ("FREQ=MONTHLY;BYWEEKNO=20", 14, "BYWEEKNO is allowed with FREQ=YEARLY alone"),
    ("FREQ=WEEKLY;BYMONTHDAY=1", 13, "BYMONTHDAY is not allowed with FREQ=WEEKLY"),
    (
      "FREQ=WEEKLY;BYDAY=MO,1TU", 13, "BYDAY with a number is allowed with FREQ=MONTHLY and FREQ=YEARLY alone"
    ),
    ("FREQ=YEARLY;BYWEEKNO=20;BYDAY=1MO", 25, "BYDAY with a number is not allowed beside BYWEEKNO"),
    ("FREQ=YEARLY;BYSETPOS=1", 13, "BYSETPOS is expected beside another part, such as BYDAY"),
    (
      "FREQ=YEARLY;BYMONTHDAY=13;BYDAY=FR", 13,
      "BYMONTHDAY of FREQ=YEARLY is expected with BYMONTH: programs differ in which months it means without"
    ),
    (
      "FREQ=YEARLY;INTERVAL=2;BYWEEKNO=53", 24,
      "BYWEEKNO 1, 52 and 53 are not read with INTERVAL or BYSETPOS: programs differ in the year that such a week is of"
    ),
    ("FREQ=DAILY;UNTIL=20270101T220000Z", 12, "UNTIL is expected as a day such as 20261224, as DTSTART is"),
  ]

  @Test(arguments: refused) func `a rule without a certain meaning is refused by name`(
    row: (rule: String, column: Int, reason: String)
  ) throws {
    let bytes = `Calendars of holidays`.file("DTSTART;VALUE=DATE:20260101\r\nRRULE:\(row.rule)")
    let failure = try #require(try `Calendars of holidays`.refusal(bytes))
    #expect(failure.reason == row.reason)
    #expect(failure.line == 5 && failure.column == row.column + 6)
  }

  /// A rule in several lines, and the line and column at which it is refused.
  static let folded: [(rule: String, line: Int, column: Int)] = [
    ("FREQ=YEARLY;\r\n BYMONTHDAY=1", 6, 2),
    ("FREQ=YEA\r\n RLY;BYMON\r\n TH=13", 7, 5),
    ("FREQ=YEARLY;BYDAY=MX;\r\n BYMONTH=1", 5, 25),
  ]

  @Test(arguments: folded) func `a refusal names the line in which a folded rule is wrong`(
    row: (rule: String, line: Int, column: Int)
  ) throws {
    let bytes = `Calendars of holidays`.file("DTSTART;VALUE=DATE:20260101\r\nRRULE:\(row.rule)")
    let failure = try #require(try `Calendars of holidays`.refusal(bytes))
    #expect(failure.line == row.line && failure.column == row.column)
  }
}
