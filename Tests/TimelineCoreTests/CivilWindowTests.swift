import Testing
import TimelineCore
import TimelineTestSupport

@Suite struct `Windows and holidays in text` {
  static let pairs: [(text: String, printed: String)] = [
    ("Mon..Fri 08:00-18:00", "Mon..Fri 08:00-18:00"), ("mon-fri  8:00-18:00", "Mon..Fri 08:00-18:00"),
    ("22:00-06:00", "22:00-06:00"), ("Sat,Sun", "Sat,Sun"), ("2026-12-24", "2026-12-24"),
    ("2026-12-24..2026-12-31", "2026-12-24..2026-12-31"),
    ("2026-12-24..2026-12-24 12:00-24:00", "2026-12-24 12:00-24:00"),
    ("Mon 00:00-24:00", "Mon"), ("00:00-24:00", "00:00-24:00"), ("18:00-00:00", "18:00-24:00"),
    ("08:00:30-08:00:45", "08:00:30-08:00:45"),
  ]

  @Test(arguments: pairs) func `a text means one window and prints in one way`(
    row: (text: String, printed: String)
  ) throws {
    let window = try CivilWindow(parsing: row.text)
    #expect(window.description == row.printed)
    #expect(try CivilWindow(parsing: row.printed) == window)
  }

  static let refusals: [(text: String, offset: Int, reason: String, suggestion: String?)] = [
    ("", 0, "days such as \"Mon..Fri\" or hours such as \"08:00-18:00\" are expected", nil),
    ("Fri..Mon", 0, "a range that ascends from Monday to Sunday is expected", "Fri..Sun,Mon"),
    ("08:00..18:00", 5, "\"-\" and the end of the hours are expected", "08:00-18:00"),
    ("08:00", 5, "\"-\" and the end of the hours are expected", nil),
    ("08:00-25:00", 6, "a time from 00:00 to 24:00 is expected", nil),
    ("08:00-08:00", 0, "hours that begin and end at different times are expected", "00:00-24:00"),
    ("24:00-08:00", 0, "hours that begin and end at different times are expected", "00:00-24:00"),
    ("2026-02-30", 0, "a date that the calendar has is expected", "2026-02-28"),
    ("2026-12-31..2026-12-24", 0, "a range that ascends is expected", "2026-12-24..2026-12-31"),
    ("24.12.2026", 0, "a date such as \"2026-12-24\" is expected", nil),
    ("Mon 08:00-18:00 UTC", 16, "the end is expected after the hours", "Mon 08:00-18:00"),
    ("Mon Tue", 4, "a time from 00:00 to 24:00 is expected", nil),
  ]

  @Test(arguments: refusals) func `a refusal points at the byte`(
    row: (text: String, offset: Int, reason: String, suggestion: String?)
  ) throws {
    let error = try #require(throws: TextError.self) { try CivilWindow(parsing: row.text) }
    #expect(error.offset == row.offset)
    #expect(error.reason == row.reason)
    #expect(error.suggestion == row.suggestion)
    #expect(error.subject == "a window")
  }

  static func file(_ events: String...) -> [UInt8] {
    let body = events.map { "BEGIN:VEVENT\r\n\($0)\r\nEND:VEVENT\r\n" }.joined()
    return Array("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n\(body)END:VCALENDAR\r\n".utf8)
  }

  static let calendars: [(bytes: [UInt8], dates: [String])] = [
    (
      file("DTSTART;VALUE=DATE:20261224\r\nDTEND;VALUE=DATE:20261227"),
      ["2026-12-24", "2026-12-25", "2026-12-26"]
    ),
    (file("DTSTART;VALUE=DATE;TZID=\"Europe:Berlin\":20261224"), ["2026-12-24"]),
    (file("DTSTART;VALUE=DATE:2026\r\n 1224\r\nSUMMARY:Christ\r\n mas"), ["2026-12-24"]),
    (file("DTSTART:20261231T220000Z\r\nDTEND:20270101T020000Z"), ["2026-12-31", "2027-01-01"]),
    (file("DTSTART:20261231T220000\r\nDTEND:20270101T000000"), ["2026-12-31"]),
    (file("DTSTART:20261224\r\nSTATUS:CANCELLED"), []),
    (file("DTSTART:20261225", "DTSTART:20261224", "DTSTART:20261225"), ["2026-12-24", "2026-12-25"]),
    (
      file(
        "DTSTART:20261225\r\nBEGIN:VALARM\r\nTRIGGER;VALUE=DATE-TIME:20200101T000000Z\r\nDTSTART:bad\r\nEND:VALARM"
      ),
      ["2026-12-25"]
    ),
    (file(), []),
    (file("DTSTART;VALUE=DATE:20261224\r\nDURATION:P3D"), ["2026-12-24", "2026-12-25", "2026-12-26"]),
    (
      file("DURATION:+P1W\r\nDTSTART:20261228"),
      (28...31).map { "2026-12-\($0)" } + (1...3).map { "2027-01-0\($0)" }
    ),
    (file("DTSTART:20261224T120000Z\r\nDURATION:PT12H"), ["2026-12-24"]),
    (file("DTSTART:20261224T120000Z\r\nDURATION:PT12H0M1S"), ["2026-12-24", "2026-12-25"]),
    (
      file("DTSTART:20261224T180000\r\nDURATION:P1DT12H"), ["2026-12-24", "2026-12-25", "2026-12-26"]
    ),
    (file("DTSTART:20261224T180000\r\nDURATION:PT0S"), ["2026-12-24"]),
    ([0xEF, 0xBB, 0xBF] + file("DTSTART:20261224"), ["2026-12-24"]),
  ]

  @Test(arguments: calendars) func `an iCalendar file gives the days of its events`(
    row: (bytes: [UInt8], dates: [String])
  ) throws {
    let list = try HolidayList(name: "test", iCalendar: row.bytes)
    #expect(list.dates.map(\.description) == row.dates)
    let unix = row.bytes.filter { $0 != UInt8(ascii: "\r") }
    #expect(try HolidayList(name: "test", iCalendar: unix) == list)
  }

  static let damaged: [(bytes: [UInt8], error: String)] = [
    ([], "line 1, column 1: \"BEGIN:VCALENDAR\" is expected: it is no iCalendar file"),
    (file("DTSTART:20261324"), "line 4, column 9: a date such as 20261224 is expected"),
    (file("DTSTART:2026"), "line 4, column 9: a date such as 20261224 is expected"),
    (file("DTSTART:20261224X"), "line 4, column 17: the end of the line is expected"),
    (file("DTSTART:20261224T12"), "line 4, column 18: a time such as 180000 is expected"),
    (file("DTSTART:20261224\r\nDTEND:20261220"), "line 6, column 1: \"DTEND\" is expected after \"DTSTART\""),
    (
      file("DTSTART:20261224\r\nDTEND:20281224"), "line 6, column 1: an event of at most 366 days is expected"
    ),
    (
      file("DTSTART:20261224\r\nDTEND:20261225\r\nDURATION:P1D"),
      "line 6, column 1: \"DTEND\" or \"DURATION\" is expected in an event, not both"
    ),
    (
      file("DTSTART:20261224\r\nDURATION:PT24H"),
      "line 5, column 1: days or weeks are expected, such as P3D: the event has no time of the day"
    ),
    (
      file("DTSTART:20261224\r\nDURATION:-P1D"),
      "line 5, column 10: a duration such as P3D, P1W or PT36H is expected"
    ),
    (
      file("DTSTART:20261224\r\nDURATION:P1W2D"),
      "line 5, column 13: a duration such as P3D, P1W or PT36H is expected"
    ),
    (
      file("DTSTART:20261224\r\nDURATION:P"),
      "line 5, column 11: a duration such as P3D, P1W or PT36H is expected"
    ),
    (
      file("DTSTART:20261224T120000\r\nDURATION:P1DT"),
      "line 5, column 14: a duration such as P3D, P1W or PT36H is expected"
    ),
    (
      file("DTSTART:20261224T120000\r\nDURATION:PT1M1H"),
      "line 5, column 15: a duration such as P3D, P1W or PT36H is expected"
    ),
    (
      file("DTSTART:20261224\r\nDURATION:P9999999999D"),
      "line 5, column 20: a duration such as P3D, P1W or PT36H is expected"
    ),
    (
      file("DTSTART:20261224\r\nDURATION:P999999999W"),
      "line 6, column 1: an event of at most 366 days is expected"
    ),
    (file("SUMMARY:x"), "line 5, column 1: \"DTSTART\" is expected in the event before its end"),
    (file("nonsense"), "line 4, column 9: \":\" and a value are expected"),
    (
      file("DTSTART:20261224\r\nRRULE:FREQ=YEARLY"),
      "line 5, column 1: RRULE is not read; export the calendar with each day as an event of its own"
    ),
    (
      Array("BEGIN:VCALENDAR\nBEGIN:VEVENT\nBEGIN:VEVENT".utf8),
      "line 3, column 1: \"END:VEVENT\" is expected before another event"
    ),
    (
      Array("BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:20261224".utf8),
      "line 3, column 17: \"END:VEVENT\" is expected"
    ),
    (Array(repeating: 0x41, count: 1_048_577), "line 1, column 1: the file has more than 1048576 bytes"),
  ]

  @Test(arguments: damaged) func `a damaged file is refused with line and column`(
    row: (bytes: [UInt8], error: String)
  ) throws {
    let error = try #require(throws: HolidayFileError.self) {
      try HolidayList(name: "test", iCalendar: row.bytes)
    }
    #expect(error.description == row.error)
  }

  static let seed: UInt64 = 0x1CA1

  @Test func `a fuzzed file is read or refused`() throws {
    var generator = SeededGenerator(seed: Self.seed)
    let whole = Self.file(
      "DTSTART;VALUE=DATE:20261224\r\nDTEND:20261227\r\nSUMMARY:a\\,b", "DTSTART:20260101T120000Z")
    var readCount = 0
    for _ in 0..<5_000 {
      var bytes = whole
      for _ in 0..<Int.random(in: 0...3, using: &generator) {
        guard let place = bytes.indices.randomElement(using: &generator) else { break }
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
        case 1: bytes.remove(at: place)
        default: bytes = Array(bytes.prefix(place + 1))
        }
      }
      do throws(HolidayFileError) {
        let list = try HolidayList(name: "test", iCalendar: bytes)
        #expect(list.dates.count <= 8 * 366)
        readCount += 1
      } catch {
        #expect(error.line >= 1 && error.column >= 1)
      }
    }
    #expect(readCount > 500)
  }

  @Test func `a list holds no more days than it may`() {
    let dates = (0..<5_000).compactMap { CivilDate(daysSinceEpoch: $0 * 2) }
    #expect(HolidayList(name: "many", dates: dates + dates).dates.count == HolidayList.dayCountMax)
  }
}
