import Testing
import TimelineCore
import TimelineEngine

@testable import TimelineLedger

@Suite struct `Records of a run` {
  let fixture: Fixture
  let ledger: Ledger

  init() throws {
    fixture = try Fixture()
    ledger = try fixture.ledger()
  }

  /// Attempt 1 fails at 12, attempt 2 runs from 15.
  func failOnce(_ key: EntryKey, run: UInt64) throws {
    ledger.start(fixture.attempt(key, run: run))
    ledger.note(output: "first try", of: RunID(number: run))
    ledger.end(
      RunID(number: run), AttemptResult(status: .failed, isWorthRetrying: true, message: "no route"),
      at: fixture.at(12))
    try ledger.commit()
    ledger.start(fixture.attempt(key, run: run, number: 2, at: fixture.at(15)))
    try ledger.commit()
  }

  @Test func `a run between two attempts can go on where it was left`() throws {
    let key = fixture.key(10)
    #expect(try ledger.runBetweenAttempts(of: key) == nil)
    ledger.start(fixture.attempt(key, run: 5))
    #expect(try ledger.runBetweenAttempts(of: key) == nil, "it is active")
    ledger.end(RunID(number: 5), AttemptResult(status: .failed, message: "no route"), at: fixture.at(12))
    let run = try #require(try ledger.runBetweenAttempts(of: key))
    #expect(run.run == RunID(number: 5) && run.attempts == 1 && run.startedAt == fixture.at(10))
    #expect(run.retryAt == fixture.at(12) && run.message == "no route" && run.entry == key)
    ledger.start(fixture.attempt(key, run: 5, number: 2, at: fixture.at(15)))
    #expect(try ledger.runBetweenAttempts(of: key) == nil, "the next one has begun")
    ledger.end(RunID(number: 5), AttemptResult(status: .failed, message: "no route"), at: fixture.at(16))
    #expect(try ledger.runBetweenAttempts(of: key)?.attempts == 2)
    ledger.settle(fixture.end(key, run: 5, .failed, attempts: 2, at: fixture.at(16)))
    #expect(try ledger.runBetweenAttempts(of: key) == nil)
  }

  /// Usage of a run's attempts, and of the run: processor time in ms, the peak of memory in MiB, a bound below 0.
  @Test(
    arguments: [
      ([(40, 7)], 40, 7), ([(40, 7), (2, 9)], 42, 9), ([(40, 9), (2, 7)], 42, 9), ([(0, -7)], 0, -7),
      ([(1, 7), (1, -7)], 2, 7), ([(1, 7), (1, -9)], 2, -9), ([(1, -9), (1, 9)], 2, 9),
      ([(nil, nil)], nil, nil), ([(nil, 7), (2, 7)], nil, 7), ([(40, 7), (nil, nil)], nil, nil),
      ([], nil, nil),
    ] as [([(Int64?, Int64?)], Int64?, Int64?)])
  func `the usage of all attempts is filed, as far as it is known of each`(
    attempts: [(Int64?, Int64?)], time: Int64?, peak: Int64?
  ) throws {
    func usage(_ time: Int64?, _ peak: Int64?) -> RunUsage {
      RunUsage(
        processorTime: time.map(ElapsedTime.milliseconds),
        memoryPeak: peak.map { MemoryPeak(bytes: $0.magnitude << 20, isBound: $0 < 0) })
    }
    let (key, run) = (fixture.key(10), RunID(number: 5))
    for (index, used) in attempts.enumerated() {
      ledger.start(fixture.attempt(key, run: 5, number: index + 1))
      ledger.end(
        run, AttemptResult(status: .failed, message: "no route"), usage: usage(used.0, used.1),
        at: fixture.at(12))
    }
    if attempts.isEmpty { ledger.start(fixture.attempt(key, run: 5)) }
    ledger.settle(fixture.end(key, run: 5, .failed, attempts: max(1, attempts.count), at: fixture.at(16)))
    let entry = try #require(try ledger.entry(of: run))
    #expect(entry.usage == usage(time, peak))
  }

  @Test func `every attempt is recorded, also during the run`() throws {
    let key = fixture.key(10)
    let first = LedgerAttempt(
      number: 1, startedAt: fixture.at(10), endedAt: fixture.at(12), outcome: .failed, message: "no route"
    )
    ledger.start(fixture.attempt(key, run: 5))
    try ledger.commit()
    #expect(
      try ledger.entry(of: key.job, at: key.nominal)?.attempts == [
        LedgerAttempt(number: 1, startedAt: fixture.at(10))
      ])
    ledger.end(RunID(number: 5), AttemptResult(status: .failed, message: "no route"), at: fixture.at(12))
    try ledger.commit()
    #expect(try ledger.entry(of: key.job, at: key.nominal)?.attempts == [first], "in the pause")
    ledger.start(fixture.attempt(key, run: 5, number: 2, at: fixture.at(15)))
    try ledger.commit()
    #expect(
      try ledger.entry(of: key.job, at: key.nominal)?.attempts == [
        first, LedgerAttempt(number: 2, startedAt: fixture.at(15)),
      ])
    ledger.end(RunID(number: 5), AttemptResult(status: .failed, message: "killed"), at: fixture.at(19))
    ledger.settle(fixture.end(key, run: 5, .timedOut, reason: "ran longer", attempts: 2, at: fixture.at(19)))
    let entry = try #require(try ledger.entry(of: RunID(number: 5)))
    #expect(
      entry.attempts == [
        first,
        LedgerAttempt(
          number: 2, startedAt: fixture.at(15), endedAt: fixture.at(19), outcome: .timedOut,
          message: "killed"),
      ])
    #expect(entry.record.startedAt == fixture.at(10) && entry.record.attempts == 2)
  }

  @Test func `a run's only attempt has no row of its own`() throws {
    let key = fixture.key(10)
    ledger.start(fixture.attempt(key, run: 5))
    ledger.end(RunID(number: 5), AttemptResult(status: .succeeded, message: "done"), at: fixture.at(11))
    ledger.settle(fixture.end(key, run: 5, reason: "done"))
    try ledger.commit()
    var rows: Int64 = -1
    try ledger.database.run("SELECT count(*) FROM attempt") { rows = $0.integer(0) }
    #expect(rows == 0)
    #expect(
      try ledger.entry(of: RunID(number: 5))?.attempts == [
        LedgerAttempt(
          number: 1, startedAt: fixture.at(10), endedAt: fixture.at(11), outcome: .succeeded,
          message: "done")
      ])
  }

  @Test(arguments: [5, 9] as [UInt64])
  func `an attempt after the daemon's death follows the one before it, with any run number`(run: UInt64)
    throws
  {
    let fixture = fixture
    try withTemporaryDirectory { directory in
      let key = fixture.key(10, of: fixture.mail)
      do {
        let ledger = try fixture.ledger(directory + "/ledger.sqlite")
        ledger.start(fixture.attempt(key, run: 5))
        try ledger.commit()
      }
      let ledger = try fixture.ledger(directory + "/ledger.sqlite")
      #expect(try ledger.recall(at: fixture.at(20)).open.map(\.attempts) == [1])
      ledger.start(fixture.attempt(key, run: run, number: 2, cause: .recovery, at: fixture.at(20)))
      ledger.settle(fixture.end(key, run: run, attempts: 2, at: fixture.at(22)))
      let entry = try #require(try ledger.entry(of: fixture.mail, at: key.nominal))
      #expect(entry.attempts.map(\.number) == [1, 2])
      #expect(entry.attempts.map(\.outcome) == [nil, .succeeded], "nobody saw the end of the first")
      #expect(entry.record.run == RunID(number: run))
    }
  }

  /// A daemon dies in the back-off after a run's second attempt (`hasEnded`), or during it; the next daemon makes a third
  /// attempt.
  @Test(arguments: [5, 9] as [UInt64], [true, false])
  func `no attempt of an earlier daemon is lost or left over`(run: UInt64, hasEnded: Bool) throws {
    try withTemporaryDirectory { directory in
      let key = fixture.key(10, of: fixture.mail)
      do {
        let ledger = try fixture.ledger(directory + "/ledger.sqlite")
        for number in 1...2 {
          let start = fixture.at(Int64(10 * number))
          ledger.start(fixture.attempt(key, run: 5, number: number, at: start))
          if number == 1 || hasEnded {
            let outcome = AttemptResult(status: .failed, isWorthRetrying: true, message: "try \(number)")
            ledger.end(RunID(number: 5), outcome, at: start + .seconds(2))
          }
          try ledger.commit()
        }
      }
      let ledger = try fixture.ledger(directory + "/ledger.sqlite")
      #expect(try ledger.recall(at: fixture.at(30)).open.map(\.attempts) == [2])
      ledger.start(fixture.attempt(key, run: run, number: 3, cause: .recovery, at: fixture.at(30)))
      let numbers = try ledger.entry(of: fixture.mail, at: key.nominal)?.attempts.map(\.number)
      #expect(numbers == [1, 2, 3], "while it runs")
      ledger.settle(fixture.end(key, run: run, attempts: 3, at: fixture.at(32)))
      let entry = try #require(try ledger.entry(of: fixture.mail, at: key.nominal))
      #expect(entry.attempts.map(\.number) == [1, 2, 3])
      #expect(entry.attempts.map(\.outcome) == [.failed, hasEnded ? .failed : nil, .succeeded])
      #expect(entry.attempts.prefix(2).map(\.message) == ["try 1", hasEnded ? "try 2" : ""])
      while try ledger.tidy(at: fixture.at(32) + .days(2), keeping: LedgerRetention(age: .days(1))) {}
      var left: Int64 = -1
      try ledger.database.run("SELECT count(*) FROM attempt") { left = $0.integer(0) }
      #expect(left == 0, "what is dropped is dropped whole")
    }
  }

  @Test func `the last lines of all attempts are filed with the run's end`() throws {
    let key = fixture.key(10)
    try failOnce(key, run: 5)
    ledger.note(output: "second try", of: RunID(number: 5))
    ledger.note(output: "of nobody", of: RunID(number: 6))
    #expect(try ledger.entry(of: RunID(number: 5))?.outputTail == "")
    ledger.settle(fixture.end(key, run: 5, attempts: 2))
    ledger.note(output: "too late", of: RunID(number: 5))
    #expect(try ledger.entry(of: RunID(number: 5))?.outputTail == "first try\nsecond try")
  }

  @Test func `a cursor and the end of its run are either both kept or both lost`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/ledger.sqlite"
      do {
        let ledger = try fixture.ledger(path)
        ledger.settle(fixture.end(fixture.key(10), run: 1), cursor: [1])
        try ledger.commit()
        ledger.settle(fixture.end(fixture.key(20), run: 2), cursor: [2])
        #expect(ledger.cursor(of: fixture.backup) == [2])
      }
      let ledger = try fixture.ledger(path)
      #expect(ledger.cursor(of: fixture.backup) == [1])
      #expect(try ledger.recall(at: fixture.at(30)).lastSettled[fixture.backup] == fixture.at(10))
      ledger.settle(fixture.end(fixture.key(30), run: 3))
      try ledger.commit()
      #expect(ledger.cursor(of: fixture.backup) == [1], "a run that leaves none leaves the old one")
      ledger.settle(fixture.end(fixture.key(40), run: 4), cursor: [])
      try ledger.close()
      #expect(try fixture.ledger(path).cursor(of: fixture.backup) == [])
    }
  }

  @Test func `a manual trigger of a busy job has a row`() throws {
    let key = fixture.key(10, of: fixture.sampler)
    ledger.start(fixture.attempt(key, run: 5, cause: .trigger))
    var record = fixture.end(key, run: 5)
    record.cause = .trigger
    ledger.settle(record)
    #expect(try ledger.entry(of: RunID(number: 5))?.record == record)
  }
}
