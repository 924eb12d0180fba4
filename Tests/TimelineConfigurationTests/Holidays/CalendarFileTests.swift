import Foundation
import Testing
import TimelineCore
import TimelineSystem
import TimelineTestSupport

@testable import TimelineConfiguration

/// Output of the program `timeline-calendar` for iCalendar files, and the lists of holidays made of it.
@Suite struct `Calendars of holidays` {
  static func file(_ events: String...) -> [UInt8] {
    let body = events.map { "BEGIN:VEVENT\r\n\($0)\r\nEND:VEVENT\r\n" }.joined()
    return Array("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n\(body)END:VCALENDAR\r\n".utf8)
  }

  /// The program's lines for a file, with what repeats from 2025 to 2030.
  static func lines(_ bytes: [UInt8], years: ClosedRange<Int> = 2_025...2_030) throws(SystemError) -> [UInt8]
  {
    try FilterProcess.run(
      executable: BuiltProgram.calendarReader, arguments: ["\(years.lowerBound)", "\(years.upperBound)"],
      input: bytes, outputMax: 4 << 20, timeout: .seconds(30)
    ).output
  }

  static func zone(_ name: String) -> Zone? {
    name == "Asia/Shanghai"
      ? Zone(name: name, rule: "CST-8", offset: 28_800) : ConfigurationContext.golden.zone(name)
  }

  static func events(_ bytes: [UInt8]) throws -> HolidayEvents {
    try CalendarLines(zone: zone).events(of: lines(bytes), name: "test")
  }

  static func refusal(_ bytes: [UInt8]) throws -> CalendarLines.Failure? {
    let output = try lines(bytes)
    do throws(CalendarLines.Failure) {
      _ = try CalendarLines(zone: zone).events(of: output, name: "test")
      return nil
    } catch {
      return error
    }
  }

  static let days: [(bytes: [UInt8], dates: [String])] = [
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
    (file("DTSTART:20261224T180000\r\nDURATION:P1DT12H"), ["2026-12-24", "2026-12-25", "2026-12-26"]),
    (file("DTSTART:20261224T180000\r\nDURATION:PT0S"), ["2026-12-24"]),
    ([0xEF, 0xBB, 0xBF] + file("DTSTART:20261224"), ["2026-12-24"]),
    // Repeated.
    (
      file("DTSTART;VALUE=DATE:20201225\r\nRRULE:FREQ=YEARLY;COUNT=9\r\nEXDATE;VALUE=DATE:20271225"),
      ["2024-12-25", "2025-12-25", "2026-12-25", "2028-12-25"]
    ),
    (
      file("DTSTART;VALUE=DATE:16010101\r\nRRULE:FREQ=YEARLY;UNTIL=20270101;BYMONTH=11;BYDAY=4TH"),
      ["2024-11-28", "2025-11-27", "2026-11-26"]
    ),
    (
      file(
        "DTSTART:20260101\r\nRDATE;VALUE=DATE:20260501,20261003",
        "DTSTART:20260704\r\nRRULE:FREQ=YEARLY;UNTIL=20260704"),
      ["2026-01-01", "2026-05-01", "2026-07-04", "2026-10-03"]
    ),
    (
      file(
        "UID:a\r\nDTSTART:20290101\r\nRECURRENCE-ID;VALUE=DATE:20281225\r\nSUMMARY:moved",
        "UID:a\r\nDTSTART:20271225\r\nRRULE:FREQ=YEARLY",
        "UID:b\r\nDTSTART:20281225\r\nRECURRENCE-ID:20281225\r\nSTATUS:CANCELLED"),
      ["2027-12-25", "2029-01-01", "2029-12-25", "2030-12-25"]
    ),
    (
      file(
        "DTSTART:20261224T180000Z\r\nDURATION:PT1H\r\nRRULE:FREQ=DAILY;COUNT=3\r\nEXDATE:20261225T180000Z"),
      ["2026-12-24", "2026-12-26"]
    ),
    // A single day counts whenever it is.
    (file("DTSTART:19991231", "DTSTART:20501231"), ["1999-12-31", "2050-12-31"]),
  ]

  @Test(arguments: days) func `a calendar gives the days of its events`(
    row: (bytes: [UInt8], dates: [String])
  ) throws {
    let list = try Self.events(row.bytes).list(in: .utc)
    #expect(list.dates.map(\.description) == row.dates)
  }

  @Test func `lines may end as they do on Unix`() throws {
    let folded = Self.file("DTSTART;VALUE=DATE:2026\r\n 1224\r\nSUMMARY:Christ\r\n mas")
    #expect(try Self.events(folded.filter { $0 != UInt8(ascii: "\r") }) == Self.events(folded))
  }

  static let berlinInWindowsWords = """
    BEGIN:VCALENDAR
    BEGIN:VTIMEZONE
    TZID:W. Europe Standard Time
    BEGIN:STANDARD
    DTSTART:16010101T030000
    TZOFFSETFROM:+0200
    TZOFFSETTO:+0100
    RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=10
    END:STANDARD
    BEGIN:DAYLIGHT
    DTSTART:16010101T020000
    TZOFFSETFROM:+0100
    TZOFFSETTO:+0200
    RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=3
    END:DAYLIGHT
    END:VTIMEZONE
    BEGIN:VEVENT
    DTSTART;TZID=W. Europe Standard Time:20260701T000000
    DTEND;TZID=W. Europe Standard Time:20260702T000000
    END:VEVENT
    END:VCALENDAR
    """

  /// A file, a zone, and the days in it.
  static let zoned: [(bytes: [UInt8], zone: String, dates: [String])] = [
    (file("DTSTART:20251231T160000Z\r\nDTEND:20260101T160000Z"), "Asia/Shanghai", ["2026-01-01"]),
    (
      file("DTSTART:20251231T160000Z\r\nDTEND:20260101T160000Z"), "Europe/Berlin",
      ["2025-12-31", "2026-01-01"]
    ),
    (
      file("DTSTART:20251231T160000Z\r\nDTEND:20260101T160000Z"), "America/New_York",
      ["2025-12-31", "2026-01-01"]
    ),
    (file("DTSTART;VALUE=DATE:20260101"), "Asia/Shanghai", ["2026-01-01"]),
    (file("DTSTART:20260101T000000\r\nDTEND:20260102T000000"), "America/New_York", ["2026-01-01"]),
    (
      file("DTSTART;TZID=Asia/Shanghai:20260101T000000\r\nDTEND;TZID=Asia/Shanghai:20260102T000000"),
      "Asia/Shanghai", ["2026-01-01"]
    ),
    (
      file("DTSTART;TZID=Asia/Shanghai:20260101T000000\r\nDURATION:P1D"), "UTC", ["2025-12-31", "2026-01-01"]
    ),
    (Array(berlinInWindowsWords.utf8), "Europe/Berlin", ["2026-07-01"]),
    (Array(berlinInWindowsWords.utf8), "UTC", ["2026-06-30", "2026-07-01"]),
    (
      file("DTSTART;TZID=Asia/Shanghai:20260101T000000\r\nDURATION:P1D\r\nRRULE:FREQ=YEARLY;COUNT=2"),
      "Asia/Shanghai", ["2026-01-01", "2027-01-01"]
    ),
  ]

  @Test(arguments: zoned) func `times are converted to the zone of the job`(
    row: (bytes: [UInt8], zone: String, dates: [String])
  ) throws {
    let zone = try #require(Self.zone(row.zone))
    #expect(try Self.events(row.bytes).list(in: zone).dates.map(\.description) == row.dates)
  }

  static let damaged: [(bytes: [UInt8], line: Int, reason: String)] = [
    ([], 1, "\"BEGIN:VCALENDAR\" is expected: it is no iCalendar file"),
    (file("DTSTART:20261324"), 4, "DTSTART names a day or a time that does not exist"),
    (file("DTSTART:20260230"), 4, "DTSTART names a day or a time that does not exist"),
    (file("DTSTART:2026"), 4, "a date such as 20261224 is expected"),
    (file("DTSTART:20261224X"), 4, "a date such as 20261224 is expected"),
    (file("DTSTART:20261224\r\nDTEND:20261220"), 5, "the end is expected after the start"),
    (file("DTSTART:20261224\r\nDTEND:20281224"), 5, "an event of at most 366 days is expected"),
    (
      file("DTSTART:20261224\r\nDTEND:20261225\r\nDURATION:P1D"), 6,
      "\"DTEND\" or \"DURATION\" is expected in an event, not both"
    ),
    (
      file("DTSTART:20261224\r\nDURATION:PT24H"), 5,
      "days or weeks are expected, such as P3D: the event has no time of the day"
    ),
    (file("DTSTART:20261224\r\nDURATION:-P1D"), 5, "a duration such as P3D, P1W or PT36H is expected"),
    (file("DTSTART:20261224\r\nDURATION:soon"), 5, "a duration such as P3D, P1W or PT36H is expected"),
    (file("DTSTART:20261224\r\nDURATION:P1"), 5, "a duration such as P3D, P1W or PT36H is expected"),
    (file("DTSTART:20261224\r\nDURATION:P1DT"), 5, "a duration such as P3D, P1W or PT36H is expected"),
    (
      file("DTSTART:20261224T180000Z\r\nRDATE;VALUE=PERIOD:20261231T180000Z/P1"), 5,
      "a period such as 20261224T180000Z/PT5H is expected"
    ),
    (file("DTSTART:20261224\r\nDTSTART:20261225"), 5, "DTSTART is expected once in an event"),
    (file("DTSTART:20261224\r\nDURATION:P99999W"), 5, "an event of at most 366 days is expected"),
    (file("SUMMARY:x"), 5, "\"DTSTART\" is expected in the event before its end"),
    (file("nonsense"), 4, "\":\" and a value are expected"),
    (
      file("DTSTART:20200101T000000\r\nRRULE:FREQ=DAILY;BYHOUR=1,2,3,4"), 3,
      "at most 8192 occurrences are read"
    ),
    (file("DTSTART:20150101\r\nRRULE:FREQ=DAILY\r\nDURATION:P9D"), 3, "at most 4096 days are read"),
    (
      file("DTSTART;TZID=Middle/Earth:20260101T000000"), 4,
      "the time zone \"Middle/Earth\" is neither described in the file nor in the zone database"
    ),
    (
      Array("BEGIN:VCALENDAR\nBEGIN:VEVENT\nBEGIN:VEVENT".utf8), 3,
      "\"END:VEVENT\" is expected before another event"
    ),
    (Array("BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:20261224".utf8), 3, "\"END:VEVENT\" is expected"),
  ]

  @Test(arguments: damaged) func `a damaged file is refused with the line`(
    row: (bytes: [UInt8], line: Int, reason: String)
  ) throws {
    let failure = try #require(try Self.refusal(row.bytes))
    #expect(failure.reason == row.reason)
    #expect(failure.line == row.line && failure.column >= 1)
  }

  @Test func `a large file is read, and one beyond the limit is refused`() throws {
    // More than a megabyte, most of it in properties other than days.
    let text = String(repeating: "X-NOTE:" + String(repeating: "x", count: 990) + "\r\n", count: 3_000)
    #expect(try Self.events(Self.file(text + "DTSTART:20261224")).events.count == 1)
    // As an argument of a test its bytes would be listed.
    let failure = try #require(try Self.refusal(Array(repeating: 0x41, count: 32 << 20 + 1)))
    #expect(failure.reason == "the file has more than 33554432 bytes")
  }

  @Test func `labels are one line and short`() throws {
    let events = try Self.events(
      Self.file("DTSTART:20261224\r\nSUMMARY:Christ\\, mas\\n\\teve " + String(repeating: "x", count: 9_000)))
    let label = try #require(events.events.first?.label)
    #expect(label.hasPrefix("Christ, mas") && label.count == 60 && !label.contains("\n"))
  }

  @Test func `an invalid answer of the reader is refused`() throws {
    for output in [
      "x", "at\t20261224", "at\t1\t20261224\t20261225\t", "!",
      "event\t1\t1\t1\t20261224\t\tx\nat\t1\t20261224\t\t",
      "event\t1\t1\t1\t2026\t20261225\tx", "except\tx\t20261224",
      "event\t1\t1\t1\t20261224T000000Z\t\tx\nat\t1\t20261224T999999Z\t20261224\t",
    ] {
      #expect(throws: CalendarLines.Failure.self) {
        try CalendarLines(zone: Self.zone).events(of: Array(output.utf8), name: "test")
      }
    }
  }

  @Test func `a fuzzed file is read or refused`() throws {
    var generator = SeededGenerator(seed: 0x1CA1)
    let whole = Self.file(
      "DTSTART;VALUE=DATE:20261224\r\nDTEND:20261227\r\nSUMMARY:a\\,b\r\nRRULE:FREQ=YEARLY;COUNT=2",
      "DTSTART:20260101T120000Z")
    var readCount = 0
    for _ in 0..<40 {
      var bytes = whole
      for _ in 0..<Int.random(in: 0...3, using: &generator) {
        guard let place = bytes.indices.randomElement(using: &generator) else { break }
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
        case 1: bytes.remove(at: place)
        default: bytes = Array(bytes.prefix(place + 1))
        }
      }
      let answer = try FilterProcess.run(
        executable: BuiltProgram.calendarReader, arguments: ["2025", "2030"], input: bytes,
        outputMax: 4 << 20,
        timeout: .seconds(30))
      #expect(answer.end == .exited(0) || answer.end == .exited(1))
      do throws(CalendarLines.Failure) {
        _ = try CalendarLines(zone: Self.zone).events(of: answer.output, name: "test")
        readCount += 1
      } catch {
        #expect(error.line >= 1 && error.column >= 1)
      }
    }
    #expect(readCount > 4)
  }

  @Test func `the reader is in a sandbox before it reads`() throws {
    let input = Pipe()
    let child = try ChildProcess.spawn(
      executable: BuiltProgram.calendarReader, arguments: ["2025", "2030"],
      descriptors: [.init(input.fileHandleForReading.fileDescriptor, as: 0)])
    defer { _ = child.wait() }
    // More than a pipe holds, so some of it has been read.
    try input.fileHandleForWriting.write(contentsOf: Data(count: 200_000))
    let status = try String(contentsOfFile: "/proc/\(child.pid)/status", encoding: .utf8)
    let limits = try String(contentsOfFile: "/proc/\(child.pid)/limits", encoding: .utf8)
    try input.fileHandleForWriting.close()
    #expect(status.contains("\nSeccomp:\t2\n") && status.contains("\nNoNewPrivs:\t1\n"))
    #expect(limits.contains(/Max open files +0 +0\s/))
  }
}
