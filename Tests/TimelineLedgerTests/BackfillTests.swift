import Testing
import TimelineCore
import TimelineEngine

@testable import TimelineLedger

@Suite struct `Backfills in the ledger` {
  let fixture: Fixture

  init() throws { fixture = try Fixture() }

  private func backfill(_ number: Int64 = 1, _ adjust: (inout Backfill) -> Void = { _ in }) -> Backfill {
    var request = Backfill.Request(
      from: fixture.at(0), until: fixture.at(100), outcomes: [.failed, .leftToCron])
    (request.includesUnrecorded, request.parallel, request.pace) = (true, 3, .seconds(10))
    var backfill = Backfill(
      number: number, job: fixture.backup, schedule: "every hour", request, totalCount: 12,
      unrecordedCount: 2,
      by: Operator(user: 0, name: "root", process: 4711, program: "timelinectl"), at: fixture.at(50))
    adjust(&backfill)
    return backfill
  }

  /// Records a repetition at `own` of the entry at `of`, up to its outcome if there is one.
  private func run(
    _ ledger: Ledger, at own: Int64, of: Int64, in backfill: Int64?, _ outcome: Outcome?, starts: Bool = true
  ) throws {
    let (key, origin) = (
      fixture.key(own), RerunOrigin(of: fixture.at(of), number: 1, backfill: backfill)
    )
    ledger.note(origin, at: key)
    guard starts else { return }
    _ = try ledger.claim([key], at: key.nominal)
    var attempt = fixture.attempt(key, run: UInt64(own), cause: origin.cause)
    attempt.rerun = origin
    ledger.start(attempt)
    guard let outcome else { return }
    var end = fixture.end(key, run: UInt64(own), outcome)
    (end.cause, end.rerun) = (origin.cause, origin)
    ledger.settle(end)
  }

  @Test func `are read as they were written, by a later daemon too`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/ledger.sqlite"
      let ledger = try fixture.ledger(path)
      ledger.note(backfill())
      let changed = backfill {
        ($0.state, $0.position, $0.succeededCount, $0.failedCount) = (.paused, fixture.at(20), 3, 1)
        $0.lastFailure = fixture.at(61)
      }
      ledger.note(changed)
      let ended = backfill(2) {
        $0.request.isNewestFirst = true
        ($0.state, $0.endedAt) = (.ended, fixture.at(70))
      }
      ledger.note(ended)
      try ledger.close()
      #expect(try fixture.ledger(path).backfills() == [changed, ended])
    }
  }

  @Test func `that have ended are dropped when there are a hundred later ones, open ones stay`() throws {
    let ledger = try fixture.ledger()
    ledger.note(backfill(1))
    for number in 2...140 {
      ledger.note(backfill(Int64(number)) { ($0.state, $0.endedAt) = (.ended, fixture.at(1)) })
    }
    #expect(try ledger.backfills().map(\.number) == [1] + (41...140))
  }

  @Test func `find what they have begun, whether it has ended or not`() throws {
    let ledger = try fixture.ledger()
    try run(ledger, at: 61, of: 10, in: 1, .succeeded)
    try run(ledger, at: 62, of: 20, in: 1, .failed)
    try run(ledger, at: 63, of: 30, in: 1, nil)
    try run(ledger, at: 64, of: 40, in: 1, nil, starts: false)
    try run(ledger, at: 65, of: 50, in: 2, .failed)
    try run(ledger, at: 66, of: 60, in: nil, .failed)
    let begun = backfill { $0.position = fixture.at(10) }
    #expect(try ledger.begunEntries(of: begun) == [fixture.at(20), fixture.at(30)])
    #expect(
      try ledger.unsettledEntries(of: begun) == [
        fixture.at(63): fixture.at(30), fixture.at(64): fixture.at(40),
      ])
    let newest = backfill {
      $0.request.isNewestFirst = true
      $0.position = fixture.at(30)
    }
    #expect(try ledger.begunEntries(of: newest) == [fixture.at(10), fixture.at(20)])
  }

  @Test func `leave a success that outlives the records of their runs`() throws {
    let ledger = try fixture.ledger()
    for second in Int64(0)..<20 { try run(ledger, at: 100 + second, of: second, in: 1, .succeeded) }
    while try ledger.tidy(at: fixture.at(200), keeping: LedgerRetention(entriesPerJob: 5)) {}
    #expect(try ledger.history(HistoryQuery(job: fixture.backup)).count == 5)
    let found = try ledger.repetitions(of: fixture.backup, from: fixture.at(0), to: fixture.at(100))
    #expect(found == Dictionary(uniqueKeysWithValues: (0..<20).map { (fixture.at($0), .succeeded) }))
  }

  @Test func `are estimated by the last successful runs`() throws {
    let ledger = try fixture.ledger()
    for second in Int64(1)...30 {
      let key = fixture.key(second * 10)
      ledger.start(fixture.attempt(key, run: UInt64(second)))
      ledger.settle(fixture.end(key, run: UInt64(second), second % 10 == 0 ? .failed : .succeeded))
    }
    let found = try ledger.durations(of: fixture.backup, limit: 20)
    #expect(found.count == 20 && found.allSatisfy { $0 >= .zero })
    #expect(try ledger.durations(of: fixture.mail, limit: 20).isEmpty)
  }
}
