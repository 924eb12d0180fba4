import Testing
import TimelineCore
import TimelineEngine

@testable import TimelineLedger

@Suite struct `Queries of the ledger` {
  let backup: JobName
  let mail: JobName
  let ledger: Ledger

  init() throws {
    backup = try #require(JobName("backup"))
    mail = try #require(JobName("mail"))
    ledger = try Ledger(path: ":memory:")
    try ledger.adopt(
      jobs: [LedgerJob(name: backup, schedule: "every 10s"), LedgerJob(name: mail, schedule: "every 10s")],
      at: .epoch)
  }

  func at(_ seconds: Int64) -> WallInstant { WallInstant(secondsSinceEpoch: seconds) }

  func settle(
    _ job: JobName, _ seconds: Int64, _ outcome: Outcome, run: UInt64? = nil, since: Int64? = nil,
    count: Int = 1
  ) {
    ledger.settle(
      EntryRecord(
        entry: EntryKey(job: job, nominal: at(seconds)), outcome: outcome,
        reason: "\(job) \(seconds)",
        run: run.map(RunID.init(number:)), startedAt: run.map { _ in at(seconds) }, endedAt: at(seconds + 1),
        attempts: run == nil ? 0 : 1, entryCount: count, firstNominal: since.map(at)))
  }

  /// Entries of two jobs: `b` ran, `f` failed, `m....m` is one record of several missed entries, `c` is only claimed.
  ///
  ///             10 20 30 40 50 60 70 80 90
  ///     backup   b  f  m..m..m  b  b  c
  ///     mail     b     f
  func fill() throws {
    settle(backup, 10, .succeeded, run: 1)
    settle(mail, 10, .succeeded, run: 2)
    settle(backup, 20, .failed, run: 3)
    settle(mail, 30, .timedOut, run: 4)
    settle(backup, 50, .missed, since: 30, count: 3)
    settle(backup, 60, .succeeded, run: 5)
    let run = Attempt(
      run: RunID(number: 6), entry: EntryKey(job: backup, nominal: at(70)), cause: .schedule,
      startedAt: at(71))
    ledger.start(run)
    _ = try ledger.claim([EntryKey(job: backup, nominal: at(80))], at: at(71))
  }

  func reasons(_ query: HistoryQuery) throws -> [String] {
    try ledger.history(query).map { $0.isOpen ? "\($0.record.entry.job) runs" : $0.record.reason }
  }

  @Test func `the reactions to an entry are those that have ended, run or wait, the latest first`() throws {
    try fill()
    let upstream = EntryRecord(
      entry: EntryKey(job: backup, nominal: at(20)), outcome: .failed, endedAt: at(21))
    let keys = [91, 92, 93].map { EntryKey(job: mail, nominal: at($0)) }
    for (number, key) in keys.enumerated() {
      ledger.start(
        Attempt(
          run: RunID(number: UInt64(11 + number)), entry: key, cause: .reaction, startedAt: key.nominal,
          upstream: upstream))
    }
    ledger.wait(
      WaitingEntry(entry: EntryKey(job: mail, nominal: at(94)), cause: .reaction, upstream: upstream),
      at: at(94))
    func settle(_ key: EntryKey, _ outcome: Outcome, run: UInt64?, of upstream: EntryKey?) {
      var record = EntryRecord(
        entry: key, cause: .reaction, outcome: outcome, run: run.map(RunID.init(number:)),
        startedAt: run.map { _ in key.nominal }, endedAt: key.nominal + .seconds(1))
      record.upstream = upstream
      ledger.settle(record)
    }
    settle(keys[0], .succeeded, run: 11, of: upstream.entry)
    settle(keys[1], .failed, run: 12, of: nil)
    settle(EntryKey(job: mail, nominal: at(90)), .overlapped, run: nil, of: upstream.entry)
    let found = try ledger.reactions(to: upstream.entry, limit: 10)
    #expect(found.map(\.record.entry.nominal) == [94, 93, 91, 90].map(at))
    #expect(found.map(\.isOpen) == [true, true, false, false])
    #expect(found.map { $0.record.startedAt != nil } == [false, true, true, false])
    #expect(try ledger.reactions(to: upstream.entry, limit: 3) == Array(found.prefix(3)))
    #expect(try ledger.reactions(to: keys[0], limit: 10) == [])
    #expect(try ledger.entry(of: mail, at: at(91))?.record.upstream == upstream.entry)
    #expect(try ledger.entry(of: mail, at: at(92))?.record.upstream == nil)
  }

  @Test func `history is newest first, with active runs and without mere claims`() throws {
    try fill()
    #expect(
      try reasons(HistoryQuery()) == [
        "backup runs", "backup 60", "backup 50", "mail 30", "backup 20", "backup 10", "mail 10",
      ])
    #expect(try reasons(HistoryQuery(job: mail)) == ["mail 30", "mail 10"])
    #expect(try reasons(HistoryQuery(onlyFailures: true)) == ["mail 30", "backup 20"])
    #expect(try reasons(HistoryQuery(job: backup, onlyFailures: true)) == ["backup 20"])
    #expect(
      try reasons(HistoryQuery(onlyRuns: true)) == [
        "backup runs", "backup 60", "mail 30", "backup 20", "backup 10", "mail 10",
      ])
    #expect(try reasons(HistoryQuery(job: backup, onlyRuns: true, limit: 2)) == ["backup runs", "backup 60"])
    #expect(
      try reasons(HistoryQuery(job: backup, until: at(60), onlyRuns: true, limit: 2)) == [
        "backup 20", "backup 10",
      ])
    #expect(try reasons(HistoryQuery(limit: 2)) == ["backup runs", "backup 60"])
    #expect(try reasons(HistoryQuery(limit: -1)) == [])
    #expect(try reasons(HistoryQuery(limit: .max)).count == 7)
  }

  @Test(
    arguments: [
      (nil, nil, [70, 60, 50, 20, 10]), (20, nil, [70, 60, 50, 20]), (45, nil, [70, 60, 50]),
      (51, nil, [70, 60]), (nil, 60, [50, 20, 10]), (nil, 35, [50, 20, 10]), (nil, 30, [20, 10]),
      (20, 20, []),
    ] as [(Int64?, Int64?, [Int64])])
  func `a record lies in a span of time if one of its entries does`(
    since: Int64?, until: Int64?, expected: [Int64]
  ) throws {
    try fill()
    let query = HistoryQuery(job: backup, since: since.map(at), until: until.map(at))
    #expect(try ledger.history(query).map(\.record.entry.nominal) == expected.map(at))
  }

  /// Records of three jobs for several entries each. A record that begins before 45 and ends later is found however far it
  /// extends.
  ///
  ///             10 20 30 40 | 50 60 70 80 90
  ///     backup   b  m.....m    m..m  b
  ///     mail        m.......|..m     f
  ///     rest        f.......|........f  b
  @Test(
    arguments: [
      (nil, 45, 100, ["rest 80", "mail 60", "backup 40", "backup 10"]),
      (45, 45, 100, ["rest 80", "mail 60"]), (61, 45, 100, ["rest 80"]), (81, 45, 100, []),
      (nil, 45, 1, ["rest 80"]), (nil, 45, 3, ["rest 80", "mail 60", "backup 40"]), (nil, 45, 0, []),
      (nil, 55, 100, ["rest 80", "backup 60", "mail 60", "backup 40", "backup 10"]),
      (nil, 10, 100, []),
    ] as [(Int64?, Int64, Int, [String])])
  func `records that extend beyond the end of the span are found with those before it`(
    since: Int64?, until: Int64, limit: Int, expected: [String]
  ) throws {
    let rest = try #require(JobName("rest"))
    try ledger.adopt(
      jobs: [backup, mail, rest].map { LedgerJob(name: $0, schedule: "every 10s") }, at: .epoch)
    settle(backup, 10, .succeeded, run: 1)
    settle(backup, 40, .missed, since: 20, count: 3)
    settle(backup, 60, .missed, since: 50, count: 2)
    settle(backup, 70, .succeeded, run: 2)
    settle(mail, 60, .missed, since: 20, count: 5)
    settle(mail, 80, .failed, run: 3)
    settle(rest, 80, .failed, run: 4, since: 20, count: 7)
    settle(rest, 90, .succeeded, run: 5)
    var query = HistoryQuery(since: since.map(at), until: at(until), limit: limit)
    #expect(try reasons(query) == expected)
    for job in [backup, mail, rest] {
      query.job = job
      let own = try ledger.history(HistoryQuery(since: query.since, until: query.until))
        .filter { $0.record.entry.job == job }.prefix(limit)
      #expect(try ledger.history(query) == Array(own))
    }
    query = HistoryQuery(since: since.map(at), until: at(until), onlyFailures: true, limit: limit)
    #expect(try reasons(query) == (expected.contains("rest 80") ? ["rest 80"] : []))
  }

  @Test(arguments: [nil, "backup"], [nil, 20] as [Int64?])
  func `no query for a time span scans all entries`(job: String?, since: Int64?) throws {
    for onlyFailures in [false, true] {
      let query = HistoryQuery(
        job: job.flatMap { JobName($0) }, since: since.map(at), until: at(60), onlyFailures: onlyFailures)
      for question in [HistoryQuestion(query), HistoryQuestion(reachingOverEndOf: query)] {
        let question = try #require(question)
        var steps: [String] = []
        try ledger.database.run(
          "EXPLAIN QUERY PLAN SELECT entry.job, first_nominal FROM \(question.source)", question.values
        ) {
          steps.append($0.text(3))
        }
        let searches = steps.filter { $0.hasPrefix("SEARCH entry USING ") }
        #expect(!searches.isEmpty && searches.allSatisfy { $0.contains("nominal") }, "\(steps)")
        // One row for each job.
        #expect(steps.filter { $0.hasPrefix("SCAN") }.allSatisfy { $0 == "SCAN whose" }, "\(steps)")
      }
    }
  }

  @Test func `the index of failures has every outcome that is a failure`() throws {
    var definition = ""
    try ledger.database.run("SELECT sql FROM sqlite_master WHERE name = 'entry_failed'", []) {
      definition = $0.text(0)
    }
    let outcomes = definition.matches(of: /'([a-z-]+)'/).map { String($0.output.1) }
    #expect(Set(outcomes) == Set(Outcome.names(of: .failure)))
  }

  @Test(
    arguments: [
      (10, 10), (15, nil), (20, 20), (30, 50), (40, 50), (45, 50), (50, 50), (51, nil), (70, 70), (80, 80),
      (81, nil),
    ] as [(Int64, Int64?)])
  func `an entry is found by its instant, also inside a record of several`(instant: Int64, found: Int64?)
    throws
  {
    try fill()
    #expect(try ledger.entry(of: backup, at: at(instant))?.record.entry.nominal == found.map(at))
    #expect(try ledger.entry(of: mail, at: at(50)) == nil)
  }

  @Test func `a list can be read without details`() throws {
    try fill()
    let whole = try ledger.history(HistoryQuery())
    #expect(whole.contains { !$0.attempts.isEmpty })
    let lean = try ledger.history(HistoryQuery(hasDetails: false))
    #expect(lean.map(\.record) == whole.map(\.record))
    #expect(lean.allSatisfy { $0.attempts.isEmpty && $0.outputTail.isEmpty })
  }

  @Test func `an entry has all its recorded details`() throws {
    try fill()
    let failed = try #require(try ledger.entry(of: backup, at: at(20)))
    #expect(!failed.isOpen && failed.claimedAt == nil)
    #expect(failed.record.run == RunID(number: 3) && failed.record.outcome == .failed)
    #expect(
      failed.attempts == [
        LedgerAttempt(
          number: 1, startedAt: at(20), endedAt: at(21), outcome: .failed, message: "backup 20")
      ])
    #expect(try ledger.entry(of: RunID(number: 3)) == failed)
    #expect(try ledger.entry(of: RunID(number: 99)) == nil)
    let missed = try #require(try ledger.entry(of: backup, at: at(40)))
    #expect(missed.record.entryCount == 3 && missed.record.firstNominal == at(30) && missed.attempts.isEmpty)
    let running = try #require(try ledger.entry(of: backup, at: at(70)))
    #expect(running.isOpen && running.record.startedAt == at(71) && running.record.endedAt == at(71))
    #expect(running.attempts == [LedgerAttempt(number: 1, startedAt: at(71))])
    let claimed = try #require(try ledger.entry(of: backup, at: at(80)))
    #expect(claimed.isOpen && claimed.claimedAt == at(71) && claimed.record.startedAt == nil)
  }

  @Test(
    arguments: [
      (5, nil, 10), (10, nil, 20), (15, 10, 20), (20, 10, 50), (40, 20, 60), (55, 50, 60), (70, 60, nil),
      (75, 70, nil),
    ] as [(Int64, Int64?, Int64?)])
  func `neighbors are the entries before and after`(instant: Int64, before: Int64?, after: Int64?) throws {
    try fill()
    let neighbors = try ledger.neighbors(of: backup, around: at(instant))
    #expect(neighbors.before?.record.entry.nominal == before.map(at))
    #expect(neighbors.after?.record.entry.nominal == after.map(at))
  }
}

@Suite struct `The tail of a run's output` {
  @Test func `the tail keeps the last lines`() {
    var tail = OutputTail()
    #expect(tail.isEmpty && tail.text == "")
    for number in 1...1_000 { tail.append("line \(number)") }
    #expect(tail.text == (961...1_000).map { "line \($0)" }.joined(separator: "\n"))
    #expect(!tail.isEmpty)
  }

  @Test(arguments: [1, 7, 100, 4_095, 4_096, 4_097, 10_000])
  func `the tail stays within its bytes and does not split characters`(length: Int) {
    var tail = OutputTail()
    for _ in 1...50 { tail.append(String(repeating: "ü", count: length)) }
    #expect(tail.text.utf8.count <= OutputTail.byteCountMax)
    #expect(tail.text.allSatisfy { $0 == "ü" || $0 == "\n" } && tail.text.hasSuffix("ü"))
  }
}
