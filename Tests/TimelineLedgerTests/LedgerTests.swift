import Foundation
import Testing
import TimelineCore
import TimelineEngine

@testable import TimelineLedger

@Suite struct LedgerTests {
  let backup: JobName
  let sampler: JobName

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
    try ledger.adopt(jobs: [(backup, "every 10s")], countedJobs: [])
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
        try ledger.adopt(jobs: [(backup, "every 10s")], countedJobs: [])
        _ = try ledger.claim([key(10), key(20), key(30)], at: key(5).nominal)
        try ledger.settle(EntryRecord(entry: key(10), disposition: .succeeded, endedAt: key(11).nominal))
        try ledger.start(
          Attempt(run: RunID(number: 2), entry: key(20), cause: .schedule, startedAt: key(20).nominal))
        try ledger.commit()
      }
      let ledger = try Ledger(path: path)
      try ledger.adopt(jobs: [(backup, "every 10s")], countedJobs: [])
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
        try ledger.adopt(jobs: [(backup, "every 10s")], countedJobs: [])
        try ledger.settle(EntryRecord(entry: key(10), disposition: .succeeded, endedAt: key(11).nominal))
      }
      let ledger = try Ledger(path: path)
      try ledger.adopt(jobs: [(backup, "every 10s")], countedJobs: [])
      #expect(try ledger.recall(at: key(100).nominal).lastSettled.isEmpty)
    }
  }

  @Test func `a changed schedule forgets where the job stood and keeps its cursor`() throws {
    let ledger = try Ledger(path: ":memory:")
    try ledger.adopt(jobs: [(backup, "every 10s")], countedJobs: [])
    try ledger.settle(
      EntryRecord(entry: key(10), disposition: .succeeded, endedAt: key(11).nominal), cursor: [1, 2, 3])
    try ledger.adopt(jobs: [(backup, "every 10s")], countedJobs: [])
    #expect(try ledger.recall(at: key(12).nominal).lastSettled == [backup: key(10).nominal])
    try ledger.adopt(jobs: [(backup, "every 20s")], countedJobs: [])
    #expect(try ledger.recall(at: key(12).nominal).lastSettled.isEmpty)
    #expect(try ledger.cursor(of: backup) == [1, 2, 3])
  }

  @Test func `a job asked for by hand does not move its timeline`() throws {
    let ledger = try Ledger(path: ":memory:")
    try ledger.adopt(jobs: [(backup, "every 10s")], countedJobs: [])
    try ledger.settle(
      EntryRecord(entry: key(15), cause: .trigger, disposition: .failed, endedAt: key(16).nominal))
    #expect(try ledger.recall(at: key(17).nominal).lastSettled.isEmpty)
  }

  @Test func `a job that fires too often has no rows, and its place is filed when there is time`() throws {
    let ledger = try Ledger(path: ":memory:")
    try ledger.adopt(jobs: [(sampler, "as fast as every 16ms")], countedJobs: [sampler])
    let entry = EntryKey(job: sampler, nominal: WallInstant(secondsSinceEpoch: 3))
    #expect(try ledger.claim([entry], at: entry.nominal).map(\.verdict) == [.won])
    try ledger.settle(EntryRecord(entry: entry, disposition: .succeeded, endedAt: entry.nominal))
    #expect(try ledger.recall(at: entry.nominal).lastSettled.isEmpty)
    try ledger.tidy(droppingEntriesBefore: .epoch)
    #expect(try ledger.recall(at: entry.nominal).lastSettled == [sampler: entry.nominal])
  }

  @Test func `entries older than the horizon are dropped and the job's place stays`() throws {
    let ledger = try Ledger(path: ":memory:")
    try ledger.adopt(jobs: [(backup, "every 10s")], countedJobs: [])
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
