import Foundation
import Testing
import TimelineCore
import TimelineEngine

@testable import TimelineLedger

@Suite struct `Writing ahead of the commit` {
  private let fixture: Fixture

  init() throws { fixture = try Fixture() }

  /// Tells the ledger of a run of `backup` and one of `mail`, whose first attempt failed, and lets `writeAhead` have its way in between.
  private func tell(_ ledger: Ledger, _ writeAhead: () -> Void) {
    let keys = [fixture.key(10), fixture.key(10, of: fixture.mail)]
    _ = try? ledger.claim(keys, at: fixture.at(5))
    ledger.start(fixture.attempt(keys[0], run: 1))
    ledger.start(fixture.attempt(keys[1], run: 2))
    writeAhead()
    ledger.end(RunID(number: 2), AttemptOutcome(status: .failed, message: "no"), at: fixture.at(11))
    ledger.start(fixture.attempt(keys[1], run: 2, number: 2, at: fixture.at(12)))
    ledger.settle(fixture.end(keys[0], run: 1), cursor: [1])
    writeAhead()
    ledger.note(output: "said", of: RunID(number: 2))
    ledger.settle(fixture.end(keys[1], run: 2, attempts: 2), cursor: [2])
    ledger.settle(fixture.end(fixture.key(20), .missed))
    writeAhead()
  }

  private func facts(of ledger: Ledger) throws -> [String] {
    try ledger.history(HistoryQuery()).map { "\($0)" }
      + [fixture.backup, fixture.mail].map { "\(ledger.cursor(of: $0))" }
  }

  @Test(arguments: 0...12)
  func `however much was written ahead, the file has the same after the commit`(pieces: Int) throws {
    try withTemporaryFolder { folder in
      let paths = (folder + "/a.sqlite", folder + "/b.sqlite")
      let (ledger, other) = (try fixture.ledger(paths.0), try fixture.ledger(paths.1))
      tell(ledger) { for _ in 0..<pieces { _ = ledger.writeAhead() } }
      try ledger.commit()
      tell(other) {}
      try other.commit()
      #expect(ledger.isUpToDate && !ledger.writeAhead() && ledger.contradictionCount == 0)
      #expect(try facts(of: ledger) == facts(of: other))
      let copies = try [copyLedger(paths.0, to: folder + "/a"), copyLedger(paths.1, to: folder + "/b")]
      for copy in copies {
        let again = try fixture.ledger(copy)
        let memory = try again.recall(at: fixture.at(30))
        #expect(memory.open.isEmpty && memory.lastSettled[fixture.backup] == fixture.at(20))
        #expect(again.cursor(of: fixture.backup) == [1] && again.cursor(of: fixture.mail) == [2])
      }
    }
  }

  @Test func `all of it is written ahead in pieces, and nothing of it counts before the commit`() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/ledger.sqlite"
      let ledger = try fixture.ledger(path)
      #expect(!ledger.writeAhead(), "there is nothing to write")
      tell(ledger) {}
      var pieces = 0
      while ledger.writeAhead() { pieces += 1 }
      // The beginning, eight changes and where two jobs stand.
      #expect(pieces == 11)
      #expect(!ledger.isUpToDate)
      let crashed = try fixture.ledger(try copyLedger(path, to: folder + "/crashed"))
      #expect(try crashed.history(HistoryQuery()).isEmpty)
      try ledger.commit()
      let kept = try fixture.ledger(try copyLedger(path, to: folder + "/kept"))
      #expect(try kept.history(HistoryQuery()).count == 3)
    }
  }

  @Test func `the file is lent to nobody while something was written ahead`() throws {
    try withTemporaryFolder { folder in
      let (ledger, thread) = (try fixture.ledger(folder + "/ledger.sqlite"), SlowThread())
      _ = try ledger.claim([fixture.key(10), fixture.key(11)], at: fixture.at(2))
      try ledger.writeIntents(at: fixture.at(10))
      ledger.start(fixture.attempt(fixture.key(10, of: fixture.mail), run: 1))
      #expect(ledger.writeAhead())
      #expect(!ledger.beginDiskWork(on: thread, isQuiet: false))
      try ledger.commit()
      ledger.start(fixture.attempt(fixture.key(11, of: fixture.mail), run: 2))
      #expect(ledger.beginDiskWork(on: thread, isQuiet: false))
      #expect(!ledger.writeAhead(), "it is with another thread")
      thread.finish()
      try ledger.takeBack()
      #expect(ledger.writeAhead())
    }
  }

  @Test func `what cannot be written ahead is left to the commit, which says why`() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/ledger.sqlite"
      let ledger = try fixture.ledger(path)
      try ledger.limit(pages: 1)
      ledger.settle(
        fixture.end(fixture.key(10), .failed, reason: String(repeating: "x", count: 10_000)), cursor: [1])
      while ledger.writeAhead() {}
      #expect(!ledger.database.isInTransaction)
      #expect(throws: LedgerError.full(path: path)) { try ledger.commit() }
      ledger.settle(fixture.end(fixture.key(20), .missed))
      #expect(ledger.isBehind && !ledger.writeAhead())
      try ledger.limit(pages: 1_000_000)
      try ledger.commit()
      ledger.settle(fixture.end(fixture.key(30), .missed))
      #expect(ledger.writeAhead())
      try ledger.commit()
      #expect(try ledger.history(HistoryQuery()).map(\.record.entry.nominal) == [30, 20, 10].map(fixture.at))
      #expect(ledger.contradictionCount == 0)
    }
  }

  @Test func `what has undone the transaction in between costs nothing`() throws {
    let ledger = try fixture.ledger()
    tell(ledger) { for _ in 0..<3 { _ = ledger.writeAhead() } }
    ledger.database.rollBack()
    #expect(ledger.writeAhead() && ledger.writeAhead())
    ledger.database.rollBack()
    try ledger.commit()
    #expect(try ledger.history(HistoryQuery()).count == 3 && ledger.contradictionCount == 0)
  }
}
