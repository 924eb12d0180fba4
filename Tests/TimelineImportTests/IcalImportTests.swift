import Testing
import TimelineConfiguration
import TimelineCore
import TimelineSystem
import TimelineTestSupport

@testable import TimelineImport

/// Events of iCalendar files as jobs; the program `timeline-calendar` reads the files.
@Suite struct `Imports of calendars` {
  /// An event, the schedule and the zone of its job, and its line in the report.
  struct Row: Sendable, CustomTestStringConvertible {
    var event: String
    var schedule: String
    var zone: String?
    var notes: [String] = []

    var testDescription: String { event.replacing("\r\n", with: " ") }
  }

  static let berlin = "DTSTART;TZID=Europe/Berlin:"

  static let rows = [
    Row(
      event: "\(berlin)20260130T170000\r\nRRULE:FREQ=MONTHLY;BYDAY=-1FR",
      schedule: #"{ rrule = "FREQ=MONTHLY;BYDAY=-1FR", from = 2026-01-30T17:00:00 }"#, zone: "Europe/Berlin"),
    Row(
      event: "\(berlin)20261201T090000", schedule: "{ explicit = [2026-12-01T09:00:00] }",
      zone: "Europe/Berlin"),
    Row(
      event: "DTSTART:20261201T090000Z", schedule: "{ explicit = [2026-12-01T09:00:00] }", zone: "UTC"),
    Row(
      event: "DTSTART:20261201T090000", schedule: "{ explicit = [2026-12-01T09:00:00] }",
      notes: ["its time has no zone: it is that of the daemon"]),
    Row(
      event: "DTSTART;VALUE=DATE:20261201\r\nRRULE:FREQ=WEEKLY;BYHOUR=9;UNTIL=20271231T225959Z",
      schedule: #"{ rrule = "FREQ=WEEKLY;UNTIL=20271231", from = 2026-12-01T00:00:00 }"#,
      notes: [
        "line 6: times in RRULE are left out beside a DTSTART without a time",
        "it is of the whole day: it runs at 00:00 in the zone of the daemon",
      ]),
    // Dates of other clocks than DTSTART's.
    Row(
      event:
        "\(berlin)20260105T093000\r\nRRULE:FREQ=WEEKLY\r\nEXDATE:20261207T083000Z\r\nEXDATE;VALUE=DATE:20261214\r\nRDATE;TZID=America/New_York:20261208T033000",
      schedule:
        #"{ rrule = "FREQ=WEEKLY", from = 2026-01-05T09:30:00, rdate = [2026-12-08T09:30:00], exdate = [2026-12-07T09:30:00, 2026-12-14T09:30:00] }"#,
      zone: "Europe/Berlin"),
    Row(
      event:
        "\(berlin)20261201T090000\r\nRDATE;TZID=Europe/Berlin:20261203T100000,20261202T110000\r\nEXDATE;TZID=Europe/Berlin:20261201T090000",
      schedule: "{ explicit = [2026-12-02T11:00:00, 2026-12-03T10:00:00] }", zone: "Europe/Berlin"),
    Row(
      event: "\(berlin)20261201T090000\r\nRDATE;VALUE=PERIOD:20261202T080000Z/PT1H",
      schedule: "{ explicit = [2026-12-01T09:00:00, 2026-12-02T09:00:00] }", zone: "Europe/Berlin",
      notes: ["a PERIOD of RDATE is its start; its end is left out"]),
    // With a time that is skipped or comes twice, all are instants.
    Row(
      event: "\(berlin)20270328T023000\r\nRDATE;TZID=Europe/Berlin:20271031T023000,20270328T030000",
      schedule: "{ explicit = [2027-03-28T01:00:00Z, 2027-03-28T01:30:00Z, 2027-10-31T00:30:00Z] }",
      zone: "Europe/Berlin"),
    // DTSTART is no time of the rule.
    Row(
      event: "\(berlin)20260101T090000\r\nRRULE:FREQ=WEEKLY;BYDAY=MO;",
      schedule: #"{ rrule = "FREQ=WEEKLY;BYDAY=MO", from = 2026-01-01T09:00:00 }"#, zone: "Europe/Berlin",
      notes: [
        "DTSTART is no time of RRULE, which RFC 5545 leaves undefined: it is no entry; if it is one, add it to rdate"
      ]),
    // Zones by other names.
    Row(
      event: "DTSTART;TZID=\"/freeassociation.sourceforge.net/Tzfile/Europe/Berlin\":20261201T090000",
      schedule: "{ explicit = [2026-12-01T09:00:00] }", zone: "Europe/Berlin"),
    Row(
      event: "DTSTART;TZID=Desk time:20261201T090000", schedule: "{ explicit = [2026-12-01T09:00:00] }",
      zone: "Asia/Tokyo"),
    Row(
      event: "\(berlin)20261201T090000\r\nBEGIN:VALARM\r\nTRIGGER:-PT5M\r\nEND:VALARM",
      schedule: "{ explicit = [2026-12-01T09:00:00] }", zone: "Europe/Berlin", notes: ["VALARM is left out"]),
  ]

  @Test(arguments: rows) func `an event becomes the schedule of a job`(row: Row) throws {
    let made = try Self.made(["UID:a\r\n\(row.event)\r\nSUMMARY:Call"])
    let job = try #require(made.file.jobs.first)
    #expect(made.file.jobs.count == 1)
    #expect(job.values["schedule"] == row.schedule)
    #expect(job.values["time-zone"] == row.zone.map { "\"\($0)\"" })
    #expect(job.values["plugin"] == "\"log\"")
    #expect(job.values["with"] == "{ message = \"Call\" }")
    #expect(made.report.lines.map(\.notes) == [row.notes])
    #expect(made.report.isComplete)
    #expect(made.file.errors.isEmpty)
  }

  /// Events of one UID, and the dates of their job.
  static let replacements: [(events: [String], dates: String, notes: [String])] = [
    (
      ["RECURRENCE-ID;TZID=Europe/Berlin:20261207T093000\r\n\(berlin)20261208T100000"],
      "rdate = [2026-12-08T10:00:00], exdate = [2026-12-07T09:30:00]",
      ["2026-12-07 09:30:00 is moved to 2026-12-08 10:00:00"]
    ),
    (
      ["RECURRENCE-ID:20261207T083000Z\r\n\(berlin)20261207T093000\r\nSTATUS:CANCELLED"],
      "exdate = [2026-12-07T09:30:00]", ["2026-12-07 09:30:00 is canceled"]
    ),
    (
      ["RECURRENCE-ID:20261207T083000Z\r\nDTSTART:20261207T083000Z\r\nSUMMARY:Other"],
      "", ["its summary is left out: the job has that of line 3"]
    ),
    // One is moved to the time of another that is canceled.
    (
      [
        "RECURRENCE-ID;TZID=Europe/Berlin:20261207T093000\r\n\(berlin)20261214T093000",
        "RECURRENCE-ID;TZID=Europe/Berlin:20261214T093000\r\n\(berlin)20261214T093000\r\nSTATUS:CANCELLED",
      ], "rdate = [2026-12-14T09:30:00], exdate = [2026-12-07T09:30:00]",
      ["2026-12-07 09:30:00 is moved to 2026-12-14 09:30:00", "2026-12-14 09:30:00 is canceled"]
    ),
  ]

  @Test(arguments: replacements) func `a replaced time becomes exdate and rdate`(
    row: (events: [String], dates: String, notes: [String])
  ) throws {
    let main = "UID:a\r\n\(Self.berlin)20260105T093000\r\nRRULE:FREQ=WEEKLY\r\nSUMMARY:Call"
    let made = try Self.made([main] + row.events.map { "UID:a\r\n\($0)" }, isProven: true)
    let rule = #"{ rrule = "FREQ=WEEKLY", from = 2026-01-05T09:30:00"#
    let dates = row.dates.isEmpty ? "" : ", " + row.dates
    #expect(made.file.jobs.map { $0.values["schedule"] } == [rule + dates + " }"])
    #expect(made.report.lines.dropFirst().flatMap(\.notes) == row.notes)
    #expect(made.report.isComplete)
    let proof = try #require(try Self.proofs(of: made).first)
    #expect(proof.differences.isEmpty && proof.compared > 100, "\(proof.text)")
  }

  @Test func `replaced times without their event are the dates of one job`() throws {
    let made = try Self.made(
      ["20261207", "20261214"].map {
        "UID:a\r\nRECURRENCE-ID:\($0)T083000Z\r\nDTSTART:\($0)T100000Z\r\nSUMMARY:Call"
      })
    #expect(
      made.file.jobs.map { $0.values["schedule"] } == [
        "{ explicit = [2026-12-07T10:00:00, 2026-12-14T10:00:00] }"
      ])
  }

  @Test func `events that are past or canceled make no job and are counted`() throws {
    let made = try Self.made([
      "UID:a\r\nDTSTART:20260101T090000Z", "UID:b\r\nDTSTART:20250101T090000Z\r\nRRULE:FREQ=DAILY;COUNT=9",
      "UID:c\r\nDTSTART:20270101T090000Z\r\nSTATUS:CANCELLED", "UID:d\r\nDTSTART:20270101T090000Z",
    ])
    #expect(made.file.jobs.count == 1)
    #expect(
      made.report.text.hasSuffix(
        "4 events: 4 carried, 0 carried with a difference, 0 not carried; 3 of them past, without a job\n"))
    #expect(made.report.text.split(separator: "\n").count == 3)
  }

  @Test func `names are those of the file and the summary, unique and valid`() throws {
    let long = String(repeating: "long ", count: 40)
    let made = try Self.made(
      ["Call!", "call", "誕生日", "", "Öl {x}\\nz", long, long].enumerated().map {
        "UID:u\($0)@example.org\r\nDTSTART:20270101T090000Z\r\nSUMMARY:\($1)"
      })
    let names = made.file.jobs.map(\.name)
    #expect(names.prefix(3) == ["team-call", "team-call-2", "team-u2-example-org"])
    #expect(Set(names).count == 7)
    #expect(names.allSatisfy { JobName($0) != nil })
    #expect(made.file.jobs[4].values["with"] == #"{ message = "Öl {{x} z" }"#)
    #expect(made.file.errors.isEmpty)
  }

  @Test func `another plugin has the given parameters`() throws {
    let work = IcalContext.Work(plugin: "exec", parameters: #"{ command = ["/bin/true"] }"#)
    let made = try Self.made(["UID:a\r\nDTSTART:20270101T090000Z\r\nSUMMARY:Call"], work: work)
    let job = try #require(made.file.jobs.first)
    #expect(job.values["plugin"] == #""exec""# && job.values["with"] == #"{ command = ["/bin/true"] }"#)
    #expect(job.values["description"] == #""Call""#)
    #expect(Self.context(work).faultOfWork == nil)
    #expect(Self.context(IcalContext.Work(plugin: "exec", parameters: "{ command = }")).faultOfWork != nil)
  }
}

extension `Imports of calendars` {
  static let start = WallInstant(secondsSinceEpoch: 1_795_996_800)  // 2026-11-30

  static func context(_ work: IcalContext.Work = .init()) -> IcalContext {
    IcalContext(
      machine: .village, machineZone: .utc, renamedZones: ["Desk time": "Asia/Tokyo"], work: work,
      start: start,
      zone: { name in
        guard ImportContext.village.isZone(name) else { return nil }
        if name == "UTC" { return .utc }
        return try? Zone(name: name, tzif: try ZoneDirectory().zone(named: name))
      })
  }

  static func calendar(_ components: String) -> [UInt8] {
    Array("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n\(components)END:VCALENDAR\r\n".utf8)
  }

  static func calendar(_ events: [String]) -> [UInt8] {
    calendar(events.map { "BEGIN:VEVENT\r\n\($0)\r\nEND:VEVENT\r\n" }.joined())
  }

  static func output(_ bytes: [UInt8], isProven: Bool = false) throws -> IcalOutput {
    let range = isProven ? IcalExpansion.range(from: start) : 0...0
    let output = try FilterProcess.run(
      executable: BuiltProgram.calendarReader,
      arguments: ["series", "\(range.lowerBound)", "\(range.upperBound)"], input: bytes,
      outputMax: 32 << 20, timeout: .seconds(60)
    ).output
    return try IcalOutput(output)
  }

  static func made(
    _ events: [String], work: IcalContext.Work = .init(), isProven: Bool = false
  ) throws -> IcalImport {
    IcalImport(
      try output(calendar(events), isProven: isProven), from: "/srv/team.ics", in: context(work))
  }

  /// The proofs of the jobs in the configuration that the import prints, as its reader has them.
  static func proofs(of made: IcalImport) throws -> [ImportProof] {
    let reading = ConfigurationContext(zone: context().zone)
    let text = made.file.text(schema: "/schema")
    let source = ConfigurationSource(path: "/srv/team.toml", bytes: Array(text.utf8))
    switch Configuration.read([source], in: reading) {
    case .success(let configuration):
      return try made.rules.map { rule in
        let job = try #require(configuration.jobs.first { $0.name.text == rule.job })
        guard case .event(let expansion) = rule.kind else { throw TestFailure("no event: \(rule)") }
        return expansion.proof(of: rule, schedule: job.schedule, zone: job.zone, after: start)
      }
    case .failure(let refusal): throw TestFailure("\(refusal.diagnostics.map(\.message))")
    }
  }
}
