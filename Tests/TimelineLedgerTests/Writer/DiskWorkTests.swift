import Foundation
import Testing
import TimelineCore
import TimelineEngine

@testable import TimelineLedger

/// A thread that does its work when the test calls ``finish()``, or when it is waited for.
final class SlowThread: LedgerThread {
  private var work: (@Sendable () -> Void)?
  private(set) var waitCount = 0

  var isBusy: Bool { work != nil }

  func begin(_ work: @escaping @Sendable () -> Void) { self.work = work }

  func finish() { work.take()?() }

  func wait() {
    waitCount += 1
    finish()
  }
}

@Suite struct `The file with another thread` {
  private let fixture: Fixture
  private let thread = SlowThread()

  init() throws { fixture = try Fixture() }

  private func withLedger(_ body: (Ledger, String) throws -> Void) throws {
    try withTemporaryDirectory { directory in
      let ledger = try fixture.ledger(directory + "/ledger.sqlite")
      _ = try ledger.recall(at: fixture.at(2))
      _ = try ledger.claim([fixture.key(10), fixture.key(20)], at: fixture.at(2))
      try body(ledger, directory)
    }
  }

  private func needsDisk(_ ledger: Ledger, _ seconds: Int64 = 10) -> Bool {
    ledger.needsDisk(before: fixture.attempt(fixture.key(seconds), run: 1))
  }

  @Test func `a claim is on the disk when a sync that began after it has ended, and not before`() throws {
    try withLedger { ledger, _ in
      #expect(!ledger.isReady(at: fixture.at(10)) && needsDisk(ledger))
      try ledger.writeClaims(at: fixture.at(9))
      #expect(!ledger.isReady(at: fixture.at(10)) && needsDisk(ledger))
      #expect(ledger.beginDiskWork(on: thread, isQuiet: false))
      #expect(!ledger.isReady(at: fixture.at(10)) && needsDisk(ledger))
      // The claim of the next entry is not covered.
      try ledger.writeClaims(at: fixture.at(19))
      thread.finish()
      #expect(needsDisk(ledger), "nobody was told")
      try ledger.finishSync()
      #expect(!needsDisk(ledger) && needsDisk(ledger, 20))
      try ledger.commitSoon()
      #expect(ledger.beginDiskWork(on: thread, isQuiet: false))
      thread.finish()
      try ledger.finishSync()
      #expect(ledger.isReady(at: fixture.at(10)) && !needsDisk(ledger, 20))
      #expect(!ledger.beginDiskWork(on: thread, isQuiet: false), "there is nothing more to wait for")
    }
  }

  @Test func `during a sync changes are postponed, and a query waits for the file`() throws {
    try withLedger { ledger, _ in
      try ledger.writeClaims(at: fixture.at(9))
      #expect(ledger.beginDiskWork(on: thread, isQuiet: false))
      ledger.settle(fixture.end(fixture.key(1)))
      try ledger.commitSoon()
      #expect(thread.isBusy && ledger.isSyncing && !ledger.isUpToDate)
      #expect(!ledger.beginDiskWork(on: thread, isQuiet: false), "one at a time")
      #expect(try ledger.entry(of: fixture.backup, at: fixture.at(1))?.record.outcome == .succeeded)
      #expect(!thread.isBusy && !ledger.isSyncing && ledger.isUpToDate)
      #expect(!needsDisk(ledger), "it was waited for")
    }
  }

  @Test func `a start that needs its claim on the disk waits for the sync`() throws {
    try withLedger { ledger, _ in
      try ledger.writeClaims(at: fixture.at(9))
      #expect(ledger.beginDiskWork(on: thread, isQuiet: false))
      let waits = ledger.heldDatabase.waitCount
      ledger.start(fixture.attempt(fixture.key(10), run: 1))
      try ledger.commitSoon()
      #expect(!thread.isBusy && ledger.database.waitCount == waits + 2, "the file is not behind")
    }
  }

  @Test(arguments: [true, false])
  func `an awaited change and a full backlog wait for the thread`(isPause: Bool) throws {
    try withLedger { ledger, _ in
      try ledger.writeClaims(at: fixture.at(9))
      #expect(ledger.beginDiskWork(on: thread, isQuiet: false))
      if isPause {
        ledger.pause(fixture.mail, since: fixture.at(9))
      } else {
        for seconds in 0..<Backlog.countMax {
          ledger.settle(fixture.end(fixture.key(Int64(seconds) + 100, of: fixture.mail)))
        }
      }
      try ledger.commitSoon()
      #expect(!thread.isBusy && ledger.isUpToDate)
    }
  }

  @Test func `a failed sync leaves the claims off the disk until the log is in the file`() throws {
    try withLedger { ledger, _ in
      try ledger.writeClaims(at: fixture.at(9))
      ledger.database.syncFailure = 1_034
      #expect(ledger.beginDiskWork(on: thread, isQuiet: false))
      thread.finish()
      let error = #expect(throws: LedgerError.self) { try ledger.finishSync() }
      #expect("\(try #require(error))".contains("waiting for the disk"))
      #expect(needsDisk(ledger) && !ledger.isReady(at: fixture.at(9)))
      try ledger.finishSync()
      // The kernel reports success for the same bytes, which is wrong.
      ledger.database.syncFailure = nil
      #expect(try pageCount(of: ledger) > 0)
      #expect(ledger.beginDiskWork(on: thread, isQuiet: false))
      thread.finish()
      try ledger.finishSync()
      #expect(!needsDisk(ledger) && !ledger.database.hasLog, "it went by way of the file")
    }
  }

  private func pageCount(of ledger: Ledger) throws -> Int64 {
    var count: Int64 = 0
    try ledger.database.run("PRAGMA page_count") { count = $0.integer(0) }
    return count
  }

  @Test func `a checkpoint of a long log on the thread counts as a sync`() throws {
    try withLedger { ledger, directory in
      var seconds: Int64 = 100
      while !ledger.database.hasLongLog {
        ledger.settle(fixture.end(fixture.key(seconds, of: fixture.mail)))
        try ledger.commit()
        seconds += 10
      }
      try ledger.writeClaims(at: fixture.at(9))
      #expect(ledger.beginDiskWork(on: thread, isQuiet: true))
      thread.finish()
      try ledger.finishSync()
      #expect(!needsDisk(ledger) && !ledger.database.hasLog)
      // A loss of power keeps the contents of the file.
      let copy = try copyLedger(directory + "/ledger.sqlite", to: directory + "/copy")
      try FileManager.default.removeItem(atPath: copy + "-wal")
      let later = try fixture.ledger(copy, boot: "later")
      #expect(try later.recall(at: fixture.at(11)).open.map(\.entry) == [fixture.key(10)])
    }
  }

  @Test(arguments: [false, true])
  func `a ledger can be closed during a sync, also when the sync fails`(fails: Bool) throws {
    try withLedger { ledger, directory in
      try ledger.writeClaims(at: fixture.at(9))
      if fails { ledger.database.syncFailure = 1_034 }
      #expect(ledger.beginDiskWork(on: thread, isQuiet: false))
      ledger.settle(fixture.end(fixture.key(10)))
      try ledger.close()
      #expect(!thread.isBusy)
      let again = try fixture.ledger(directory + "/ledger.sqlite")
      #expect(try again.entry(of: fixture.backup, at: fixture.at(10))?.record.outcome == .succeeded)
    }
  }

  @Test func `without a thread the disk work is done at once`() throws {
    try withLedger { ledger, _ in
      try ledger.writeClaims(at: fixture.at(9))
      try ledger.doDiskWork(isQuiet: false)
      #expect(!needsDisk(ledger))
      try ledger.writeClaims(at: fixture.at(19))
      ledger.database.syncFailure = 1_034
      #expect(throws: LedgerError.self) { try ledger.doDiskWork(isQuiet: false) }
      #expect(needsDisk(ledger, 20))
    }
  }
}
