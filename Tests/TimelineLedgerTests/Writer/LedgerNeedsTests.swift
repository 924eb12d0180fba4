import Testing
import TimelineCore
import TimelineEngine

@testable import TimelineLedger

@Suite struct `Needs of a ledger` {
  private let fixture: Fixture
  private let thread = SlowThread()

  init() throws { fixture = try Fixture() }

  @Test func `needs are pending changes, the next claim, and disk work`() throws {
    try withTemporaryDirectory { directory in
      let ledger = try fixture.ledger(directory + "/ledger.sqlite")
      _ = try ledger.recall(at: fixture.at(2))
      try ledger.commit()
      #expect(ledger.needs == LedgerNeeds(disk: .whenQuiet), "the file is new")
      try ledger.doDiskWork(isQuiet: true)
      #expect(ledger.needs == LedgerNeeds())
      _ = try ledger.claim([fixture.key(10)], at: fixture.at(2))
      let nextClaim = fixture.at(10) - Claims.lead
      #expect(ledger.needs == LedgerNeeds(nextClaim: nextClaim))
      ledger.settle(fixture.end(fixture.key(1, of: fixture.mail)))
      #expect(ledger.needs == LedgerNeeds(gathered: .some, nextClaim: nextClaim))
      ledger.pause(fixture.mail, since: fixture.at(3))
      #expect(ledger.needs == LedgerNeeds(gathered: .awaited, nextClaim: nextClaim))
      try ledger.commitSoon()
      try ledger.writeClaims(at: fixture.at(9))
      #expect(ledger.needs == LedgerNeeds(disk: .atOnce))
      #expect(ledger.beginDiskWork(on: thread, isQuiet: false))
      #expect(ledger.needs == LedgerNeeds(isSyncing: true))
      try ledger.finishSync()
      #expect(ledger.needs == LedgerNeeds())
    }
  }

  @Test func `a ledger in memory needs only the commit of pending changes`() throws {
    let ledger = try fixture.ledger(":memory:")
    _ = try ledger.claim([fixture.key(10)], at: fixture.at(2))
    ledger.settle(fixture.end(fixture.key(1)))
    #expect(ledger.needs == LedgerNeeds(gathered: .some))
  }
}
