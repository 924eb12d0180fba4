import Testing
import TimelineCore

@testable import TimelineImport

/// Calendars and events that are not imported.
@Suite struct `Refusals of calendars` {
  /// Events that are not carried, and the beginning of the reason.
  static let refused: [(event: String, reason: String)] = [
    (
      "DTSTART;TZID=W. Europe Standard Time:20261201T090000",
      "the time zone \"W. Europe Standard Time\" is unknown on this machine: \"W. Europe Standard Time\" is no place of the zone database: did you mean \"Europe/Berlin\"?: give the zone that is meant by --zone 'W. Europe Standard Time=Europe/Berlin'"
    ),
    ("SUMMARY:Call", "line 6: \"DTSTART\" is expected in the event before its end"),
    ("DTSTART:20261301T090000Z", "line 5: "), ("DTSTART:tomorrow", "line 5: a date such as 20261224"),
    ("DTSTART:20261201T090000Z\r\nDTSTART:20261201T090000Z", "line 6: DTSTART is expected once"),
    (
      "DTSTART:20261201T090000Z\r\nRRULE:FREQ=FORTNIGHTLY", "line 6: RRULE: a unit such as WEEKLY is expected"
    ),
    ("DTSTART:20261201T090000Z\r\nRRULE:FREQ=WEEKLY;RSCALE=CHINESE", "line 6: RRULE: RSCALE of RFC 7529"),
    ("DTSTART:20261201T090000Z\r\nRRULE:FREQ=DAILY\r\nRRULE:FREQ=WEEKLY", "line 7: one RRULE is expected"),
    ("DTSTART:20261201T090000Z\r\nEXRULE:FREQ=WEEKLY", "line 6: EXRULE is not read"),
    (
      "DTSTART:20260230T090000Z\r\nRRULE:FREQ=YEARLY", "line 5: "
    ),
    (
      "DTSTART:20260131T090000Z\r\nRRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30",
      "line 6: no date matches RRULE from DTSTART on"
    ),
    (
      "DTSTART:20261201T090000\r\nEXDATE:20261208T090000Z",
      "2026-12-08 09:00:00 has a zone, and DTSTART has none"
    ),
    ("DTSTART:20261201T090000Z\r\nEXDATE;TZID=Nowhere:20261208T090000", "the time zone \"Nowhere\""),
    ("DTSTART:99990101T090000Z", "a time in the years from 1678 through 2261 is expected"),
    (
      "DTSTART:20261201T090000Z\r\nRDATE:\(String(repeating: "20270101T000000Z,", count: 500))20270101T000000Z",
      "line 6: at most 500 dates of a line are read"
    ),
    (
      "DTSTART:20261201T090000Z\r\n\(String(repeating: "RDATE:20270101T000000Z\r\n", count: 4_096))RDATE:20270101T000000Z",
      "line 4102: at most 4096 dates of an event are read"
    ),
    (
      "DTSTART:20261201T090000Z\r\nRRULE:FREQ=DAILY;BYMONTHDAY=\(String(repeating: "1,", count: 5_000))1",
      "line 6: a rule of at most 8192 bytes is expected"
    ),
  ]

  @Test(arguments: refused) func `an event that cannot be carried has its reason, and others are carried`(
    row: (event: String, reason: String)
  ) throws {
    let other = "UID:b\r\nDTSTART:20270101T090000Z\r\nSUMMARY:Other"
    let made = try `Imports of calendars`.made(["UID:a\r\n\(row.event)", other])
    #expect(made.file.jobs.map(\.name) == ["team-other"])
    let line = try #require(made.report.lines.first)
    #expect(line.verdict == .notCarried && line.job == nil)
    #expect(line.notes.count == 1 && line.notes[0].hasPrefix(row.reason), "\(line.notes)")
    #expect(made.file.closing.count == 1)
    #expect(!made.report.isComplete)
    #expect(made.file.errors.isEmpty)
  }

  @Test func `a second event with the same UID is not carried`() throws {
    let made = try `Imports of calendars`.made([
      "UID:a\r\nDTSTART:20270101T090000Z\r\nSUMMARY:One", "UID:a\r\nDTSTART:20270102T090000Z\r\nSUMMARY:Two",
      "DTSTART:20270103T090000Z\r\nSUMMARY:Three", "DTSTART:20270104T090000Z\r\nSUMMARY:Four",
    ])
    #expect(made.file.jobs.map(\.name) == ["team-one", "team-three", "team-four"])
    #expect(made.report.lines.map(\.verdict) == [.carried, .notCarried, .carried, .carried])
    #expect(made.report.lines[1].notes[0].hasPrefix("its UID is that of the event of line 3"))
  }

  @Test(
    arguments: [
      ("RECURRENCE-ID;RANGE=THISANDFUTURE:20261207T090000Z\r\nDTSTART:20261207T100000Z", "RANGE is not read"),
      ("RECURRENCE-ID:20261207T090000Z\r\nDTSTART;TZID=Nowhere:20261207T100000", "\"Nowhere\" is unknown"),
      ("RECURRENCE-ID:20261207T090000Z", "\"DTSTART\" is expected"),
    ])
  func `an event is not carried without the events that replace its times`(event: String, reason: String)
    throws
  {
    let main = "UID:a\r\nDTSTART:20261130T090000Z\r\nRRULE:FREQ=WEEKLY"
    let made = try `Imports of calendars`.made([main, "UID:a\r\n\(event)"])
    #expect(made.file.jobs.isEmpty)
    #expect(made.report.lines.map(\.verdict) == [.notCarried, .notCarried])
    #expect(made.report.lines[0].notes[0].contains(reason))
    #expect(
      made.report.lines[1].notes == ["it belongs to the event of line 3, which is not carried"])
  }

  /// Files that are refused, and the beginning of the reason.
  static let files: [(bytes: [UInt8], reason: String)] = [
    ([], "1:1: \"BEGIN:VCALENDAR\" is expected"), (Array("0 5 * * * x\n".utf8), "1:1: \"BEGIN:VCALENDAR\""),
    (Array("BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:a\r\n".utf8), "3:6: \"END:VEVENT\" is expected"),
    (
      Array("BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nBEGIN:VEVENT\r\n".utf8),
      "3:1: \"END:VEVENT\" is expected before"
    ),
    (Array("BEGIN:VCALENDAR\r\nSUMMARY:a\u{0}b\r\n".utf8), "2:1: a NUL byte"),
    (
      `Imports of calendars`.calendar(
        (0...5_000).map { "UID:\($0)\r\nDTSTART:20270101T090000Z" }),
      "20003:1: at most 5000 events are read"
    ),
  ]

  @Test(arguments: files) func `a file that is no calendar is refused with its place`(
    row: (bytes: [UInt8], reason: String)
  ) throws {
    let error = #expect(throws: IcalOutput.Refusal.self) { try `Imports of calendars`.output(row.bytes) }
    let refusal = try #require(error)
    #expect("\(refusal.line):\(refusal.column): \(refusal.reason)".hasPrefix(row.reason), "\(refusal)")
  }

  @Test func `other components are named and not carried`() throws {
    let bytes = `Imports of calendars`.calendar(
      "BEGIN:VTODO\r\nSUMMARY:x\r\nBEGIN:VALARM\r\nEND:VALARM\r\nEND:VTODO\r\n")
    let made = IcalImport(
      try `Imports of calendars`.output(bytes), from: "team.ics", in: `Imports of calendars`.context())
    #expect(
      made.report.text
        == "team.ics:3: not carried: VTODO is no event: only VEVENT is imported\n1 component: 0 carried, 0 carried with a difference, 1 not carried\n"
    )
  }

  @Test func `control characters of a file are in no text`() throws {
    let made = try `Imports of calendars`.made([
      "UID:a\u{1B}[2J\r\nDTSTART:20270101T090000Z\r\nSUMMARY:x\u{1B}]0;y\u{07}\u{7F}\u{85}z"
    ])
    let text = made.file.text(schema: "/schema")
    #expect(made.file.errors.isEmpty)
    #expect(
      !text.unicodeScalars.contains {
        $0.value < 0x20 && $0 != "\n" || (0x7F...0x9F).contains($0.value)
      })
  }
}
