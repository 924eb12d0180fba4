import Testing
import TimelineCore

@Suite struct `Expectations of schedules` {
  static let start = "2026-01-01T00:00:00Z"

  static func job(_ text: String, lasting duration: ElapsedTime = .zero) throws -> ExpectedJob {
    let zone = try ZoneFiles.zone("Europe/Berlin")
    return ExpectedJob(
      rule: try `Unions, windows and exclusions`.rule(text, in: zone), duration: duration, zone: zone)
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let rule: String
    var maxGap: ElapsedTime?, minGap: ElapsedTime?, perDay: Int?
    var other: String?
    var duration = ElapsedTime.zero, otherDuration = ElapsedTime.zero
    let verdict: String
    var testDescription: String { "\(rule): \(verdict)" }
  }

  static let rows = [
    Row(
      rule: "30 2 * * *", maxGap: .hours(25), minGap: .minutes(22 * 60 + 30), perDay: 1, verdict: "proven 365"
    ),
    Row(
      rule: "30 2 * * *", maxGap: .hours(24),
      verdict:
        "refuted 2026-10-26T00:30:00Z after the entry of 2026-10-25 02:30:00 CEST the next is 1d1h later, at 2026-10-26 02:30:00 CET, and one is expected every 1d"
    ),
    Row(
      rule: "30 2 * * *", minGap: .hours(24),
      verdict:
        "refuted 2026-03-29T01:00:00Z the entry of 2026-03-29 03:00:00 CEST comes 23h30m after the one before it, and at least 1d is expected"
    ),
    Row(
      rule: "*/30 * * * *", perDay: 48,
      verdict:
        "refuted 2026-03-28T23:00:00Z 2026-03-29 has 46 entries in Europe/Berlin, and 48 a day are expected"),
    Row(rule: "0 12 * * *", perDay: 1, verdict: "proven 0"),
    Row(
      rule: "2026-05-01 12:00", maxGap: .days(200),
      verdict:
        "refuted 2026-11-17T10:00:00Z after the entry of 2026-05-01 12:00:00 CEST there is none any more, and one is expected every 200d"
    ),
    Row(
      rule: "2027-05-01 12:00", maxGap: .days(20),
      verdict:
        "refuted 2026-01-21T00:00:00Z from the start on the next is at 2027-05-01 12:00:00 CEST, and one is expected every 20d"
    ),
    Row(
      rule: "0 2 * * *", other: "0 3 * * *", duration: .hours(1), otherDuration: .hours(1),
      verdict:
        "refuted 2026-03-29T01:00:00Z the run of 2026-03-29 03:00:00 CEST overlaps that of other at 2026-03-29 03:00:00 CEST"
    ),
    Row(
      rule: "0 2 * * *", other: "0 12 * * *", duration: .hours(9), otherDuration: .hours(1),
      verdict: "proven 365"),
    Row(
      rule: "0 2 * * *", other: "0 12 * * *", duration: .minutes(10 * 60 + 1), otherDuration: .hours(1),
      verdict:
        "refuted 2026-01-01T11:00:00Z the run of 2026-01-01 02:00:00 CET overlaps that of other at 2026-01-01 12:00:00 CET"
    ),
    Row(
      rule: "0 2 * * *", other: "0 23 * * *", duration: .zero, otherDuration: .minutes(181),
      verdict:
        "refuted 2026-01-01T01:00:00Z the run of 2026-01-01 02:00:00 CET overlaps that of other at 2025-12-31 23:00:00 CET"
    ),
  ]

  @Test(arguments: rows) func `an expectation is proven or refuted with a date`(row: Row) throws {
    let (name, other) = (try #require(JobName("job")), try #require(JobName("other")))
    var expectation = ScheduleExpectation(job: name, over: .days(365))
    (expectation.maxGap, expectation.minGap, expectation.perDay) = (row.maxGap, row.minGap, row.perDay)
    var jobs = [name: try Self.job(row.rule, lasting: row.duration)]
    if let text = row.other {
      expectation.neverOverlaps = other
      jobs[other] = try Self.job(text, lasting: row.otherDuration)
    }
    let verdict = expectation.verdict(from: try WallInstant(rfc3339: Self.start)) { jobs[$0] }
    #expect(Self.text(verdict) == row.verdict)
  }

  struct PutOff: Sendable, CustomTestStringConvertible {
    let rule: String, other: String
    var timing = ScheduleTiming(), otherTiming = ScheduleTiming()
    var duration = ElapsedTime.minutes(30)
    let verdict: String
    var testDescription: String { "\(rule) and \(other), \(timing): \(verdict)" }
  }

  static let putOff = [
    PutOff(
      rule: "0 5 * * *", other: "0 6 * * *", timing: ScheduleTiming(jitter: .minutes(30) - .nanoseconds(1)),
      verdict: "proven 365"),
    PutOff(
      rule: "0 2 * * *", other: "0 4 * * *", timing: ScheduleTiming(jitter: .minutes(91)),
      verdict:
        "refuted 2026-01-01T03:00:00Z the run of 2026-01-01 02:00:00 CET can overlap that of other at 2026-01-01 04:00:00 CET: jitter can bring them together"
    ),
    PutOff(
      rule: "0 5 * * *", other: "0 4 * * *", otherTiming: ScheduleTiming(jitter: .hours(3)),
      verdict:
        "refuted 2026-01-01T04:00:00Z the run of 2026-01-01 05:00:00 CET can overlap that of other at 2026-01-01 04:00:00 CET: jitter can bring them together"
    ),
    // Both are delayed by less than ten minutes, and each lasts half an hour.
    PutOff(
      rule: "0 5 * * *", other: "5 5 * * *", timing: ScheduleTiming(jitter: .minutes(10)),
      otherTiming: ScheduleTiming(jitter: .minutes(10)),
      verdict:
        "refuted 2026-01-01T04:05:00Z the run of 2026-01-01 05:00:00 CET overlaps that of other at 2026-01-01 05:05:00 CET"
    ),
    // Jitter is cut off at the next entry; the run then ends half an hour after that entry.
    PutOff(
      rule: "0 1,2 * * *", other: "31 2 * * *", timing: ScheduleTiming(jitter: .hours(30)),
      duration: .minutes(1),
      verdict:
        "refuted 2026-01-01T01:31:00Z the run of 2026-01-01 02:00:00 CET can overlap that of other at 2026-01-01 02:31:00 CET: jitter can bring them together"
    ),
    // The accuracy delays starts by a rule, the same on every machine: with and without an overlap.
    PutOff(
      rule: "10 5 * * *", other: "15 5 * * *", otherTiming: ScheduleTiming(accuracy: .hours(1)),
      verdict: "proven 365"),
    PutOff(
      rule: "10 5 * * *", other: "50 5 * * *", timing: ScheduleTiming(accuracy: .hours(1)),
      verdict:
        "refuted 2026-01-01T04:50:00Z the run of 2026-01-01 05:10:00 CET overlaps that of other at 2026-01-01 05:50:00 CET"
    ),
  ]

  @Test(arguments: putOff) func `no overlap is expected for any start within jitter and accuracy`(
    row: PutOff
  ) throws {
    let (name, other) = (try #require(JobName("job")), try #require(JobName("other")))
    var expectation = ScheduleExpectation(job: name, over: .days(365))
    expectation.neverOverlaps = other
    var jobs = [
      name: try Self.job(row.rule, lasting: row.duration),
      other: try Self.job(row.other, lasting: row.duration),
    ]
    jobs[name]?.timing = row.timing
    jobs[other]?.timing = row.otherTiming
    let verdict = expectation.verdict(from: try WallInstant(rfc3339: Self.start)) { jobs[$0] }
    #expect(Self.text(verdict) == row.verdict)
  }

  static func text(_ verdict: ExpectationVerdict) -> String {
    switch verdict {
    case .proven(let count): "proven \(count)"
    case .refuted(let instant, let reason): "refuted \(instant) \(reason)"
    case .undecided(let reason): "undecided \(reason)"
    }
  }

  @Test func `an expectation that cannot be decided is undecided`() throws {
    let (name, other) = (try #require(JobName("job")), try #require(JobName("other")))
    var expectation = ScheduleExpectation(job: name, over: .days(365))
    #expect(expectation.verdict(from: .epoch) { _ in nil } == .undecided(reason: "there is no job job"))
    let animation = ExpectedJob(rule: .animation(try AnimationSchedule()), duration: .zero, zone: .utc)
    #expect(
      expectation.verdict(from: .epoch) { _ in animation }
        == .undecided(reason: "the entries of job depend on how long its runs take"))
    expectation.neverOverlaps = other
    let daily = try Self.job("daily")
    #expect(
      expectation.verdict(from: .epoch) { $0 == name ? daily : nil }
        == .undecided(reason: "there is no job other"))
  }

  @Test func `a search ends after a number of entries`() throws {
    let name = try #require(JobName("job"))
    var expectation = ScheduleExpectation(job: name, over: .days(365))
    expectation.maxGap = .seconds(1)
    let fast = ExpectedJob(
      rule: .periodic(try PeriodicSchedule(from: .epoch, by: .milliseconds(1))), duration: .zero, zone: .utc)
    #expect(
      expectation.verdict(from: .epoch) { _ in fast }
        == .undecided(reason: "4000000 entries were looked at, up to 1970-01-01 01:06:40 UTC; ask for less"))
  }
}
