import Foundation
import Testing
import TimelineCore
import TimelineSystem

@testable import TimelineImport

/// Debian's cron minute by minute, and its comparison with schedules.
struct ProofTests {
  @Test(
    arguments: [
      // docs/daylight-saving.md, the nine questions: the number of starts on the day.
      ("*/30 * * * *", "2026-03-29", 46), ("*/30 * * * *", "2026-10-25", 50), ("0 * * * *", "2026-03-29", 23),
      ("0 * * * *", "2026-10-25", 25), ("30 2 * * *", "2026-03-29", 1), ("30 2 * * *", "2026-10-25", 1),
      ("0 12 * * *", "2026-03-29", 1), ("0 12 * * *", "2026-10-25", 1), ("0 0 * * *", "2026-03-29", 1),
      // Every minute that the gap skips runs at once; a wildcard's does not.
      ("0,30 2 * * *", "2026-03-29", 2), ("*/30 2 * * *", "2026-03-29", 0), ("0,30 2 * * *", "2026-10-25", 2),
      ("*/30 2 * * *", "2026-10-25", 4),
    ])
  func `the simulation starts a line as cron does`(rule: String, day: String, count: Int) throws {
    let zone = try Self.zone("Europe/Berlin")
    let hours = day == "2026-03-29" ? 23 : 25
    let start = try WallInstant(rfc3339: "\(day)T00:00:00+0\(day == "2026-03-29" ? 1 : 2):00") - .seconds(1)
    let simulation = CronSimulation(try CrontabFields(rule.split(separator: " ")))
    let starts = simulation.starts(
      after: start, before: start + .seconds(Int64(hours) * 3_600), count: 100, zone: zone)
    #expect(starts.count == count)
  }

  @Test func `a time in the gap starts when the gap ends, and one in the fold the first time`()
    throws
  {
    let zone = try Self.zone("Europe/Berlin")
    let simulation = CronSimulation(try CrontabFields("30 2 * * *".split(separator: " ")))
    func first(after text: String) throws -> WallInstant? {
      let start = try WallInstant(rfc3339: text)
      return simulation.starts(after: start, before: start + .seconds(200_000), count: 1, zone: zone).first
    }
    #expect(try first(after: "2026-03-28T12:00:00Z") == WallInstant(rfc3339: "2026-03-29T01:00:00Z"))
    #expect(try first(after: "2026-10-24T12:00:00Z") == WallInstant(rfc3339: "2026-10-25T00:30:00Z"))
    #expect(try first(after: "2026-10-25T00:30:00Z") == WallInstant(rfc3339: "2026-10-26T01:30:00Z"))
  }

  @Test(
    arguments: [
      "*/7 * * * *", "0 0 13 * 5", "0 0 1-7 * mon", "30 4 1,15 * 5", "15 3 29 2 *", "5 0 */2 * 1",
      "59 23 31 12 *", "0 6 * 1-3 0", "20 */5 * 2,4 1-5",
    ], ["Europe/Berlin", "America/Santiago", "Australia/Lord_Howe", "UTC", "Asia/Kathmandu"])
  func `both sides agree away from clock changes`(rule: String, zoneName: String) throws {
    let zone = try Self.zone(zoneName)
    let proof = try Self.proof(of: rule, rule, in: zone)
    #expect(proof.differences.filter { $0.clockChange == nil }.isEmpty)
    #expect(proof.compared > 0)
  }

  @Test func `a rule that is not the same is found`() throws {
    let proof = try Self.proof(of: "0 12 * * *", "1 12 * * *", in: .utc)
    #expect(proof.differences.count == 2 * 199)
    #expect(proof.text.contains("no clock change: a fault of the import"))
    #expect(proof.text.contains("2026-01-01T12:00:00Z: the source runs once, the job does not run"))
  }

  @Test func `a difference at a clock change is named with its cause`() throws {
    let proof = try Self.proof(of: "0,30 2 * * *", "0,30 2 * * *", in: try Self.zone("Europe/Berlin"))
    #expect(proof.differences.map(\.instant) == ["2026-03-29T01:00:00Z"])
    #expect(proof.differences.map(\.clockChange) == ["2026-03-29T01:00:00Z"])
    #expect(
      proof.text.contains("the source runs 2 times, the job runs once: clock change of 2026-03-29T01:00:00Z"))
  }

  @Test func `a proof that was not made shows the reason`() {
    let proof = ImportProof(job: "a", place: "/b:1", obstacle: "no calendar")
    #expect(proof.text == "/b:1: not proven [job a]: no calendar\n")
  }

  /// A proof over 200 instants from the beginning of 2026, or 9 years.
  private static func proof(of rule: String, _ job: String, in zone: Zone) throws -> ImportProof {
    let start = try WallInstant(rfc3339: "2026-01-01T00:00:00Z")
    let end = start + .seconds(9 * 31_557_600)
    let starts = CronSimulation(try CrontabFields(rule.split(separator: " "))).starts(
      after: start, before: end, count: 200, zone: zone)
    return ImportProof(
      job: "a", place: "/b:1", expected: starts, isComplete: starts.count < 200,
      schedule: .cron(CronSchedule(expression: try CronExpression(parsing: job), zone: zone)), zone: zone,
      after: start, before: end)
  }

  private static func zone(_ name: String) throws -> Zone {
    if name == "UTC" { return .utc }
    return try Zone(name: name, tzif: try ZoneDirectory().zone(named: name))
  }
}
