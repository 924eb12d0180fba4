import Testing
import TimelineCore

@testable import TimelineConfiguration

/// Comparison of times as instants, in any zones.
@Suite struct `Instants of holidays` {
  static let file = `Calendars of holidays`.file
  static let berlin = "DTSTART;TZID=Europe/Berlin:20250630T073000\r\nRRULE:FREQ=WEEKLY;"

  /// A file, a zone, and the days in it.
  static let instants: [(bytes: [UInt8], zone: String, dates: [String])] = [
    // UNTIL.
    (file(berlin + "UNTIL=20250714T053000Z"), "Europe/Berlin", ["2025-06-30", "2025-07-07", "2025-07-14"]),
    (file(berlin + "UNTIL=20250714T052959Z"), "Europe/Berlin", ["2025-06-30", "2025-07-07"]),
    (file(berlin + "UNTIL=20250714"), "Europe/Berlin", ["2025-06-30", "2025-07-07", "2025-07-14"]),
    (file(berlin + "UNTIL=20250714T073000"), "Europe/Berlin", ["2025-06-30", "2025-07-07", "2025-07-14"]),
    (
      file("DTSTART;TZID=America/New_York:20250630T200000\r\nRRULE:FREQ=WEEKLY;UNTIL=20250714T235959Z"),
      "America/New_York", ["2025-06-30", "2025-07-07"]
    ),
    // EXDATE.
    (file(berlin + "COUNT=3\r\nEXDATE:20250707T053000Z"), "Europe/Berlin", ["2025-06-30", "2025-07-14"]),
    (
      file(berlin + "COUNT=3\r\nEXDATE;TZID=America/New_York:20250707T013000"), "Europe/Berlin",
      ["2025-06-30", "2025-07-14"]
    ),
    (
      file(berlin + "COUNT=3\r\nEXDATE:20250707T073000Z"), "Europe/Berlin",
      ["2025-06-30", "2025-07-07", "2025-07-14"]
    ),
    (file(berlin + "COUNT=3\r\nEXDATE;VALUE=DATE:20250707"), "Europe/Berlin", ["2025-06-30", "2025-07-14"]),
    (file(berlin + "COUNT=3\r\nEXDATE:20250707T073000"), "Europe/Berlin", ["2025-06-30", "2025-07-14"]),
    (
      file(
        "DTSTART;VALUE=DATE:20250630\r\nRRULE:FREQ=WEEKLY;COUNT=3\r\nEXDATE;TZID=Asia/Shanghai:20250707T000000"
      ),
      "UTC", ["2025-06-30", "2025-07-14"]
    ),
    // 02:30 is skipped on that day, and read by the offset before the change.
    (
      file(
        "DTSTART;TZID=Europe/Berlin:20260328T023000\r\nRRULE:FREQ=DAILY;COUNT=3\r\nEXDATE:20260329T013000Z"),
      "Europe/Berlin", ["2026-03-28", "2026-03-30"]
    ),
    // RECURRENCE-ID.
    (
      file(
        "UID:a\r\n" + berlin + "COUNT=3",
        "UID:a\r\nRECURRENCE-ID:20250707T053000Z\r\nDTSTART;TZID=Europe/Berlin:20250709T073000",
        "UID:a\r\nRECURRENCE-ID;TZID=Asia/Shanghai:20250714T133000\r\nDTSTART:20250714T053000Z\r\nSTATUS:CANCELLED"
      ),
      "Europe/Berlin", ["2025-06-30", "2025-07-09"]
    ),
    // RDATE.
    (
      file(
        "DTSTART;TZID=Europe/Berlin:20260101T120000\r\nDURATION:PT1H\r\n"
          + "RDATE;VALUE=PERIOD:20260201T220000Z/PT5H,20260301T000000Z/20260303T000000Z"),
      "UTC", ["2026-01-01", "2026-02-01", "2026-02-02", "2026-03-01", "2026-03-02"]
    ),
    (
      file(
        "DTSTART;TZID=Europe/Berlin:20260101T000000\r\nDTEND;TZID=Europe/Berlin:20260103T000000\r\n"
          + "RDATE:20260131T230000Z\r\nRDATE;VALUE=DATE:20260301"),
      "Europe/Berlin", ["2026-01-01", "2026-01-02", "2026-02-01", "2026-02-02", "2026-03-01", "2026-03-02"]
    ),
    // Hours of a duration are exact, days are days of the zone.
    (file("DTSTART;TZID=Europe/Berlin:20271031T000000\r\nDURATION:PT25H"), "Europe/Berlin", ["2027-10-31"]),
    (file("DTSTART:20271031T000000\r\nDURATION:PT25H"), "Europe/Berlin", ["2027-10-31"]),
    (file("DTSTART:20271031T000000\r\nDURATION:PT25H"), "UTC", ["2027-10-31", "2027-11-01"]),
    (
      file("DTSTART;TZID=Europe/Berlin:20270328T000000\r\nDURATION:PT24H"), "Europe/Berlin",
      ["2027-03-28", "2027-03-29"]
    ),
    (file("DTSTART;TZID=Europe/Berlin:20270328T000000\r\nDURATION:P1D"), "Europe/Berlin", ["2027-03-28"]),
    (
      file("DTSTART;TZID=Europe/Berlin:20271030T000000\r\nDURATION:P1DT25H"), "Europe/Berlin",
      ["2027-10-30", "2027-10-31"]
    ),
    // From DTSTART to DTEND it is exactly as long each time.
    (
      file(
        "DTSTART;TZID=Europe/Berlin:20271030T000000\r\nDTEND;TZID=Europe/Berlin:20271031T000000\r\n"
          + "RRULE:FREQ=DAILY;COUNT=2"), "Europe/Berlin", ["2027-10-30", "2027-10-31"]
    ),
    (
      file(
        "DTSTART;TZID=Europe/Berlin:20270327T000000\r\nDTEND;TZID=Europe/Berlin:20270328T000000\r\n"
          + "RRULE:FREQ=WEEKLY;COUNT=2;BYDAY=SU,SA"), "Europe/Berlin",
      ["2027-03-27", "2027-03-28", "2027-03-29"]
    ),
    // An end that is later, and earlier on the clocks of its zone.
    (
      file("DTSTART;TZID=Asia/Shanghai:20260101T080000\r\nDTEND;TZID=America/New_York:20251231T200000"),
      "Asia/Shanghai", ["2026-01-01"]
    ),
  ]

  @Test(arguments: instants) func `times of zones are compared as instants`(
    row: (bytes: [UInt8], zone: String, dates: [String])
  ) throws {
    let zone = try #require(`Calendars of holidays`.zone(row.zone))
    #expect(
      try `Calendars of holidays`.events(row.bytes).list(in: zone).dates.map(\.description) == row.dates)
  }

  static let described = `Calendars of holidays`.berlinInWindowsWords

  /// The file with a described zone, with another event.
  static func described(_ event: String) -> [UInt8] {
    let zone = described.split(separator: "BEGIN:VEVENT")[0].replacing("W. Europe Standard Time", with: "X")
    return Array("\(zone)BEGIN:VEVENT\n\(event)\nEND:VEVENT\nEND:VCALENDAR".utf8)
  }

  /// An event in a zone that the file describes, and the days in Berlin.
  static let inDescribedZone: [(event: String, dates: [String])] = [
    (
      "DTSTART;TZID=X:20260701T000000\nDURATION:PT1H\nRRULE:FREQ=DAILY;UNTIL=20260703T220000Z\nEXDATE:20260701T220000Z",
      ["2026-07-01", "2026-07-03", "2026-07-04"]
    ),
    ("DTSTART;TZID=X:20271031T000000\nDURATION:PT25H", ["2027-10-31"]),
    ("DTSTART;TZID=X:20271030T000000\nDURATION:P1DT25H", ["2027-10-30", "2027-10-31"]),
    // 02:30 is skipped, and comes twice.
    (
      "DTSTART;TZID=X:20260328T023000\nRRULE:FREQ=DAILY;COUNT=3\nEXDATE:20260329T013000Z",
      ["2026-03-28", "2026-03-30"]
    ),
    (
      "DTSTART;TZID=X:20261024T023000\nRRULE:FREQ=DAILY;COUNT=3\nEXDATE:20261025T003000Z",
      ["2026-10-24", "2026-10-26"]
    ),
  ]

  @Test(arguments: inDescribedZone) func `a described zone has instants too`(
    row: (event: String, dates: [String])
  ) throws {
    let zone = try #require(`Calendars of holidays`.zone("Europe/Berlin"))
    let days = try `Calendars of holidays`.events(Self.described(row.event)).list(in: zone).dates
    #expect(days.map(\.description) == row.dates)
  }

  /// Text of the description of a zone, what replaces it, and the line, column and reason of the refusal.
  static let wrongZones: [(from: String, to: String, line: Int, column: Int, reason: String)] = [
    (
      "TZOFFSETTO:+0100\n", "", 2, 1,
      "a time zone is expected with TZID and, in each STANDARD and DAYLIGHT, DTSTART, TZOFFSETFROM and TZOFFSETTO"
    ),
    ("TZOFFSETTO:+0100", "TZOFFSETTO:CET", 7, 12, "an offset such as +0100 is expected"),
    (
      "BYDAY=-1SU;BYMONTH=10", "BYWEEKNO=43;BYDAY=SU", 8, 30,
      "a time zone is expected to change its clocks by FREQ=YEARLY with BYMONTH, BYDAY and BYMONTHDAY alone"
    ),
  ]

  @Test(arguments: wrongZones) func `a description of a zone that would become another is refused`(
    row: (from: String, to: String, line: Int, column: Int, reason: String)
  ) throws {
    let bytes = Array(Self.described.replacing(row.from, with: row.to).utf8)
    let failure = try #require(try `Calendars of holidays`.refusal(bytes))
    #expect(failure.reason == row.reason)
    #expect(failure.line == row.line && failure.column == row.column)
  }

  static let refused: [(bytes: [UInt8], line: Int, column: Int, reason: String)] = [
    (
      file("DTSTART:20250630T073000\r\nRRULE:FREQ=WEEKLY;UNTIL=20250714T053000Z"), 5, 19,
      "UNTIL is expected without a zone, as DTSTART is"
    ),
    (
      file("DTSTART:20250630T073000\r\nRRULE:FREQ=WEEKLY\r\nEXDATE:20250707T073000Z"), 6, 1,
      "EXDATE is expected without a zone, as DTSTART is"
    ),
    (
      file("DTSTART:20250630\r\nRRULE:FREQ=WEEKLY\r\nEXDATE:20250706T220000Z"), 6, 1,
      "EXDATE is expected as a day such as 20261224, as DTSTART is"
    ),
    (
      file(
        "UID:a\r\nDTSTART:20250630\r\nRRULE:FREQ=WEEKLY",
        "UID:a\r\nDTSTART:20250708\r\nRECURRENCE-ID:20250706T220000Z"),
      11, 1, "RECURRENCE-ID is expected as a day such as 20261224, as DTSTART is"
    ),
    (
      file("DTSTART:20250708\r\nRECURRENCE-ID;VALUE=DATE;RANGE=THISANDFUTURE:20250707"), 5, 26,
      "RANGE is not read; end the event with UNTIL and write another that begins here"
    ),
    (
      file("DTSTART:20250708\r\nEXRULE:FREQ=YEARLY"), 5, 1, "EXRULE is not read; write the days as EXDATE"
    ),
    (
      file("DTSTART;TZID=Europe/Berlin:20260101T000000\r\nDTEND:20260102T000000"), 5, 1,
      "\"DTEND\" is expected with a zone or without, as \"DTSTART\" is"
    ),
    (
      file("DTSTART;TZID=Asia/Shanghai:20260101T080000\r\nDTEND;TZID=America/New_York:20251231T180000"), 5, 1,
      "the end is expected after the start"
    ),
    (
      file("DTSTART:20260101T080000Z\r\nRDATE;VALUE=PERIOD:20260201T220000Z/20260201T210000Z"), 5, 1,
      "the end is expected after the start"
    ),
    (
      file("DTSTART;TZID=Europe/Berlin:16010101T000000\r\nDURATION:P1D"), 4, 1,
      "a time of a zone is expected in the years from 1678 through 2261"
    ),
  ]

  @Test(arguments: refused) func `what is an instant in one place only is refused by name`(
    row: (bytes: [UInt8], line: Int, column: Int, reason: String)
  ) throws {
    let failure = try #require(try `Calendars of holidays`.refusal(row.bytes))
    #expect(failure.reason == row.reason)
    #expect(failure.line == row.line && failure.column == row.column)
  }
}
