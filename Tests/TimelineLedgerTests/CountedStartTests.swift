import Foundation
import Testing
import TimelineCore
import TimelineEngine

@testable import TimelineLedger

/// Counted jobs, which have no row for each entry: recovery of their runs after the death of the daemon.
@Suite struct `Starts of jobs without rows` {
  var fixture: Fixture
  let poller: JobName

  /// `sampler` runs at most once, `poller` at least once.
  init() throws {
    fixture = try Fixture()
    poller = try #require(JobName("poller"))
    fixture.jobs.append(
      LedgerJob(name: poller, schedule: "every 900ms", delivery: .atLeastOnce, isCounted: true))
  }

  private func attempt(_ seconds: Int64, of job: JobName, run: UInt64, number: Int = 1) -> Attempt {
    fixture.attempt(fixture.key(seconds, of: job), run: run, number: number)
  }

  /// The next daemon's ledger and the state that it recalls, after the daemon at `path` was killed with these starts in its start
  /// log.
  private func next(
    _ path: String, noted: [Attempt], ended: Set<RunID> = [], pages: Int? = nil
  ) throws -> (ledger: Ledger, memory: Ledger.Memory) {
    let ledger = try Ledger(path: path, boot: "this")
    if let pages { try ledger.limit(pages: pages) }
    do { try ledger.adopt(jobs: fixture.jobs, at: fixture.at(100)) } catch .full {}
    _ = try ledger.recall(at: fixture.at(100))
    try ledger.recover(noted, ended: ended)
    return (ledger, try ledger.recall(at: fixture.at(100)))
  }

  @Test func `an at-most-once entry is decided when it starts, and is unknown if its end is not recorded`()
    throws
  {
    try withTemporaryDirectory { directory in
      let path = directory + "/ledger.sqlite"
      try fixture.ledger(path).commit()
      let noted = [attempt(10, of: fixture.sampler, run: 1), attempt(11, of: fixture.sampler, run: 2)]
      let memory = try next(path, noted: noted, ended: [RunID(number: 1)]).memory
      #expect(memory.lastSettled[fixture.sampler] == fixture.at(11))
      #expect(memory.open.map(\.run.number) == [2] && memory.open.map(\.attempts) == [1])
      #expect(memory.lastRun >= RunID(number: 2))
    }
  }

  @Test func `an at-least-once entry is open again, in its latest attempt`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/ledger.sqlite"
      let former = try fixture.ledger(path)
      // A later entry was skipped, so that the watermark of the job is later.
      former.settle(
        EntryRecord(entry: fixture.key(12, of: poller), outcome: .overlapped, endedAt: fixture.at(12)))
      _ = try former.saveWatermarks()
      let noted = [attempt(10, of: poller, run: 1), attempt(10, of: poller, run: 1, number: 2)]
      let memory = try next(copyLedger(path, to: directory + "/next"), noted: noted).memory
      #expect(memory.lastSettled[poller] == fixture.at(12))
      #expect(memory.open.map(\.entry) == [fixture.key(10, of: poller)])
      #expect(memory.open.map(\.attempts) == [2])
    }
  }

  @Test func `a start is filed with the watermark when idle, or if it is not in the start log`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/ledger.sqlite"
      let ledger = try fixture.ledger(path)
      ledger.start(attempt(10, of: fixture.sampler, run: 1))
      #expect(ledger.hasWatermarksToSave)
      ledger.start(attempt(11, of: fixture.sampler, run: 2), isNoted: false)
      ledger.start(attempt(11, of: poller, run: 3), isNoted: false)
      try ledger.commit()
      let copy = try copyLedger(path, to: directory + "/killed")
      let memory = try fixture.ledger(copy).recall(at: fixture.at(100))
      #expect(memory.lastSettled[fixture.sampler] == fixture.at(11))
      #expect(
        try fixture.ledger(copy).recall(at: fixture.at(100)).lastSettled[poller] ?? .min < fixture.at(11))
    }
  }

  @Test func `a full disk loses no logged start, and no run number is assigned twice`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/ledger.sqlite"
      try fixture.ledger(path).commit()
      let noted = [
        attempt(10, of: fixture.sampler, run: 1), attempt(20, of: fixture.backup, run: 5_000),
        attempt(20, of: fixture.backup, run: 5_000, number: 2),
      ]
      let memory = try next(path, noted: noted, pages: 1).memory
      #expect(memory.lastSettled[fixture.sampler] == fixture.at(10))
      #expect(Set(memory.open.map(\.run.number)) == [1, 5_000])
      #expect(memory.open.first { $0.run.number == 5_000 }?.attempts == 2)
      #expect(memory.lastRun >= RunID(number: 5_000))
    }
  }

  @Test func `a run that began before its job became a counted one has one end`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/ledger.sqlite"
      let ledger = try fixture.ledger(path)
      let key = fixture.key(10)
      _ = try ledger.claim([key], at: fixture.at(5))
      ledger.start(fixture.attempt(key, run: 1))
      try ledger.commit()
      var jobs = fixture.jobs
      jobs[0].isCounted = true
      try ledger.adopt(jobs: jobs, at: fixture.at(11))
      #expect(ledger.hasRow(for: fixture.attempt(key, run: 1, number: 2)))
      ledger.settle(fixture.end(key, run: 1))
      try ledger.commit()
      #expect(try ledger.entry(of: fixture.backup, at: fixture.at(10))?.record.outcome == .succeeded)
      #expect(
        try Ledger(path: copyLedger(path, to: directory + "/next")).recall(at: fixture.at(20)).open.isEmpty)
    }
  }

  @Test
  func `after a loss of starts, due entries with a claim on disk may have run, and no others`()
    throws
  {
    try withTemporaryDirectory { directory in
      let path = directory + "/ledger.sqlite"
      let ledger = try fixture.ledger(path)
      let keys = [fixture.key(10), fixture.key(11), fixture.key(10, of: fixture.mail)]
      // Made before the clock was set back.
      let trigger = fixture.key(12)
      _ = try ledger.claim(keys + [trigger], at: fixture.at(5))
      ledger.wait(WaitingEntry(entry: trigger, cause: .trigger), at: fixture.at(12))
      try ledger.syncClaims(at: fixture.at(11))
      for lost in [false, true] {
        let copy = try copyLedger(path, to: directory + "/lost-\(lost)")
        let next = try fixture.ledger(copy)
        let memory = try next.recall(at: fixture.at(10), startsAreLost: lost)
        let open = memory.open.filter { $0.attempts > 0 }.map(\.entry)
        #expect(Set(open) == (lost ? [keys[0], keys[2], trigger] : []))
        #expect(try next.assumeStarted(upTo: fixture.at(10)) == [fixture.sampler])
        #expect(try next.recall(at: fixture.at(10)).lastSettled[fixture.sampler] == fixture.at(10))
      }
    }
  }

  @Test(arguments: [false, true])
  func `after a loss of power no entry runs that may have run before, unless the daemon had ended`(
    hasEnded: Bool
  ) throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/ledger.sqlite"
      let ledger = try fixture.ledger(path)
      ledger.attend(former: [], since: fixture.at(1))
      ledger.start(attempt(10, of: fixture.sampler, run: 1))
      _ = try ledger.saveWatermarks()
      if hasEnded { try ledger.close() }
      for (boot, expected) in [("this", 10), ("next", hasEnded ? 10 : 60)] as [(String, Int64)] {
        let copy = try copyLedger(path, to: directory + "/" + boot)
        let next = try fixture.ledger(copy, boot: boot)
        let memory = try next.recall(at: fixture.at(100), bootedAt: fixture.at(60))
        #expect(memory.lastSettled[fixture.sampler] == fixture.at(expected))
        #expect(memory.lastSettled[fixture.backup] ?? .min < fixture.at(60), "its claims tell")
      }
    }
  }

  @Test func `attended time is kept up to the last commit or the last logged start`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/ledger.sqlite"
      let ledger = try fixture.ledger(path)
      ledger.attend(former: [fixture.at(500)...fixture.at(510)], since: fixture.at(20))
      ledger.attend(through: fixture.at(30))
      try ledger.commit()
      ledger.attend(through: fixture.at(31))
      let found = try next(
        copyLedger(path, to: directory + "/next"), noted: [attempt(32, of: fixture.sampler, run: 1)])
      #expect(
        found.memory.attended == [
          fixture.at(20)...fixture.at(30), fixture.at(32)...fixture.at(32), fixture.at(500)...fixture.at(510),
        ])
    }
  }

  @Test func `a released job has no rows and no watermark ahead of the clock`() throws {
    let schedule = ScheduleRule.periodic(try PeriodicSchedule(from: .epoch, by: .seconds(10)))
    try withTemporaryDirectory { directory in
      let ledger = try fixture.ledger(directory + "/ledger.sqlite")
      for seconds in [10, 50] as [Int64] {
        _ = try ledger.claim([fixture.key(seconds)], at: fixture.at(seconds))
        ledger.start(fixture.attempt(fixture.key(seconds), run: UInt64(seconds)))
        ledger.settle(fixture.end(fixture.key(seconds), run: UInt64(seconds)))
      }
      #expect(try ledger.claim([fixture.key(50)], at: fixture.at(20)).map(\.verdict) == [.denied])
      #expect(try ledger.release(fixture.backup, schedule, at: fixture.at(20)) == 1)
      #expect(try ledger.claim([fixture.key(50)], at: fixture.at(20)).map(\.verdict) == [.granted])
      #expect(try ledger.history(HistoryQuery()).map(\.record.entry) == [fixture.key(10)])
      #expect(try ledger.recall(at: fixture.at(20)).lastSettled[fixture.backup] == fixture.at(20))
    }
  }
}
