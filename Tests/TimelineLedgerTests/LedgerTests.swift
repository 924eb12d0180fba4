import Foundation
import Testing
import TimelineCore
import TimelineEngine

@testable import TimelineLedger

@Suite struct LedgerTests {
  let backup: JobName
  let sampler: JobName
  /// When the jobs are first seen.
  let known = WallInstant(secondsSinceEpoch: 1)
  /// Where a job stands of which nothing has been settled: an entry at the very instant of its appearance is its first.
  var justBefore: WallInstant { known - .nanoseconds(1) }

  init() throws {
    backup = try #require(JobName("backup"))
    sampler = try #require(JobName("sampler"))
  }

  func key(_ seconds: Int64) -> EntryKey {
    EntryKey(job: backup, nominal: WallInstant(secondsSinceEpoch: seconds))
  }

  func temporaryPath() -> String { "/tmp/timelined-ledger-\(UInt64.random(in: .min ... .max)).sqlite" }

  func withFile(_ body: (String) throws -> Void) throws {
    let path = temporaryPath()
    defer {
      for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
    }
    try body(path)
  }

  @Test func `an entry is claimed, started and settled once, and then lost to whoever asks again`() throws {
    let ledger = try Ledger(path: ":memory:")
    try ledger.adopt(jobs: [(backup, "every 10s")], countedJobs: [], at: known)
    let now = WallInstant(secondsSinceEpoch: 5)
    #expect(try ledger.claim([key(10)], at: now).map(\.verdict) == [.won])
    #expect(try ledger.claim([key(10)], at: now).map(\.verdict) == [.won], "a claim may be repeated")
    try ledger.settle(
      EntryRecord(entry: key(10), disposition: .succeeded, endedAt: WallInstant(secondsSinceEpoch: 11)))
    #expect(try ledger.claim([key(10), key(20)], at: now).map(\.verdict) == [.lost, .won])
    try ledger.commit()
  }

  @Test func `a daemon that died leaves unknown what it had started and nothing of what it had claimed`()
    throws
  {
    try withFile { path in
      do {
        let ledger = try Ledger(path: path)
        try ledger.adopt(jobs: [(backup, "every 10s")], countedJobs: [], at: known)
        _ = try ledger.claim([key(10), key(20), key(30)], at: key(5).nominal)
        try ledger.settle(EntryRecord(entry: key(10), disposition: .succeeded, endedAt: key(11).nominal))
        try ledger.start(
          Attempt(run: RunID(number: 2), entry: key(20), cause: .schedule, startedAt: key(20).nominal))
        try ledger.commit()
      }
      let ledger = try Ledger(path: path)
      try ledger.adopt(jobs: [(backup, "every 10s")], countedJobs: [], at: known)
      let memory = try ledger.recall(at: key(100).nominal)
      #expect(memory.unknown.map(\.entry) == [key(20)])
      #expect(memory.unknown.first?.disposition == .unknown)
      #expect(memory.lastSettled == [backup: key(20).nominal])
      #expect(try ledger.recall(at: key(101).nominal).unknown.isEmpty, "what is settled is not settled again")
    }
  }

  @Test func `what was not committed is forgotten`() throws {
    try withFile { path in
      do {
        let ledger = try Ledger(path: path)
        try ledger.adopt(jobs: [(backup, "every 10s")], countedJobs: [], at: known)
        try ledger.settle(EntryRecord(entry: key(10), disposition: .succeeded, endedAt: key(11).nominal))
      }
      let ledger = try Ledger(path: path)
      try ledger.adopt(jobs: [(backup, "every 10s")], countedJobs: [], at: known)
      #expect(try ledger.recall(at: key(100).nominal).lastSettled == [backup: justBefore])
    }
  }

  @Test func `a changed schedule forgets where the job stood and keeps its cursor`() throws {
    let ledger = try Ledger(path: ":memory:")
    try ledger.adopt(jobs: [(backup, "every 10s")], countedJobs: [], at: known)
    try ledger.settle(
      EntryRecord(entry: key(10), disposition: .succeeded, endedAt: key(11).nominal), cursor: [1, 2, 3])
    try ledger.adopt(jobs: [(backup, "every 10s")], countedJobs: [], at: known)
    #expect(try ledger.recall(at: key(12).nominal).lastSettled == [backup: key(10).nominal])
    try ledger.adopt(jobs: [(backup, "every 20s")], countedJobs: [], at: known)
    #expect(try ledger.recall(at: key(12).nominal).lastSettled == [backup: justBefore])
    #expect(try ledger.cursor(of: backup) == [1, 2, 3])
  }

  @Test func `a job that was taken out for a time has missed nothing when it is back, and keeps its cursor`()
    throws
  {
    let ledger = try Ledger(path: ":memory:")
    try ledger.adopt(jobs: [(backup, "every 10s")], countedJobs: [], at: known)
    try ledger.settle(
      EntryRecord(entry: key(10), disposition: .succeeded, endedAt: key(11).nominal), cursor: [1])
    try ledger.adopt(jobs: [], countedJobs: [], at: key(12).nominal)
    #expect(try ledger.recall(at: key(12).nominal).lastSettled.isEmpty)
    try ledger.adopt(jobs: [(backup, "every 10s")], countedJobs: [], at: key(1_000).nominal)
    #expect(
      try ledger.recall(at: key(1_001).nominal).lastSettled == [
        backup: key(1_000).nominal - .nanoseconds(1)
      ])
    #expect(try ledger.cursor(of: backup) == [1])
  }

  @Test func `a clock that was far ahead for a time does not silence a job until then`() throws {
    let ledger = try Ledger(path: ":memory:")
    try ledger.adopt(jobs: [(backup, "every 10s")], countedJobs: [], at: known)
    try ledger.settle(
      EntryRecord(entry: key(1_000_000), disposition: .succeeded, endedAt: key(1_000_001).nominal))
    #expect(try ledger.recall(at: key(20).nominal).lastSettled == [backup: key(20).nominal])
    #expect(try ledger.claim([key(1_000_000)], at: key(21).nominal).map(\.verdict) == [.lost])
  }

  @Test func `one process has a ledger at a time, and the other is told`() throws {
    try withFile { path in
      let ledger = try Ledger(path: path)
      try ledger.adopt(jobs: [(backup, "every 10s")], countedJobs: [], at: known)
      #expect(throws: LedgerError.inUse(path: path)) { _ = try Ledger(path: path) }
      try ledger.close()
      #expect(!FileManager.default.fileExists(atPath: path + "-wal"), "what is closed is one file")
      #expect(try Ledger(path: path).recall(at: key(2).nominal).lastSettled == [backup: justBefore])
    }
  }

  @Test func `a disk that was full for a time is written again afterwards`() throws {
    try withFile { path in
      let ledger = try Ledger(path: path)
      try ledger.adopt(jobs: [(backup, "every 10s")], countedJobs: [], at: known)
      try ledger.limit(pages: 1)
      let reason = String(repeating: "x", count: 100_000)
      let long = EntryRecord(
        entry: key(10), disposition: .failed, reason: reason, endedAt: key(11).nominal)
      #expect(throws: LedgerError.self) {
        try ledger.settle(long)
        try ledger.commit()
      }
      try ledger.limit(pages: 1_000_000)
      try ledger.settle(long)
      try ledger.commit()
      #expect(try ledger.claim([key(10)], at: key(12).nominal).map(\.verdict) == [.lost])
    }
  }

  @Test func `a job asked for by hand does not move its timeline`() throws {
    let ledger = try Ledger(path: ":memory:")
    try ledger.adopt(jobs: [(backup, "every 10s")], countedJobs: [], at: known)
    try ledger.settle(
      EntryRecord(entry: key(15), cause: .trigger, disposition: .failed, endedAt: key(16).nominal))
    #expect(try ledger.recall(at: key(17).nominal).lastSettled == [backup: justBefore])
  }

  @Test func `a job that fires too often has no rows, and its place is filed when there is time`() throws {
    let ledger = try Ledger(path: ":memory:")
    try ledger.adopt(jobs: [(sampler, "as fast as every 16ms")], countedJobs: [sampler], at: known)
    let entry = EntryKey(job: sampler, nominal: WallInstant(secondsSinceEpoch: 3))
    #expect(try ledger.claim([entry], at: entry.nominal).map(\.verdict) == [.won])
    try ledger.settle(EntryRecord(entry: entry, disposition: .succeeded, endedAt: entry.nominal))
    #expect(try ledger.recall(at: entry.nominal).lastSettled == [sampler: justBefore])
    try ledger.tidy(droppingEntriesBefore: .epoch)
    #expect(try ledger.recall(at: entry.nominal).lastSettled == [sampler: entry.nominal])
  }

  @Test func `entries older than the horizon are dropped and the job's place stays`() throws {
    let ledger = try Ledger(path: ":memory:")
    try ledger.adopt(jobs: [(backup, "every 10s")], countedJobs: [], at: known)
    try ledger.settle(EntryRecord(entry: key(10), disposition: .succeeded, endedAt: key(11).nominal))
    try ledger.tidy(droppingEntriesBefore: key(12).nominal)
    #expect(try ledger.claim([key(10)], at: key(13).nominal).map(\.verdict) == [.won])
    #expect(try ledger.recall(at: key(13).nominal).lastSettled == [backup: key(10).nominal])
  }

  @Test func `a ledger written by a newer program is refused by name`() throws {
    try withFile { path in
      do {
        let database = try Database(path: path)
        try Migration.apply(to: database)
        try database.run("INSERT INTO migration VALUES ('99 from the future')")
      }
      #expect(throws: LedgerError.newer(path: path, migration: "99 from the future")) {
        _ = try Ledger(path: path)
      }
    }
  }

  @Test func `a file that is no database is refused with its path and a remedy`() throws {
    try withFile { path in
      try Data(String(repeating: "not a database ", count: 100).utf8).write(to: URL(filePath: path))
      let error = try #require(throws: LedgerError.self) { _ = try Ledger(path: path) }
      #expect(error.description.hasPrefix(path))
      #expect(error.description.contains("move the file aside"))
    }
  }
}
