import Foundation
import Testing
import TimelineCore
import TimelineEngine

@testable import TimelineLedger

/// Numbers of commits, by which a start log detects the loss of the write-ahead log.
@Suite struct `Commits of a ledger` {
  let fixture: Fixture

  init() throws { fixture = try Fixture() }

  private func last(_ ledger: Ledger) throws -> Int64 { try #require(ledger.commitProgress).last }

  private func settle(_ seconds: Int64, in ledger: Ledger) throws {
    ledger.settle(fixture.end(fixture.key(seconds)))
    try ledger.commit()
  }

  @Test func `commits with changes are counted, also over the death of the process`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/ledger.sqlite"
      let ledger = try fixture.ledger(path)
      let first = try last(ledger)
      #expect(first > 0)
      try ledger.commit()
      #expect(try ledger.saveWatermarks() == false)
      #expect(try last(ledger) == first)
      try settle(10, in: ledger)
      #expect(try last(ledger) == first + 1)
      let next = try Ledger(path: copyLedger(path, to: directory + "/next"), boot: "this")
      #expect(try last(next) == first + 1)
    }
  }

  @Test(arguments: [0, 2]) func `a lost or cut write-ahead log shows fewer commits`(kept: Int) throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/ledger.sqlite"
      let ledger = try fixture.ledger(path)
      try settle(10, in: ledger)
      try ledger.database.checkpoint()
      let inFile = try #require(ledger.commitProgress?.inFile)
      // The first commit into the restarted log is counted, too.
      #expect(try last(ledger) == inFile + 1)
      for seconds in 20...40 as ClosedRange<Int64> { try settle(seconds, in: ledger) }
      let copy = try copyLedger(path, to: directory + "/next")
      let log = URL(filePath: copy + "-wal")
      try Data(contentsOf: log).prefix(Data(contentsOf: log).count * kept / 4).write(to: log)
      let next = try Ledger(path: copy, boot: "this")
      let found = try last(next)
      #expect(try found < last(ledger) && (kept == 0 ? found == inFile : found > inFile))
      #expect(next.commitProgress?.inFile == nil, "the log of the former process may hold anything")
      next.countCommits(from: try last(ledger))
      try next.adopt(jobs: [], at: fixture.at(100))
      #expect(try last(next) > last(ledger))
    }
  }

  @Test func `an entry whose run had ended is unknown when its outcome is lost, and does not run again`()
    throws
  {
    try withTemporaryDirectory { directory in
      let path = directory + "/ledger.sqlite"
      let former = try fixture.ledger(path)
      former.start(fixture.attempt(fixture.key(10, of: fixture.mail), run: 1))
      try former.commit()
      let ledger = try fixture.ledger(copyLedger(path, to: directory + "/next"))
      let memory = try ledger.recall(at: fixture.at(100))
      let noted = [20, 30].map { fixture.attempt(fixture.key($0, of: fixture.mail), run: UInt64($0)) }
      // One has a row, and the other is only in the start log.
      let ended: Set<RunID> = [RunID(number: 1), RunID(number: 20)]
      try ledger.recover(noted, ended: ended, open: memory.open, claimsAreLost: true)
      #expect(try ledger.recall(at: fixture.at(100)).open.map(\.entry) == [noted[1].entry])
      for seconds in [10, 20] as [Int64] {
        let entry = try ledger.entry(of: fixture.mail, at: fixture.at(seconds))
        #expect(entry?.record.outcome == .unknown && entry?.record.reason.contains("lost") == true)
      }
    }
  }

  @Test func `commits of a ledger of an older version are counted without a migration`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/ledger.sqlite"
      try fixture.ledger(path).close()
      let older = try Database(path: path)
      try older.execute("DELETE FROM mark WHERE name = 'commits'")
      older.close()
      let ledger = try Ledger(path: path, boot: "this")
      #expect(try last(ledger) == 0)
      try settle(10, in: ledger)
      #expect(try last(ledger) == 1)
    }
  }

  @Test func `all commits are in the one file when the ledger is closed`() throws {
    try withTemporaryDirectory { directory in
      let ledger = try fixture.ledger(directory + "/ledger.sqlite")
      #expect(!ledger.isOneFile)
      try ledger.close()
      #expect(ledger.isOneFile)
    }
  }

  @Test func `the progress is hidden while another thread makes a requested checkpoint`() throws {
    try withTemporaryDirectory { directory in
      let ledger = try fixture.ledger(directory + "/ledger.sqlite")
      let thread = SlowThread()
      let before = try last(ledger)
      ledger.requestCheckpoint()
      #expect(ledger.beginDiskWork(on: thread, isQuiet: false))
      #expect(ledger.commitProgress == nil)
      thread.finish()
      try ledger.finishSync()
      #expect(ledger.commitProgress == CommitProgress(last: before + 1, inFile: before))
    }
  }
}
