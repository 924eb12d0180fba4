import Foundation
import Testing
import TimelineCore
import TimelineEngine

@testable import TimelineLedger

@Suite struct LedgerTests {
  let fixture: Fixture
  var backup: JobName { fixture.backup }
  /// Instant at which the jobs are first seen.
  let known = WallInstant(secondsSinceEpoch: 1)
  /// Watermark of a job before its first settled entry: an entry at the instant of its appearance is its first.
  var justBefore: WallInstant { known - .nanoseconds(1) }

  init() throws { fixture = try Fixture() }

  func key(_ seconds: Int64) -> EntryKey { fixture.key(seconds) }

  func withFile(_ body: (String) throws -> Void) throws {
    try withTemporaryDirectory { try body($0 + "/ledger.sqlite") }
  }

  @Test func `an entry is claimed, started and settled once, and later claims are denied`() throws {
    let ledger = try Ledger(path: ":memory:")
    try ledger.adopt(jobs: [LedgerJob(name: backup, schedule: "every 10s")], at: known)
    let now = WallInstant(secondsSinceEpoch: 5)
    #expect(try ledger.claim([key(10)], at: now).map(\.verdict) == [.granted])
    #expect(try ledger.claim([key(10)], at: now).map(\.verdict) == [.granted], "a claim may be repeated")
    ledger.settle(
      EntryRecord(entry: key(10), outcome: .succeeded, endedAt: WallInstant(secondsSinceEpoch: 11)))
    #expect(try ledger.claim([key(10), key(20)], at: now).map(\.verdict) == [.denied, .granted])
    try ledger.commit()
  }

  @Test func `uncommitted changes are lost`() throws {
    try withFile { path in
      do {
        let ledger = try Ledger(path: path)
        try ledger.adopt(jobs: [LedgerJob(name: backup, schedule: "every 10s")], at: known)
        ledger.settle(EntryRecord(entry: key(10), outcome: .succeeded, endedAt: key(11).nominal))
      }
      let ledger = try Ledger(path: path)
      try ledger.adopt(jobs: [LedgerJob(name: backup, schedule: "every 10s")], at: known)
      #expect(try ledger.recall(at: key(100).nominal).lastSettled == [backup: justBefore])
    }
  }

  @Test func `a changed schedule resets the watermark and keeps the cursor`() throws {
    let ledger = try Ledger(path: ":memory:")
    try ledger.adopt(jobs: [LedgerJob(name: backup, schedule: "every 10s")], at: known)
    ledger.settle(
      EntryRecord(entry: key(10), outcome: .succeeded, endedAt: key(11).nominal), cursor: [1, 2, 3])
    try ledger.adopt(jobs: [LedgerJob(name: backup, schedule: "every 10s")], at: known)
    #expect(try ledger.recall(at: key(12).nominal).lastSettled == [backup: key(10).nominal])
    try ledger.adopt(jobs: [LedgerJob(name: backup, schedule: "every 20s")], at: known)
    #expect(try ledger.recall(at: key(12).nominal).lastSettled == [backup: justBefore])
    #expect(ledger.cursor(of: backup) == [1, 2, 3])
  }

  @Test func `a job that was removed for a time has missed nothing when it is back, and keeps its cursor`()
    throws
  {
    let ledger = try Ledger(path: ":memory:")
    try ledger.adopt(jobs: [LedgerJob(name: backup, schedule: "every 10s")], at: known)
    ledger.settle(
      EntryRecord(entry: key(10), outcome: .succeeded, endedAt: key(11).nominal), cursor: [1])
    try ledger.adopt(jobs: [], at: key(12).nominal)
    #expect(try ledger.recall(at: key(12).nominal).lastSettled.isEmpty)
    try ledger.adopt(jobs: [LedgerJob(name: backup, schedule: "every 10s")], at: key(1_000).nominal)
    #expect(
      try ledger.recall(at: key(1_001).nominal).lastSettled == [
        backup: key(1_000).nominal - .nanoseconds(1)
      ])
    #expect(ledger.cursor(of: backup) == [1])
  }

  @Test func `an entry that was settled before the clock was set back stays settled`() throws {
    let ledger = try Ledger(path: ":memory:")
    try ledger.adopt(jobs: [LedgerJob(name: backup, schedule: "every 10s")], at: known)
    ledger.settle(EntryRecord(entry: key(1_000), outcome: .succeeded, endedAt: key(1_001).nominal))
    #expect(try ledger.recall(at: key(20).nominal).lastSettled == [backup: key(1_000).nominal])
    #expect(try ledger.claim([key(1_000)], at: key(21).nominal).map(\.verdict) == [.denied])
  }

  @Test func `an entry keeps the first outcome it has, and a second one is counted`() throws {
    let ledger = try Ledger(path: ":memory:")
    try ledger.adopt(jobs: [LedgerJob(name: backup, schedule: "every 10s")], at: known)
    let first = EntryRecord(
      entry: key(50), outcome: .succeeded, run: RunID(number: 4), startedAt: key(50).nominal,
      endedAt: key(51).nominal, attempts: 1)
    ledger.start(fixture.attempt(key(50), run: 4))
    ledger.settle(first)
    try ledger.commit()
    ledger.start(fixture.attempt(key(50), run: 9, number: 2, cause: .missed))
    ledger.settle(fixture.end(key(50), run: 9, .failed))
    ledger.settle(fixture.end(key(50), .missed))
    var range = fixture.end(key(60), .missed)
    (range.entryCount, range.firstNominal) = (6, key(10).nominal)
    ledger.settle(range)
    try ledger.commit()
    #expect(ledger.contradictionCount == 2)
    #expect(try ledger.entry(of: backup, at: key(50).nominal)?.record == first)
    #expect(try ledger.entry(of: backup, at: key(40).nominal)?.record == range, "which has no row of its own")
    #expect(try ledger.recall(at: key(70).nominal).lastSettled == [backup: key(60).nominal])
  }

  @Test func `a record of a clock that was far ahead does not decide later entries`() throws {
    let ledger = try Ledger(path: ":memory:")
    try ledger.adopt(jobs: [LedgerJob(name: backup, schedule: "every 10s")], at: known)
    var years = fixture.end(key(1_000_000), .missed)
    (years.entryCount, years.firstNominal) = (99_998, key(30).nominal)
    ledger.settle(years)
    try ledger.commit()
    let verdicts = { (now: Int64) in
      try ledger.claim([key(40), key(1_000_000)], at: key(now).nominal).map(\.verdict)
    }
    #expect(try verdicts(30) == [.granted, .granted])
    #expect(try verdicts(1_000_000) == [.granted, .granted])
    #expect(try verdicts(1_000_001) == [.denied, .denied])
    ledger.settle(fixture.end(key(40)))
    #expect(try ledger.entry(of: backup, at: key(40).nominal)?.record == fixture.end(key(40)))
  }

  @Test func `one process has a ledger at a time, and another one gets an error`() throws {
    try withFile { path in
      let ledger = try Ledger(path: path)
      try ledger.adopt(jobs: [LedgerJob(name: backup, schedule: "every 10s")], at: known)
      #expect(throws: LedgerError.inUse(path: path)) { _ = try Ledger(path: path, lockLimit: .zero) }
      try ledger.close()
      #expect(!FileManager.default.fileExists(atPath: path + "-wal"), "what is closed is one file")
      #expect(try Ledger(path: path).recall(at: key(2).nominal).lastSettled == [backup: justBefore])
    }
  }

  @Test func `a job triggered manually does not move its timeline`() throws {
    let ledger = try Ledger(path: ":memory:")
    try ledger.adopt(jobs: [LedgerJob(name: backup, schedule: "every 10s")], at: known)
    ledger.settle(
      EntryRecord(entry: key(15), cause: .trigger, outcome: .failed, endedAt: key(16).nominal))
    #expect(try ledger.recall(at: key(17).nominal).lastSettled == [backup: justBefore])
  }

  @Test func `a job with too many entries has no rows, and its watermark is filed when there is time`() throws
  {
    let ledger = try Ledger(path: ":memory:")
    try ledger.adopt(
      jobs: [LedgerJob(name: fixture.sampler, schedule: "as fast as every 16ms", isCounted: true)], at: known)
    let entry = EntryKey(job: fixture.sampler, nominal: WallInstant(secondsSinceEpoch: 3))
    #expect(try ledger.claim([entry], at: entry.nominal).map(\.verdict) == [.granted])
    ledger.settle(EntryRecord(entry: entry, outcome: .succeeded, endedAt: entry.nominal))
    #expect(try ledger.recall(at: entry.nominal).lastSettled == [fixture.sampler: justBefore])
    while try ledger.tidy(at: .epoch, keeping: LedgerRetention()) {}
    #expect(try ledger.recall(at: entry.nominal).lastSettled == [fixture.sampler: entry.nominal])
  }

  @Test func `watermarks of busy jobs are filed before their counts, some at a time`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/ledger.sqlite"
      let busy = try (0..<150).map {
        LedgerJob(name: try #require(JobName("j\($0)")), schedule: "every 100ms", isCounted: true)
      }
      let ledger = try Ledger(path: path)
      try ledger.adopt(jobs: busy, at: known)
      let nominal = WallInstant(secondsSinceEpoch: 3)
      #expect(!ledger.hasWatermarksToSave)
      for job in busy {
        let entry = EntryKey(job: job.name, nominal: nominal)
        ledger.settle(EntryRecord(entry: entry, outcome: .succeeded, endedAt: nominal))
      }
      #expect(ledger.hasWatermarksToSave)
      #expect(try ledger.saveWatermarks() && !ledger.saveWatermarks() && !ledger.hasWatermarksToSave)
      // The state that a daemon finds after a crash of the previous one.
      let next = try Ledger(path: try copyLedger(path, to: directory + "/crashed"))
      try next.adopt(jobs: busy, at: nominal)
      let recalled = try next.recall(at: nominal).lastSettled
      #expect(busy.allSatisfy { recalled[$0.name] == nominal })
    }
  }

}
