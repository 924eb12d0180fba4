import Testing
import TimelineCore
import TimelineEngine
import TimelineSystem
import TimelineTestSupport
import TimelineWire

@testable import TimelineHostPool

@Suite struct `The JSON of another job's entry` {
  @Test func `all fields of the record are in the JSON`() throws {
    let job = try #require(JobName("backup"))
    var record = EntryRecord(
      entry: EntryKey(job: job, nominal: WallInstant(secondsSinceEpoch: 1_800_000_000)), cause: .missed,
      outcome: .timedOut, reason: "it said \"no\"\n\\ \u{1}é", run: RunID(number: 7),
      startedAt: WallInstant(secondsSinceEpoch: 1_800_000_001),
      endedAt: WallInstant(nanosecondsSinceEpoch: 1_800_000_002_500_000_000), attempts: 3)
    #expect(
      Upstream.json(record) == #"{"job":"backup","entry":"2027-01-15T08:00:00Z","outcome":"timed-out","#
        + #""reason":"it said \"no\"\n\\ \u0001é","cause":"missed","attempts":3,"entryCount":1,"#
        + #""endedAt":"2027-01-15T08:00:02.5Z","run":7,"startedAt":"2027-01-15T08:00:01Z"}"#)
    #expect(Upstream.json(record, output: "a\n\0b").contains(#","output":"a\n\#u{FFFD}b","run":7,"#))
    #expect(
      Upstream.json(record, .cron("30 2 * * 1-5", zone: "Europe/Berlin")).hasSuffix(
        #","schedule":{"cron":"30 2 * * 1-5","zone":"Europe/Berlin"}}"#))
    #expect(Upstream.json(record, .period(seconds: 90)).hasSuffix(#","schedule":{"period":90}}"#))
    record.incident = IncidentReport(kind: .missed, phase: .reminder, count: 3, since: .epoch)
    #expect(
      Upstream.json(record).hasSuffix(
        #","incident":{"kind":"missed","phase":"reminder","failures":3,"since":"1970-01-01T00:00:00Z"}}"#))
    record.incident = nil
    record.run = nil
    record.startedAt = nil
    record.entryCount = 4
    record.firstNominal = .epoch
    #expect(Upstream.json(record).hasSuffix(#""firstEntry":"1970-01-01T00:00:00Z"}"#))
  }

  @Test func `a waiting entry has no end`() throws {
    let job = try #require(JobName("backup"))
    var record = EntryRecord(
      entry: EntryKey(job: job, nominal: .epoch), outcome: .unknown, reason: "later", endedAt: .epoch)
    record.stage = .waiting
    #expect(
      Upstream.json(record) == #"{"job":"backup","entry":"1970-01-01T00:00:00Z","outcome":"waiting","#
        + #""reason":"later","cause":"schedule","attempts":0,"entryCount":1}"#)
  }

  @Test func `an entry whose run has begun has no end and no reason`() throws {
    let job = try #require(JobName("backup"))
    var record = EntryRecord(
      entry: EntryKey(job: job, nominal: .epoch), outcome: .unknown, run: RunID(number: 7),
      startedAt: WallInstant(secondsSinceEpoch: 1), endedAt: .epoch, attempts: 1)
    record.stage = .running
    #expect(
      Upstream.json(record) == #"{"job":"backup","entry":"1970-01-01T00:00:00Z","outcome":"running","#
        + #""reason":"","cause":"schedule","attempts":1,"entryCount":1,"run":7,"#
        + #""startedAt":"1970-01-01T00:00:01Z"}"#)
  }

  @Test(arguments: ["\u{1}", "\"", "é", "x", "\0"])
  func `a reason of any length fits the wire`(character: String) throws {
    let job = try #require(JobName(String(repeating: "j", count: JobName.lengthMax)))
    var record = EntryRecord(
      entry: EntryKey(job: job, nominal: .min), outcome: .daylightSavingGap,
      reason: String(repeating: character, count: 100_000), run: RunID(number: .max), startedAt: .min,
      endedAt: .max, attempts: .max, entryCount: .max, firstNominal: .min)
    record.incident = IncidentReport(kind: .failure, phase: .recovered, count: .max, since: .min)
    let output = String(repeating: character, count: 100_000)
    let schedule = PortableSchedule.calendar(
      String(repeating: "c", count: PortableSchedule.lengthMax), zone: String(repeating: "z", count: 255))
    #expect(Upstream.json(record, schedule, output: output).utf8.count <= WireLimits.upstreamMax)
  }
}
