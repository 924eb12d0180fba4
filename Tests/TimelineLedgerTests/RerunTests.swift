import Testing
import TimelineCore
import TimelineEngine

@testable import TimelineLedger

@Suite struct `Reruns in the ledger` {
  let fixture: Fixture

  init() throws { fixture = try Fixture() }

  private func origin(_ seconds: Int64, _ number: Int) -> RerunOrigin {
    RerunOrigin(of: fixture.at(seconds), number: number)
  }

  /// Records a rerun at `own` of the entry at `of`, as the daemon does: request, claim, start and end.
  private func rerun(
    _ ledger: Ledger, at own: Int64, of: Int64, _ number: Int, _ outcome: Outcome? = .succeeded
  ) throws {
    let key = fixture.key(own)
    ledger.note(origin(of, number), at: key)
    _ = try ledger.claim([key], at: key.nominal)
    var attempt = fixture.attempt(key, run: UInt64(own), cause: .rerun)
    attempt.rerun = origin(of, number)
    ledger.start(attempt)
    guard let outcome else { return }
    var end = fixture.end(key, run: UInt64(own), outcome)
    (end.cause, end.rerun) = (.rerun, origin(of, number))
    ledger.settle(end)
  }

  @Test func `are found by the entry that they repeat, and read with it, by a later daemon too`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/ledger.sqlite"
      let ledger = try fixture.ledger(path)
      ledger.settle(fixture.end(fixture.key(10), run: 1, .failed))
      try rerun(ledger, at: 31, of: 10, 1, .failed)
      try rerun(ledger, at: 32, of: 20, 1)
      try rerun(ledger, at: 33, of: 10, 2)
      try ledger.close()
      let later = try fixture.ledger(path)
      let found = try later.reruns(of: fixture.key(10), limit: 10)
      #expect(found.map(\.record.entry.nominal) == [33, 31].map(fixture.at))
      #expect(found.map(\.record.rerun) == [origin(10, 2), origin(10, 1)])
      #expect(try later.reruns(of: fixture.key(10), limit: 1).map(\.record.outcome) == [.succeeded])
      #expect(try later.reruns(of: fixture.key(10, of: fixture.mail), limit: 10).isEmpty)
      #expect(try later.entry(of: fixture.backup, at: fixture.at(31))?.record.rerun == origin(10, 1))
      let history = try later.history(HistoryQuery(job: fixture.backup))
      #expect(history.map(\.record.rerun?.of) == [fixture.at(10), fixture.at(20), fixture.at(10), nil])
    }
  }

  @Test func `have numbers that are not used twice, before they are written and after they are dropped`()
    throws
  {
    let ledger = try fixture.ledger()
    let key = fixture.key(10)
    #expect(try ledger.nextRerunNumber(of: key) == 1)
    try rerun(ledger, at: 31, of: 10, 1, .failed)
    #expect(try ledger.nextRerunNumber(of: key) == 2)
    #expect(try ledger.nextRerunNumber(of: fixture.key(20)) == 1)
    let late = fixture.at(31) + .days(60)
    while try ledger.tidy(at: late, keeping: LedgerRetention()) {}
    #expect(try ledger.reruns(of: key, limit: 10).isEmpty, "its entry was dropped")
    #expect(try ledger.nextRerunNumber(of: key) == 2)
    while try ledger.tidy(at: late + .days(400), keeping: LedgerRetention()) {}
    #expect(try ledger.nextRerunNumber(of: key) == 1)
  }

  @Test func `move neither the watermark of their job nor its cursor`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/ledger.sqlite"
      let ledger = try fixture.ledger(path)
      ledger.settle(fixture.end(fixture.key(10), run: 1), cursor: [7])
      try rerun(ledger, at: 31, of: 10, 1)
      try ledger.close()
      let later = try fixture.ledger(path)
      #expect(try later.recall(at: fixture.at(50)).lastSettled[fixture.backup] == fixture.at(10))
      #expect(later.cursor(of: fixture.backup) == [7])
    }
  }

  /// A rerun that runs, one that waits, and one that was only claimed.
  @Test func `are open for a later daemon with their cause and the entry that they repeat`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/ledger.sqlite"
      let ledger = try fixture.ledger(path)
      try rerun(ledger, at: 31, of: 10, 1, nil)
      for (own, of) in [(32, 20), (33, 30)] as [(Int64, Int64)] {
        ledger.note(origin(of, 1), at: fixture.key(own))
        _ = try ledger.claim([fixture.key(own)], at: fixture.at(own))
      }
      ledger.wait(WaitingEntry(entry: fixture.key(32), cause: .rerun), at: fixture.at(32))
      #expect(try ledger.entry(of: fixture.backup, at: fixture.at(33))?.record.rerun == origin(30, 1))
      try ledger.close()
      let open = try fixture.ledger(path).recall(at: fixture.at(50)).open
      #expect(open.map(\.entry.nominal) == [31, 32, 33].map(fixture.at))
      #expect(open.allSatisfy { $0.cause == .rerun })
      #expect(open.map(\.rerun) == [origin(10, 1), origin(20, 1), origin(30, 1)])
      #expect(open.map(\.attempts) == [1, 0, 0] && open.map(\.hasWaited) == [false, true, false])
    }
  }

  @Test func `close the gap of an entry, and records of the schedule are read in order`() throws {
    let ledger = try fixture.ledger()
    for second in [Int64(10), 20, 30] {
      ledger.settle(fixture.end(fixture.key(second), run: UInt64(second), .failed))
    }
    try rerun(ledger, at: 41, of: 10, 1, .failed)
    try rerun(ledger, at: 42, of: 10, 2)
    try rerun(ledger, at: 43, of: 20, 1, .failed)
    let (start, end) = (fixture.at(0), fixture.at(50))
    #expect(
      try ledger.repetitions(of: fixture.backup, from: start, to: end) == [
        fixture.at(10): .succeeded, fixture.at(20): .failed,
      ])
    #expect(
      try ledger.repetitions(of: fixture.backup, from: fixture.at(11), to: end) == [fixture.at(20): .failed])
    let records = try ledger.scheduleRecords(of: fixture.backup, from: start, to: end, limit: 10)
    #expect(records.map(\.record.entry.nominal) == [10, 20, 30].map(fixture.at))
    #expect(try ledger.scheduleRecords(of: fixture.backup, from: start, to: end, limit: 2).count == 2)
    #expect(
      try ledger.scheduleRecords(of: fixture.backup, from: fixture.at(20), to: fixture.at(30), limit: 9)
        .map(\.record.entry.nominal) == [fixture.at(20)])
  }

  @Test func `come with the action of the operator who requested them`() throws {
    let ledger = try fixture.ledger()
    let alice = Operator(user: 1000, name: "alice", process: 7)
    try rerun(ledger, at: 31, of: 10, 1)
    ledger.note(
      OperatorAction(.rerun, at: fixture.at(31), job: fixture.backup, entry: fixture.at(31), by: alice))
    #expect(try ledger.entry(of: fixture.backup, at: fixture.at(31))?.requestedBy == alice)
  }
}
