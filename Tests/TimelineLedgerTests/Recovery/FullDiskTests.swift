import Foundation
import Testing
import TimelineCore
import TimelineEngine

@testable import TimelineLedger

@Suite struct `A full disk` {
  let fixture: Fixture

  init() throws { fixture = try Fixture() }

  /// Runs an entry with a long end, which does not fit into a file without room.
  func run(_ seconds: Int64, in ledger: Ledger) throws {
    let key = fixture.key(seconds)
    #expect(try ledger.claim([key], at: key.nominal - .seconds(5)).map(\.verdict) == [.granted])
    ledger.start(fixture.attempt(key, run: UInt64(seconds)))
    ledger.settle(
      fixture.end(key, run: UInt64(seconds), .failed, reason: String(repeating: "x", count: 10_000)),
      cursor: [UInt8(truncatingIfNeeded: seconds)])
  }

  @Test(arguments: [true, false])
  func `a record of several entries applies once the clock is past its end, also unwritten`(_ isFull: Bool)
    throws
  {
    try withTemporaryDirectory { directory in
      let ledger = try fixture.ledger(directory + "/ledger.sqlite")
      try ledger.commit()
      if isFull { try ledger.limit(pages: 1) }
      ledger.settle(
        EntryRecord(
          entry: fixture.key(30), outcome: .missed, reason: String(repeating: "x", count: 10_000),
          endedAt: fixture.at(31), entryCount: 3, firstNominal: fixture.at(10)), cursor: nil)
      if isFull {
        #expect(throws: LedgerError.self) { try ledger.commit() }
      } else {
        try ledger.commit()
      }
      let keys = [10, 20, 30].map { fixture.key($0) }
      let verdicts = { try ledger.claim(keys, at: fixture.at($0)).map(\.verdict) }
      #expect(try verdicts(5) == [.granted, .granted, .granted], "the clock was set back")
      #expect(try verdicts(31) == [.denied, .denied, .denied])
    }
  }

  @Test func `changes that could not be written are written when there is room again`() throws {
    try withTemporaryDirectory { directory in
      let ledger = try fixture.ledger(directory + "/ledger.sqlite")
      try run(10, in: ledger)
      try ledger.commit()
      try ledger.limit(pages: 1)
      for seconds in [20, 30, 40] as [Int64] {
        try run(seconds, in: ledger)
        #expect(throws: LedgerError.full(path: directory + "/ledger.sqlite")) { try ledger.commit() }
        #expect(ledger.isBehind)
        #expect(
          try ledger.claim([fixture.key(seconds)], at: fixture.at(seconds + 2)).map(\.verdict) == [.denied])
        #expect(ledger.cursor(of: fixture.backup) == [UInt8(truncatingIfNeeded: seconds)])
      }
      #expect(
        try ledger.history(HistoryQuery()).map(\.record.entry) == [fixture.key(10)],
        "what is there can be asked for")
      try ledger.limit(pages: 1_000_000)
      try ledger.commit()
      #expect(!ledger.isBehind && ledger.droppedChangeCount == 0)
      #expect(
        try ledger.history(HistoryQuery()).map(\.record.entry.nominal) == [40, 30, 20, 10].map(fixture.at))
      try ledger.close()
      let again = try fixture.ledger(directory + "/ledger.sqlite")
      #expect(again.cursor(of: fixture.backup) == [40])
      #expect(try again.recall(at: fixture.at(41)).open.isEmpty)
    }
  }

  @Test(arguments: [true, false])
  func `an entry that ran during a full disk does not run again after a crash`(hasEnded: Bool) throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/ledger.sqlite"
      let ledger = try fixture.ledger(path)
      try run(10, in: ledger)
      try ledger.commit()
      try ledger.limit(pages: 1)
      try run(20, in: ledger)
      if !hasEnded {
        // Many claims fill the remaining room.
        _ = try ledger.claim((3...500).map { fixture.key($0 * 10) }, at: fixture.at(21))
        ledger.start(fixture.attempt(fixture.key(30), run: 30))
      }
      #expect(throws: LedgerError.self) { try ledger.commit() }
      let copy = try copyLedger(path, to: directory + "/crashed")
      let memory = try fixture.ledger(copy).recall(at: fixture.at(10_000))
      #expect(memory.lastSettled[fixture.backup] == fixture.at(hasEnded ? 20 : 30))
    }
  }

  @Test func `a long time without room drops the oldest changes and counts them`() throws {
    try withTemporaryDirectory { directory in
      let ledger = try fixture.ledger(directory + "/ledger.sqlite")
      try ledger.limit(pages: 1)
      try run(10, in: ledger)
      #expect(throws: LedgerError.self) { try ledger.commit() }
      for seconds in 2...Int64(Backlog.countMax + 10) {
        ledger.settle(fixture.end(fixture.key(seconds * 10), .missed))
      }
      #expect(throws: LedgerError.self) { try ledger.commit() }
      #expect(ledger.droppedChangeCount == Backlog.nextPortion)
      try ledger.limit(pages: 1_000_000)
      while ledger.isBehind { try ledger.commit() }
      var rows: Int64 = 0
      try ledger.database.run("SELECT count(*) FROM entry") { rows = $0.integer(0) }
      #expect(rows == Int64(Backlog.countMax + 11 - Backlog.nextPortion))
      #expect(
        try ledger.recall(at: .max).lastSettled[fixture.backup]
          == fixture.at(Int64(Backlog.countMax + 10) * 10))
    }
  }

  @Test func `a daemon starts on a full disk, reads the existing records, and writes the rest later`() throws
  {
    try withTemporaryDirectory { directory in
      let path = directory + "/ledger.sqlite"
      do {
        let ledger = try fixture.ledger(path)
        try run(10, in: ledger)
        ledger.pause(fixture.mail, since: fixture.at(5))
        ledger.start(fixture.attempt(fixture.key(20), run: 20))
        _ = try ledger.claim([fixture.key(30)], at: fixture.at(25))
        try ledger.commit()
      }
      // In a boot without a number yet, and with a job whose schedule has changed.
      let ledger = try Ledger(path: path, boot: "this")
      try ledger.limit(pages: 1)
      var jobs = fixture.jobs
      jobs[1].schedule = "every 20s"
      jobs.append(
        LedgerJob(name: try #require(JobName("new")), schedule: String(repeating: "x", count: 4_000_000)))
      #expect(throws: LedgerError.full(path: path)) { try ledger.adopt(jobs: jobs, at: fixture.at(40)) }
      let memory = try ledger.recall(at: fixture.at(40))
      #expect(ledger.isBehind)
      let justNow = fixture.at(40) - .nanoseconds(1)
      #expect(
        memory.lastSettled == [
          fixture.backup: fixture.at(10), fixture.mail: justNow, jobs[3].name: justNow,
          fixture.sampler: fixture.at(1) - .nanoseconds(1),
        ])
      #expect(memory.open.map(\.entry) == [fixture.key(20)] && memory.lastRun == RunID(number: 20))
      #expect(memory.paused == [fixture.mail: fixture.at(5)])
      #expect(ledger.cursor(of: fixture.backup) == [10])
      #expect(try ledger.claim([fixture.key(10)], at: fixture.at(40)).map(\.verdict) == [.denied])
      try run(40, in: ledger)
      #expect(throws: LedgerError.self) { try ledger.commit() }
      try ledger.limit(pages: 1_000_000)
      try ledger.close()
      let again = try Ledger(path: path, boot: "this")
      try again.adopt(jobs: jobs, at: fixture.at(50))
      let later = try again.recall(at: fixture.at(50)).lastSettled
      #expect(later[fixture.backup] == fixture.at(40) && later[fixture.mail] == justNow)
    }
  }

  @Test func `the log of a busy hour stays small, whether there is a quiet moment or not`() throws {
    try withTemporaryDirectory { directory in
      let ledger = try fixture.ledger(directory + "/ledger.sqlite")
      var longest = 0
      for seconds in 1...2_000 as ClosedRange<Int64> {
        try run(seconds * 10, in: ledger)
        try ledger.commit()
        try ledger.shortenLog(isQuiet: false)
        let size = try FileManager.default.attributesOfItem(atPath: directory + "/ledger.sqlite-wal")[.size]
        longest = max(longest, try #require(size as? Int))
      }
      #expect(longest > 1 << 20 && longest < 4 << 20, "in bytes")
    }
  }

  @Test func `a record that cannot be written does not prevent others`() throws {
    let ledger = try fixture.ledger()
    var impossible = fixture.end(fixture.key(20))
    impossible.entryCount = 0
    ledger.settle(fixture.end(fixture.key(10)))
    ledger.settle(impossible)
    ledger.settle(fixture.end(fixture.key(30)))
    let error = try #require(throws: LedgerError.self) { try ledger.commit() }
    guard case .refused = error else {
      Issue.record("\(error)")
      return
    }
    #expect(!ledger.isBehind)
    try ledger.commit()
    #expect(try ledger.history(HistoryQuery()).map(\.record.entry.nominal) == [30, 10].map(fixture.at))
  }
}
