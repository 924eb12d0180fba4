import Testing
import TimelineCore
import TimelineEngine

@testable import TimelineLedger

/// A job with an entry every 10 s that decides entries anew, because its clock was set back from 200 s.
@Suite struct `Records of several entries when some are decided anew` {
  let fixture: Fixture
  private let schedule: ScheduleRule

  init() throws {
    fixture = try Fixture()
    schedule = .periodic(try PeriodicSchedule(from: .epoch, by: .seconds(10)))
  }

  private func cut(_ start: Int64, _ end: Int64) -> RangeCut {
    RangeCut(job: fixture.backup, after: fixture.at(start), through: fixture.at(end), schedule: schedule)
  }

  private func missed(
    _ first: Int64, _ last: Int64, _ count: Int, _ outcome: Outcome = .missed
  ) -> EntryRecord {
    EntryRecord(
      entry: fixture.key(last), outcome: outcome, endedAt: fixture.at(200), entryCount: count,
      firstNominal: fixture.key(first).nominal)
  }

  /// Records as `first-last xcount`, oldest first.
  private func records(_ ledger: Ledger) throws -> [String] {
    try ledger.history(HistoryQuery()).reversed().map { entry in
      let record = entry.record
      let seconds = { ($0 as WallInstant).nanosecondsSinceEpoch / 1_000_000_000 }
      let (first, last) = (seconds(record.firstNominal), seconds(record.entry.nominal))
      return "\(first)-\(last) x\(record.entryCount)"
    }
  }

  @Test func `records of a former schedule stay whole`() throws {
    let other = ScheduleRule.periodic(try PeriodicSchedule(from: .epoch, by: .seconds(15)))
    let cut = RangeCut(job: fixture.backup, after: fixture.at(50), through: fixture.at(60), schedule: other)
    let ledger = try fixture.ledger(":memory:")
    ledger.settle(missed(30, 120, 10))
    ledger.cut([cut])
    try ledger.commit()
    #expect(try records(ledger) == ["30-120 x10"])
  }

  @Test(
    arguments: [
      (45, 50, ["10-40 x4", "60-100 x5"]), (5, 10, ["20-100 x9"]), (95, 100, ["10-90 x9"]),
      (0, 100, []), (10, 90, ["10-10 x1", "100-100 x1"]), (100, 110, ["10-100 x10"]),
    ] as [(Int64, Int64, [String])])
  func `records keep the entries before and after a cut`(start: Int64, end: Int64, rests: [String]) throws {
    let ledger = try fixture.ledger(":memory:")
    ledger.settle(missed(10, 100, 10))
    ledger.cut([cut(start, end)])
    try ledger.commit()
    #expect(try records(ledger) == rests)
    // A single entry that is left counts as a part, too.
    ledger.cut([cut(0, 200)])
    try ledger.commit()
    #expect(try records(ledger) == [])
  }

  @Test func `only entries after the clock are released, and manual triggers keep outcomes`() throws {
    let ledger = try fixture.ledger(":memory:")
    ledger.settle(missed(10, 100, 10))
    ledger.settle(missed(120, 120, 1))
    var trigger = missed(125, 125, 1)
    trigger.cause = .trigger
    ledger.settle(trigger)
    #expect(try ledger.release(fixture.backup, schedule, at: fixture.at(50)) == 1)
    #expect(try records(ledger) == ["10-50 x5", "125-125 x1"])
  }

  @Test func `a job is released from a lost ledger while the clock has not reached the ledger's end`() throws
  {
    let ledger = try fixture.ledger(":memory:")
    try ledger.noteUnknown(through: fixture.at(100))
    #expect(try ledger.release(fixture.backup, schedule, at: fixture.at(100)) == 0)
    #expect(try ledger.recall(at: fixture.at(100)).repeated.released == [])
    #expect(try ledger.release(fixture.backup, schedule, at: fixture.at(50)) == 0)
    #expect(try ledger.recall(at: fixture.at(50)).repeated.released == [fixture.backup])
  }

  @Test func `a cut leaves single entries, other jobs and excluded entries alone`() throws {
    let ledger = try fixture.ledger(":memory:")
    ledger.settle(missed(110, 110, 1))
    ledger.settle(missed(120, 150, 4, .excluded))
    ledger.settle(
      EntryRecord(
        entry: EntryKey(job: fixture.mail, nominal: fixture.at(190)), outcome: .missed,
        endedAt: fixture.at(200), entryCount: 5, firstNominal: fixture.at(150)))
    let before = try records(ledger)
    ledger.cut([cut(0, 200)])
    try ledger.commit()
    #expect(try records(ledger) == before && before.count == 3)
  }

  @Test func `records do not prevent claims and runs while the clock is before their end`() throws {
    let ledger = try fixture.ledger(":memory:")
    ledger.settle(missed(10, 100, 10))
    try ledger.commit()
    for seconds in [50, 100] as [Int64] {
      let key = fixture.key(seconds)
      #expect(try ledger.claim([key], at: fixture.at(199)).map(\.verdict) == [.granted])
      #expect(try ledger.claim([key], at: fixture.at(200)).map(\.verdict) == [.denied])
      ledger.cut([cut(seconds - 5, seconds)])
      ledger.start(fixture.attempt(key, run: UInt64(seconds)))
      ledger.settle(fixture.end(key, run: UInt64(seconds)))
    }
    try ledger.commit()
    #expect(try records(ledger) == ["10-40 x4", "50-50 x1", "60-90 x4", "100-100 x1"])
    #expect(ledger.contradictionCount == 0)
  }

  @Test func `the next daemon uses the records and the watermark of the job`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/ledger.sqlite"
      let ledger = try fixture.ledger(path)
      for seconds in [10, 30, 70] as [Int64] {
        _ = try ledger.claim([fixture.key(seconds)], at: fixture.at(seconds))
        ledger.start(fixture.attempt(fixture.key(seconds), run: UInt64(seconds)))
        if seconds < 70 { ledger.settle(fixture.end(fixture.key(seconds), run: UInt64(seconds))) }
      }
      ledger.settle(missed(80, 200, 13))
      #expect(try ledger.decided(after: fixture.at(20)) == [fixture.backup: [30, 70].map { fixture.at($0) }])
      #expect(try ledger.decided(after: fixture.at(70)).isEmpty)
      ledger.note([Watermark(job: fixture.backup, decided: fixture.at(20), furthest: fixture.at(200))])
      // An end ahead of the watermark leaves it unchanged; an end in order raises it.
      var ahead = fixture.end(fixture.key(70), run: 70)
      ahead.isAhead = true
      ledger.settle(ahead)
      try ledger.commit()
      for now in [25, 500] as [Int64] {
        let next = try fixture.ledger(copyLedger(path, to: directory + "/next-\(now)"))
        let memory = try next.recall(at: fixture.at(now))
        #expect(memory.lastSettled[fixture.backup] == fixture.at(20))
        #expect(memory.repeated.decided == [fixture.backup: [30, 70].map { fixture.at($0) }])
        #expect(memory.repeated.ranges == [fixture.backup: [fixture.at(80)...fixture.at(200)]])
        #expect(memory.repeated.furthest == [fixture.backup: fixture.at(200)])
      }
      ledger.note([Watermark(job: fixture.backup, decided: fixture.at(200), furthest: fixture.at(200))])
      try ledger.commit()
      let last = try fixture.ledger(copyLedger(path, to: directory + "/last"))
      let memory = try last.recall(at: fixture.at(500))
      #expect(memory.repeated.furthest.isEmpty && memory.repeated.decided.isEmpty)
      #expect(memory.lastSettled[fixture.backup] == fixture.at(200))
    }
  }

  @Test func `triggers and reactions ahead of the clock are found, before and after a restart`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/ledger.sqlite"
      let ledger = try fixture.ledger(path)
      var run: UInt64 = 0
      // A counted job has rows of its triggers, and the watermark of no job is ahead.
      for (job, second, cause) in [
        (fixture.backup, 70, .trigger), (fixture.sampler, 75, .reaction), (fixture.mail, 12, .trigger),
      ] as [(JobName, Int64, RunCause)] {
        run += 1
        let key = fixture.key(second, of: job)
        ledger.start(fixture.attempt(key, run: run, cause: cause))
        guard job != fixture.sampler else { continue }
        var end = fixture.end(key, run: run)
        end.cause = cause
        ledger.settle(end)
      }
      let ahead = [fixture.backup: [fixture.at(70)], fixture.sampler: [fixture.at(75)]]
      #expect(try ledger.decided(after: fixture.at(20)) == ahead, "not written yet")
      try ledger.commit()
      #expect(try ledger.decided(after: fixture.at(20)) == ahead)
      let next = try fixture.ledger(copyLedger(path, to: directory + "/next"))
      #expect(try next.recall(at: fixture.at(20)).repeated.decided == ahead)
      let last = try fixture.ledger(copyLedger(path, to: directory + "/last"))
      #expect(try last.recall(at: fixture.at(80)).repeated.decided.isEmpty)
    }
  }

  @Test func `decided entries are found while nothing can be written`() throws {
    try withTemporaryDirectory { directory in
      let ledger = try fixture.ledger(directory + "/ledger.sqlite")
      ledger.settle(missed(40, 40, 1))
      try ledger.commit()
      try ledger.limit(pages: 1)
      for seconds in stride(from: Int64(1_000), to: 9_000, by: 10) {
        ledger.settle(missed(seconds, seconds, 1))
      }
      #expect(throws: LedgerError.self) { try ledger.commit() }
      #expect(
        try ledger.decided(after: fixture.at(8_970))[fixture.backup] == [8_980, 8_990].map { fixture.at($0) })
      #expect(try ledger.decided(after: fixture.at(30))[fixture.backup]?.count == 801)
    }
  }
}
