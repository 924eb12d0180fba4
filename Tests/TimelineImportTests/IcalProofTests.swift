import Testing
import TimelineCore
import TimelineTestSupport

@testable import TimelineImport

/// Comparisons of imported events with libical's expansion over two years.
@Suite struct `Proofs of calendars` {
  static let starts = [
    "DTSTART;TZID=Europe/Berlin:20260130T173000", "DTSTART:20260130T173000Z", "DTSTART:20260130",
  ]

  static let rules = [
    "FREQ=DAILY", "FREQ=DAILY;INTERVAL=10;UNTIL=20270930T173000Z", "FREQ=WEEKLY;BYDAY=FR,SU",
    "FREQ=MONTHLY;BYDAY=-1FR", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1",
    "FREQ=MONTHLY;BYMONTHDAY=-1,15",
    "FREQ=MONTHLY;COUNT=20", "FREQ=YEARLY;BYMONTH=1,7;BYDAY=2TU",
    "FREQ=YEARLY;INTERVAL=2;BYMONTH=3;BYMONTHDAY=1",
    "FREQ=WEEKLY;INTERVAL=2;WKST=SU;BYDAY=FR", "FREQ=YEARLY;BYYEARDAY=1,100,-1", "FREQ=MONTHLY;INTERVAL=5",
  ]

  @Test(arguments: starts, rules) func `a job has the instants of libical`(start: String, rule: String)
    throws
  {
    let made = try `Imports of calendars`.made(
      ["UID:a\r\n\(start)\r\nRRULE:\(rule)\r\nSUMMARY:x"], isProven: true)
    let proof = try #require(try `Imports of calendars`.proofs(of: made).first)
    #expect(proof.differences.allSatisfy { $0.clockChange != nil }, "\(proof.text)")
    #expect(proof.obstacle == nil && proof.compared > 0)
  }

  @Test func `clock changes are those of RFC 5545`() throws {
    let made = try `Imports of calendars`.made(
      ["UID:a\r\nDTSTART;TZID=Europe/Berlin:20260101T023000\r\nRRULE:FREQ=DAILY"], isProven: true)
    let proof = try #require(try `Imports of calendars`.proofs(of: made).first)
    #expect(proof.text == "/srv/team.ics:3: proven [job team-a]: 731 instants are the same\n")
  }

  @Test func `hours are elapsed time on both sides`() throws {
    let made = try `Imports of calendars`.made(
      ["UID:a\r\nDTSTART;TZID=Europe/Berlin:20261201T003000\r\nRRULE:FREQ=HOURLY;INTERVAL=25"],
      isProven: true)
    let proof = try #require(try `Imports of calendars`.proofs(of: made).first)
    #expect(proof.differences.isEmpty && proof.compared > 600, "\(proof.text)")
  }

  @Test func `a known fault of libical is named, and the job follows RFC 5545`() throws {
    let made = try `Imports of calendars`.made(
      ["UID:a\r\nDTSTART:20261204T090000Z\r\nRRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1"],
      isProven: true)
    let proof = try #require(try `Imports of calendars`.proofs(of: made).first)
    #expect(!proof.differences.isEmpty && proof.isExplained)
    #expect(
      proof.text.contains("instants: libical differs from RFC 5545, which the job follows: \"BYSETPOS"))
    #expect(proof.text.contains("the job does not run: a known fault of libical"))
  }

  @Test func `a schedule that is not that of the event is found`() throws {
    let made = try `Imports of calendars`.made(
      ["UID:a\r\nDTSTART:20261204T090000Z\r\nRRULE:FREQ=WEEKLY\r\nEXDATE:20261211T090000Z"], isProven: true)
    guard case .event(let expansion) = made.rules[0].kind else { throw TestFailure("no event") }
    let rule = try RecurrenceRule(
      parsing: "FREQ=WEEKLY", from: Zone.utc.civil(at: WallInstant(rfc3339: "2026-12-04T09:00:00Z")))
    let proof = expansion.proof(
      of: made.rules[0], schedule: .recurrence(RecurrenceSchedule(recurrence: rule, zone: .utc)), zone: .utc,
      after: `Imports of calendars`.start)
    #expect(proof.differences.map(\.instant) == ["2026-12-11T09:00:00Z"])
    #expect(!proof.isExplained)
    #expect(proof.text.contains("the source does not run, the job runs once: no clock change: a fault"))
  }

  @Test func `many times of one rule are cut, and compared up to the last`() throws {
    let made = try `Imports of calendars`.made(
      ["UID:a\r\nDTSTART:20261204T090000Z\r\nRRULE:FREQ=MINUTELY"], isProven: true)
    let proof = try #require(try `Imports of calendars`.proofs(of: made).first)
    #expect(proof.differences.isEmpty && proof.compared == 5_000)
  }

  @Test func `a rule of seconds is not proven`() throws {
    let made = try `Imports of calendars`.made(
      ["UID:a\r\nDTSTART:20261129T090000Z\r\nRRULE:FREQ=SECONDLY"], isProven: true)
    let proof = try #require(try `Imports of calendars`.proofs(of: made).first)
    #expect(proof.obstacle == "it has too many times to compare")
  }

  @Test func `dates without a rule are compared with those of the file`() throws {
    let made = try `Imports of calendars`.made(
      [
        "UID:a\r\nDTSTART:20261204T090000Z\r\nRDATE:20261205T090000Z,20261206T090000Z\r\nEXDATE:20261205T090000Z"
      ],
      isProven: true)
    let proof = try #require(try `Imports of calendars`.proofs(of: made).first)
    #expect(proof.differences.isEmpty && proof.compared == 2)
  }

  @Test func `rules that were not expanded are not proven`() throws {
    let made = try `Imports of calendars`.made(["UID:a\r\nDTSTART:20261204T090000Z\r\nRRULE:FREQ=WEEKLY"])
    let proof = try #require(try `Imports of calendars`.proofs(of: made).first)
    #expect(proof.text == "/srv/team.ics:3: not proven [job team-a]: the rules were not expanded\n")
  }
}
