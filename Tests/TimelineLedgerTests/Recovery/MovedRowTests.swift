import Testing
import TimelineCore
import TimelineEngine

@testable import TimelineLedger

@Suite struct `Runs whose entries had moved` {
  let fixture: Fixture

  init() throws { fixture = try Fixture() }

  private func attempt(_ seconds: Int64, run: UInt64, from origins: Int64...) -> Attempt {
    var attempt = fixture.attempt(fixture.key(seconds), run: run)
    attempt.movedFrom = origins.map(fixture.at)
    return attempt
  }

  private func moved(_ ledger: Ledger, at seconds: Int64) throws -> [MovedEntry] {
    try ledger.recall(at: fixture.at(seconds)).repeated.moved[fixture.backup] ?? []
  }

  @Test func `are read with the instants from which they moved, by a later daemon too`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/ledger.sqlite"
      let ledger = try fixture.ledger(path)
      ledger.start(attempt(10, run: 1, from: 20, 30))
      ledger.start(attempt(40, run: 2))
      ledger.settle(fixture.end(fixture.key(10), run: 1))
      ledger.settle(fixture.end(fixture.key(40), run: 2))
      try ledger.close()
      let entries = try moved(fixture.ledger(path), at: 50)
      #expect(entries == [MovedEntry(nominal: fixture.at(10), origins: [fixture.at(20), fixture.at(30)])])
    }
  }

  @Test func `are forgotten if the start is taken back, and after their time`() throws {
    let ledger = try fixture.ledger()
    ledger.start(attempt(10, run: 1, from: 20))
    ledger.start(attempt(12, run: 2, from: 22))
    try ledger.commit()
    ledger.unstart(attempt(12, run: 2, from: 22))
    try ledger.commit()
    #expect(try moved(ledger, at: 50).map(\.nominal) == [fixture.at(10)])
    ledger.settle(fixture.end(fixture.key(10), run: 1))
    let late = fixture.at(50) + EngineLimits.movedSpan
    while try ledger.tidy(at: late, keeping: LedgerRetention()) {}
    #expect(try moved(ledger, at: 50).isEmpty)
  }

  @Test func `are forgotten with the entries that an operator releases`() throws {
    let ledger = try fixture.ledger()
    for (seconds, run) in [(10, 1), (30, 2)] as [(Int64, UInt64)] {
      ledger.start(attempt(seconds, run: run, from: seconds + 100))
      ledger.settle(fixture.end(fixture.key(seconds), run: run))
    }
    let schedule = ScheduleRule.periodic(try PeriodicSchedule(from: .epoch, by: .seconds(10)))
    _ = try ledger.release(fixture.backup, schedule, at: fixture.at(20))
    #expect(try moved(ledger, at: 20).map(\.nominal) == [fixture.at(10)])
  }
}
