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
    ("08:00-08:00", 0, "hours that begin and end at different times are expected", nil),
    ("24:00-08:00", 0, "hours that begin and end at different times are expected", nil),
    ("2026-02-30", 0, "a date that the calendar has is expected", nil),
    ("2026-12-31..2026-12-24", 0, "a range that ascends is expected", "2026-12-24..2026-12-31"),
    ("24.12.2026", 0, "a date such as \"2026-12-24\" is expected", nil),
    ("Mon 08:00-18:00 UTC", 16, "the end is expected after the hours", nil),
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

  @Test func `a list has no more days than the limit`() {
    let dates = (0..<5_000).compactMap { CivilDate(daysSinceEpoch: $0 * 2) }
    #expect(HolidayList(name: "many", dates: dates + dates).dates.count == HolidayList.dayCountMax)
  }
}
