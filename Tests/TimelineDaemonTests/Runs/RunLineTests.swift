import Testing
import TimelineCore
import TimelineEngine

@testable import TimelineDaemon

@Suite struct RunLineTests {
  static let noon = WallInstant(secondsSinceEpoch: 1_800_000_000)  // 2027-01-15T08:00:00Z

  static func record(
    _ outcome: Outcome, cause: RunCause = .schedule, reason: String = "", late: Int64? = nil,
    tookNanoseconds: Int64 = 0, attempts: Int = 1, entryCount: Int = 1
  ) throws -> EntryRecord {
    let job = try #require(JobName("backup"))
    let startedAt = late.map { noon + .nanoseconds($0) }
    return EntryRecord(
      entry: EntryKey(job: job, nominal: noon), cause: cause, outcome: outcome, reason: reason,
      run: startedAt == nil ? nil : RunID(number: 7), startedAt: startedAt,
      endedAt: (startedAt ?? noon) + .nanoseconds(tookNanoseconds), attempts: attempts, entryCount: entryCount
    )
  }

  @Test func `a line shows entry, lateness, duration and outcome`() throws {
    let table: [(EntryRecord, String)] = [
      (
        try Self.record(.succeeded, late: 210_000, tookNanoseconds: 1_930_000),
        "succeeded  entry 08:00:00  late 210us  took 1.93ms"
      ),
      (
        try Self.record(
          .failed, reason: "exit status 3", late: 0, tookNanoseconds: 2_000_000_000, attempts: 3),
        "failed  entry 08:00:00  late 0ns  took 2.00s  3 attempts: exit status 3"
      ),
      (
        try Self.record(.succeeded, cause: .trigger, late: 0, tookNanoseconds: 1_000),
        "succeeded  triggered manually  took 1.00us"
      ),
      (
        try Self.record(.missed, reason: "nobody was there", entryCount: 12),
        "missed  entry 08:00:00  for 12 entries: nobody was there"
      ),
      (
        try Self.record(.succeeded, cause: .missed, late: 90_000_000_000_000, tookNanoseconds: 0),
        "succeeded  missed entry 2027-01-15 08:00:00  late 1d1h  took 0ns"
      ),
    ]
    for (record, line) in table { #expect(RunLine.text(of: record, in: .utc) == line) }
  }

  @Test func `a reaction's line names its upstream, where that is known`() throws {
    var record = try Self.record(.succeeded, cause: .reaction, late: 0)
    #expect(RunLine.text(of: record, in: .utc) == "succeeded  told of another job  took 0ns")
    record.upstream = EntryKey(job: try #require(JobName("report")), nominal: Self.noon - .hours(1))
    #expect(RunLine.text(of: record, in: .utc) == "succeeded  told of report 07:00:00  took 0ns")
    record.upstream?.nominal = Self.noon - .nanoseconds(10_000_001)
    #expect(RunLine.text(of: record, in: .utc) == "succeeded  told of report 07:59:59.989  took 0ns")
  }

  @Test func `a rerun's line names the entry that it repeats, where that is known`() throws {
    var record = try Self.record(.succeeded, cause: .rerun, late: 0)
    #expect(RunLine.text(of: record, in: .utc) == "succeeded  rerun of an entry  took 0ns")
    record.rerun = RerunOrigin(of: Self.noon - .hours(24), number: 1)
    #expect(RunLine.text(of: record, in: .utc) == "succeeded  rerun of entry 2027-01-14 08:00:00  took 0ns")
  }

  @Test(arguments: [
    (Outcome.succeeded, Announcement.Level.info), (.failed, .error), (.timedOut, .error),
    (.missed, .warning),
    (.overlapped, .warning), (.shutDown, .notice),
  ])
  func `a more severe outcome has a higher level`(_ outcome: Outcome, _ level: Announcement.Level) throws {
    #expect(RunLine.announcement(of: try Self.record(outcome), in: .utc).level == level)
  }

  @Test(
    arguments: [
      (0, "0ns"), (999, "999ns"), (1_000, "1.00us"), (12_345, "12.3us"), (210_000, "210us"),
      (1_934_000, "1.93ms"),
      (1_000_000_000, "1.00s"), (59_999_000_000, "59.9s"), (60_000_000_000, "1m"), (90_500_000_000, "1m30s"),
      (3_600_000_000_000, "1h"), (90_061_000_000_000, "1d1h1m1s"), (-1_500_000, "-1.50ms"),
    ] as [(Int64, String)])
  func `a duration is shown in three digits`(_ nanoseconds: Int64, _ text: String) {
    #expect(ElapsedTime(nanoseconds: nanoseconds).approximateText == text)
  }
}
