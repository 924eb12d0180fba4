import Testing
import TimelineCore
import TimelineEngine

@testable import TimelineLedger

@Suite struct `Dropped entries and counts` {
  let fixture: Fixture
  let ledger: Ledger

  init() throws {
    fixture = try Fixture()
    ledger = try fixture.ledger()
  }

  func tidy(at seconds: Int64, _ retention: LedgerRetention) throws {
    while try ledger.tidy(at: fixture.at(seconds), keeping: retention) {}
  }

  func nominals(of job: JobName, _ other: Ledger? = nil) throws -> [Int64] {
    try (other ?? ledger).history(HistoryQuery(job: job, limit: 1_000)).map {
      $0.record.entry.nominal.nanosecondsSinceEpoch / 1_000_000_000
    }
  }

  @Test func `old entries are dropped with their attempts and output, and the watermark stays`() throws {
    for seconds in [10, 20] as [Int64] {
      let run = UInt64(seconds)
      ledger.start(fixture.attempt(fixture.key(seconds), run: run))
      ledger.note(output: "text", of: RunID(number: run))
      ledger.end(RunID(number: run), AttemptResult(status: .failed), at: fixture.at(seconds))
      ledger.start(fixture.attempt(fixture.key(seconds), run: run, number: 2))
      ledger.settle(fixture.end(fixture.key(seconds), run: run, attempts: 2))
    }
    ledger.start(fixture.attempt(fixture.key(5), run: 5))
    // Missed long ago, but recorded only now.
    ledger.settle(fixture.end(fixture.key(6), .missed, at: fixture.at(1_000)))
    try tidy(at: 118, LedgerRetention(age: .seconds(100)))
    #expect(try nominals(of: fixture.backup) == [20, 6, 5], "open, just settled, or young")
    var (attempts, outputs) = (Int64(0), Int64(0))
    try ledger.database.run("SELECT count(*) FROM attempt WHERE run = 10") { attempts = $0.integer(0) }
    try ledger.database.run("SELECT count(*) FROM output WHERE run = 10") { outputs = $0.integer(0) }
    #expect(attempts == 0 && outputs == 0)
    #expect(try ledger.entry(of: RunID(number: 20))?.attempts.count == 2)
    try tidy(at: 1_000_000, LedgerRetention(age: .seconds(100)))
    #expect(try nominals(of: fixture.backup) == [5])
    #expect(try ledger.recall(at: fixture.at(1_000_000)).lastSettled[fixture.backup] == fixture.at(20))
  }

  @Test func `a clock that is far ahead makes entries old only after a day`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/ledger.sqlite"
      let first = try fixture.ledger(path)
      for day in 0..<40 as Range<Int64> { first.settle(fixture.end(fixture.key(day * 86_400))) }
      try first.close()
      let ledger = try fixture.ledger(path)
      func left(at day: Int64, elapsed: ElapsedTime) throws -> Int {
        while try ledger.tidy(
          at: .epoch + .days(day), elapsed: elapsed, keeping: LedgerRetention(age: .days(30)))
        {}
        return try nominals(of: fixture.backup, ledger).count
      }
      // The last end is of day 39.
      #expect(try left(at: 39, elapsed: .seconds(1)) == 31)
      #expect(try left(at: 3_650, elapsed: .minutes(1)) == 29, "as if it were day 40")
      #expect(try left(at: 3_650, elapsed: .hours(23)) == 29)
      #expect(try left(at: 40, elapsed: .hours(24)) == 29, "it was set right")
      #expect(try left(at: 3_650, elapsed: .hours(25)) == 28)
      #expect(try left(at: 3_652, elapsed: .hours(50)) == 0, "and now it is right")
      try ledger.close()
    }
  }

  @Test func `the newest entries of each job are kept, and others dropped in small portions`() throws {
    for seconds in 1...1_700 as ClosedRange<Int64> { ledger.settle(fixture.end(fixture.key(seconds * 10))) }
    for seconds in 1...5 as ClosedRange<Int64> {
      ledger.settle(fixture.end(fixture.key(seconds * 10, of: fixture.mail)))
    }
    let retention = LedgerRetention(entriesPerJob: 7)
    var rounds = 0
    var left: Int64 = 1_700
    while try ledger.tidy(at: fixture.at(20_000), keeping: retention) {
      rounds += 1
      var now: Int64 = 0
      try ledger.database.run("SELECT count(*) FROM entry") { now = $0.integer(0) }
      #expect(left - now <= Int64(Ledger.tidyEntryCount))
      left = now
    }
    #expect(rounds >= 3)
    #expect(try nominals(of: fixture.backup) == (1_694...1_700).reversed().map { $0 * 10 })
    #expect(try nominals(of: fixture.mail).count == 5)
    #expect(try ledger.recall(at: .max).lastSettled[fixture.backup] == fixture.at(17_000))
  }

  @Test func `counts outlive a restart in order, by the hour`() throws {
    try withTemporaryDirectory { directory in
      let hour = ElapsedTime.hours(1)
      func record(_ start: WallInstant, late: ElapsedTime, took: ElapsedTime, _ outcome: Outcome)
        -> EntryRecord
      {
        EntryRecord(
          entry: EntryKey(job: fixture.sampler, nominal: start - late), outcome: outcome,
          startedAt: start, endedAt: start + took, attempts: 1)
      }
      do {
        let ledger = try fixture.ledger(directory + "/ledger.sqlite")
        for _ in 1...10 {
          ledger.settle(
            record(.epoch + .seconds(5), late: .microseconds(10), took: .milliseconds(2), .succeeded))
        }
        while try ledger.tidy(at: fixture.at(10), keeping: LedgerRetention()) {}
        ledger.settle(record(.epoch + .seconds(6), late: .seconds(-1), took: .milliseconds(3), .failed))
        ledger.settle(record(.epoch + hour * 2, late: .milliseconds(1), took: .zero, .succeeded))
        ledger.settle(
          EntryRecord(
            entry: EntryKey(job: fixture.sampler, nominal: .epoch + hour * 2), outcome: .missed,
            endedAt: .epoch + hour * 2, entryCount: 40))
        #expect(
          try ledger.counters(of: fixture.sampler, since: .epoch).map(\.outcomes.total) == [11, 41])
        #expect(
          try ledger.counters(of: fixture.sampler, inHourOf: .epoch + .minutes(59))?.outcomes.total == 11,
          "filed and not filed")
        try ledger.close()
      }
      let ledger = try fixture.ledger(directory + "/ledger.sqlite")
      let hours = try ledger.counters(of: fixture.sampler, since: .epoch)
      #expect(hours.map(\.hour) == [.epoch, .epoch + hour * 2])
      #expect(
        try (0...3).map { try ledger.counters(of: fixture.sampler, inHourOf: .epoch + hour * $0) } == [
          hours.first, nil, hours.last, nil,
        ])
      let first = try #require(hours.first)
      #expect(first.outcomes[.succeeded] == 10 && first.outcomes[.failed] == 1)
      #expect(
        first.lateness.filled.map(\.bucket) == [0, 13] && first.lateness.filled.map(\.count) == [1, 10])
      #expect(first.duration.quantile(permille: 500) == .nanoseconds((1 << 21) - 1))
      #expect(hours.last?.outcomes[.missed] == 40)
      #expect(try ledger.counters(of: fixture.sampler, since: .epoch + hour).count == 1)
      #expect(try ledger.outcomes(since: .epoch)[fixture.sampler]?.total == 52)
      #expect(try ledger.recall(at: .max).lastSettled[fixture.sampler] == .epoch + hour * 2)
      while try ledger.tidy(at: .epoch + .hours(3), keeping: LedgerRetention(age: .hours(2))) {}
      #expect(try ledger.counters(of: fixture.sampler, since: .epoch).map(\.hour) == [.epoch + hour * 2])
    }
  }

  @Test(arguments: [
    (-5, 0), (0, 0), (1, 0), (2, 1), (3, 1), (4, 2), (1_023, 9), (1_024, 10), (Int64.max, 62),
  ])
  func `a bucket is a power of two`(nanoseconds: Int64, bucket: Int) {
    #expect(LatencyHistogram.bucket(of: .nanoseconds(nanoseconds)) == bucket)
  }

  @Test func `a quantile is the end of its bucket`() {
    var histogram = LatencyHistogram()
    #expect(histogram.quantile(permille: 500) == nil)
    for nanoseconds in [1, 2, 4, 8] as [Int64] { histogram.add(.nanoseconds(nanoseconds)) }
    #expect(
      [0, 250, 251, 500, 750, 1_000].map { histogram.quantile(permille: $0)?.nanoseconds } == [
        1, 1, 3, 3, 7, 15,
      ])
    histogram.add(.max)
    #expect(histogram.quantile(permille: 1_000) == .max && histogram.total == 5)
  }
}
