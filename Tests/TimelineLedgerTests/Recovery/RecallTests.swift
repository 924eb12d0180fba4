import Testing
import TimelineCore
import TimelineEngine

@testable import TimelineLedger

@Suite struct `State that a start finds in the ledger` {
  let fixture: Fixture

  init() throws { fixture = try Fixture() }

  /// Progress of an entry at 20 s when the daemon died, and the watermark of the job.
  enum Progress: CaseIterable { case claimed, written, started, waitedTooLong }

  /// Decision of the next daemon.
  enum Recalled: Equatable { case open(attempts: Int), forgotten }

  static let recalls: [(Progress, isAtLeastOnce: Bool, boot: String?, Recalled)] = [
    (.claimed, false, "this", .forgotten), (.claimed, true, "this", .forgotten),
    (.claimed, false, "other", .forgotten), (.claimed, true, "other", .forgotten),
    (.claimed, false, nil, .forgotten),
    // In the same boot the start would be recorded; after a loss of power its record may have been lost.
    (.written, false, "this", .forgotten), (.written, true, "this", .forgotten),
    (.written, false, "other", .open(attempts: 1)), (.written, true, "other", .open(attempts: 1)),
    (.written, false, nil, .open(attempts: 1)),
    (.started, false, "this", .open(attempts: 1)), (.started, true, "this", .open(attempts: 1)),
    (.started, false, "other", .open(attempts: 1)), (.started, true, "other", .open(attempts: 1)),
    // The watermark has passed it: it would not be reached again.
    (.waitedTooLong, false, "this", .open(attempts: 0)), (.waitedTooLong, true, "this", .open(attempts: 0)),
    (.waitedTooLong, false, "other", .open(attempts: 0)), (.waitedTooLong, true, "other", .open(attempts: 0)),
  ]

  @Test(arguments: recalls)
  func `progress, delivery policy and boot decide about an entry at a restart`(
    progress: Progress, isAtLeastOnce: Bool, boot: String?, recalled: Recalled
  ) throws {
    let key = fixture.key(20, of: isAtLeastOnce ? fixture.mail : fixture.backup)
    try withTemporaryDirectory { directory in
      do {
        let ledger = try fixture.ledger(directory + "/ledger.sqlite", boot: "this")
        #expect(try ledger.claim([key], at: fixture.at(10)).map(\.verdict) == [.granted])
        switch progress {
        case .claimed: break
        case .written: try ledger.syncClaims(at: fixture.at(19))
        case .started: ledger.start(fixture.attempt(key, run: 7))
        case .waitedTooLong:
          ledger.settle(fixture.end(EntryKey(job: key.job, nominal: fixture.at(30)), .limited))
        }
        try ledger.commit()
      }
      let ledger = try fixture.ledger(directory + "/ledger.sqlite", boot: boot)
      let memory = try ledger.recall(at: fixture.at(100))
      switch recalled {
      case .open(let attempts):
        let run = try #require(memory.open.first)
        #expect(memory.open.count == 1)
        #expect(run.entry == key && run.attempts == attempts && run.startedAt == key.nominal && !run.isAlive)
        let number: UInt64 = attempts == 0 ? 0 : progress == .started ? 7 : 1
        #expect(run.run == RunID(number: number) && memory.lastRun == run.run)
        #expect(
          memory.lastSettled[key.job]
            == (attempts == 0 ? fixture.at(30) : fixture.at(1) - .nanoseconds(1)))
      case .forgotten:
        #expect(memory.open.isEmpty)
        #expect(try #require(memory.lastSettled[key.job]) < key.nominal, "the missed policy comes to it")
        #expect(try ledger.entry(of: key.job, at: key.nominal) == nil)
      }
    }
  }

  @Test func `an entry that was claimed alone and settled with others does not count as a waiting entry`()
    throws
  {
    try withTemporaryDirectory { directory in
      do {
        let ledger = try fixture.ledger(directory + "/ledger.sqlite")
        _ = try ledger.claim([fixture.key(10), fixture.key(60)], at: fixture.at(2))
        var record = fixture.end(fixture.key(50), .missed)
        (record.entryCount, record.firstNominal) = (5, fixture.at(10))
        ledger.settle(record)
        #expect(try ledger.entry(of: fixture.backup, at: fixture.at(10))?.record == record)
        // The engine may request planned entries that are already settled.
        let late = [0, 10, 30, 50, 70].map { fixture.key($0) }
        let verdicts: [ClaimAnswer.Verdict] = [.granted, .denied, .denied, .denied, .granted]
        #expect(try ledger.claim(late, at: fixture.at(60)).map(\.verdict) == verdicts)
        try ledger.syncClaims(at: fixture.at(60))
        #expect(
          try ledger.claim(late, at: fixture.at(60)).map(\.verdict) == verdicts, "also when it is filed")
        ledger.withdraw([fixture.key(0), fixture.key(70)])
        try ledger.commit()
      }
      let memory = try fixture.ledger(directory + "/ledger.sqlite").recall(at: fixture.at(61))
      #expect(memory.open.isEmpty && memory.lastSettled[fixture.backup] == fixture.at(50))
    }
  }

  @Test func `an open run is returned until it is settled, and its entry is not claimed like a new one`()
    throws
  {
    try withTemporaryDirectory { directory in
      let path = directory + "/ledger.sqlite"
      do {
        let ledger = try fixture.ledger(path)
        ledger.start(fixture.attempt(fixture.key(20), run: 3))
        try ledger.commit()
      }
      do {
        let ledger = try fixture.ledger(path)
        #expect(try ledger.recall(at: fixture.at(21)).open.map(\.run.number) == [3])
        #expect(try ledger.claim([fixture.key(20)], at: fixture.at(21)).map(\.verdict) == [.unknown])
      }
      do {
        let ledger = try fixture.ledger(path)
        let open = try ledger.recall(at: fixture.at(22)).open
        #expect(open.map(\.run.number) == [3], "nobody has settled it")
        ledger.settle(fixture.end(fixture.key(20), run: 3, .unknown))
        try ledger.commit()
      }
      let memory = try fixture.ledger(path).recall(at: fixture.at(23))
      #expect(memory.open.isEmpty && memory.lastSettled[fixture.backup] == fixture.at(20))
    }
  }

  @Test func `the highest run number outlives its row, also for a job without rows`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/ledger.sqlite"
      do {
        let ledger = try fixture.ledger(path)
        ledger.settle(fixture.end(fixture.key(10), run: 41))
        ledger.start(fixture.attempt(fixture.key(20), run: 42))
        ledger.settle(fixture.end(fixture.key(20), run: 42))
        let nothing = LedgerRetention(age: .zero)
        while try ledger.tidy(at: fixture.at(1_000), keeping: nothing) {}
        #expect(try ledger.history(HistoryQuery()).isEmpty)
        try ledger.close()
      }
      do {
        let ledger = try fixture.ledger(path)
        #expect(try ledger.recall(at: fixture.at(1_001)).lastRun.number == 42)
        ledger.start(fixture.attempt(fixture.key(1_002, of: fixture.sampler), run: 43))
        try ledger.commit()
        // The daemon dies: numbers of its reserved block may have been assigned.
      }
      do {
        let ledger = try fixture.ledger(path)
        #expect(try ledger.recall(at: fixture.at(1_003)).lastRun.number == 43 + RunNumbers.blockLength)
        ledger.start(fixture.attempt(fixture.key(1_003, of: fixture.sampler), run: 2_000))
        try ledger.close()
      }
      #expect(try fixture.ledger(path).recall(at: fixture.at(1_004)).lastRun.number == 2_000)
    }
  }

  @Test func `a pause survives a restart and the removal of its job, and ends on request`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/ledger.sqlite"
      func paused(_ body: (Ledger) throws -> Void) throws -> [JobName: WallInstant] {
        let ledger = try fixture.ledger(path)
        let paused = try ledger.recall(at: fixture.at(100)).paused
        try body(ledger)
        try ledger.commit()
        return paused
      }
      let begun = try paused { ledger in
        ledger.pause(fixture.backup, since: fixture.at(50))
        ledger.pause(fixture.mail, since: fixture.at(60))
      }
      #expect(begun == [:])
      let both = try paused { ledger in ledger.pause(fixture.mail, since: nil) }
      #expect(both == [fixture.backup: fixture.at(50), fixture.mail: fixture.at(60)])
      let one = try paused { ledger in try ledger.adopt(jobs: [], at: fixture.at(110)) }
      #expect(one == [fixture.backup: fixture.at(50)])
      let absent = try paused { ledger in
        try ledger.adopt(jobs: fixture.jobs, at: fixture.at(120))
        ledger.pause(fixture.backup, since: nil)
      }
      #expect(absent == [fixture.backup: fixture.at(50)])
      let bare = try Ledger(path: path, boot: "this")
      bare.pause(fixture.mail, since: fixture.at(130))
      try bare.adopt(jobs: [], at: fixture.at(140))
      #expect(try bare.recall(at: fixture.at(140)).paused == [fixture.mail: fixture.at(130)])
      bare.pause(fixture.mail, since: nil)
      try bare.close()
      let none = try paused { _ in }
      #expect(none == [:])
    }
  }

  /// Outcomes of a job's entries in turn, and whether its next success is a recovery.
  static let ends: [([Outcome], isFailing: Bool)] = [
    ([], false), ([.succeeded], false), ([.failed], true), ([.failed, .succeeded], false),
    ([.succeeded, .timedOut], true), ([.lost], true), ([.succeeded, .unknown], true),
    // Entries that did not run, or were stopped, do not show whether the job works.
    ([.failed, .missed], true), ([.failed, .cancelled], true), ([.succeeded, .overlapped], false),
  ]

  @Test(arguments: ends)
  func `a job that failed last is known as failing after a restart`(_ ends: [Outcome], isFailing: Bool)
    throws
  {
    let ledger = try fixture.ledger()
    for (index, end) in ends.enumerated() {
      let key = fixture.key(10 * Int64(index + 1))
      ledger.settle(fixture.end(key, run: end.ran ? UInt64(index + 1) : nil, end))
    }
    try ledger.commit()
    #expect(try ledger.recall(at: fixture.at(1_000)).failing == (isFailing ? [fixture.backup] : []))
  }

  @Test(arguments: [(RunCause.trigger, true), (.reaction, false)])
  func `a failed reaction does not make its job a failing one`(
    _ cause: RunCause, isFailing: Bool
  ) throws {
    let ledger = try fixture.ledger()
    ledger.settle(fixture.end(fixture.key(10), run: 1))
    var last = fixture.end(fixture.key(20), run: 2, .failed)
    last.cause = cause
    ledger.settle(last)
    try ledger.commit()
    #expect(try ledger.recall(at: fixture.at(1_000)).failing == (isFailing ? [fixture.backup] : []))
  }

  @Test func `the last run of each job that succeeded or failed is known after a restart`() throws {
    let ledger = try fixture.ledger()
    ledger.settle(fixture.end(fixture.key(10), run: 1))
    ledger.settle(fixture.end(fixture.key(20), run: 2, .failed))
    let last = fixture.end(fixture.key(30), run: 3)
    ledger.settle(last)
    ledger.settle(fixture.end(fixture.key(40), run: 4, .cancelled))
    ledger.settle(fixture.end(fixture.key(50), run: nil, .missed))
    try ledger.commit()
    let former = FormerRun(outcome: .succeeded, nominal: last.entry.nominal, endedAt: last.endedAt)
    #expect(try ledger.recall(at: fixture.at(1_000)).lastRuns == [fixture.backup: former])
  }

  @Test(arguments: [
    ("f", 1), ("sff", 2), ("fsfcmf", 2), ("ffs", 0), (String(repeating: "f", count: 150), 100),
  ])
  func `failures in a row are counted over a restart`(_ course: String, failures: Int) throws {
    let ledger = try fixture.ledger()
    for (index, word) in course.enumerated() {
      let outcome: Outcome =
        switch word {
        case "f": .failed
        case "s": .succeeded
        case "c": .cancelled
        default: .missed
        }
      let run = outcome == .missed ? nil : UInt64(index + 1)
      ledger.settle(fixture.end(fixture.key(10 + Int64(index)), run: run, outcome))
    }
    try ledger.commit()
    let last = try ledger.recall(at: fixture.at(1_000)).lastRuns[fixture.backup]
    #expect(last?.failures == failures)
  }

  @Test func `a clock before the first configuration of a job does not reopen entries`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/ledger.sqlite"
      for now in [fixture.at(3_600), fixture.at(10)] {
        let ledger = try Ledger(path: path, boot: "this")
        try ledger.adopt(jobs: fixture.jobs, at: now)
        #expect(try ledger.recall(at: now).lastSettled[fixture.backup] == fixture.at(3_600) - .nanoseconds(1))
        try ledger.close()
      }
    }
  }
}
