import Testing
import TimelineCore
import TimelineEngine

@testable import TimelineLedger

@Suite struct `A ledger of an older program` {
  let fixture: Fixture

  init() throws { fixture = try Fixture() }

  /// A file with claims and entries in one table, the form before claims were kept apart. Boot 1 has the name "this".
  func makeFile(_ path: String, _ rows: [String]) throws {
    let database = try Database(path: path)
    try Migration.apply(Migration.all.prefix(4), to: database)
    try database.execute(
      """
      INSERT INTO boot VALUES (1, 'this');
      INSERT INTO job (name, schedule, last_settled, known_since, cursor)
        VALUES ('backup', 'every 10s', 30000000000, 1, x'07'), ('mail', 'every 10s', NULL, 1, NULL)
      """)
    for row in rows {
      try database.execute(
        """
        INSERT INTO entry (job, nominal, claimed_at, claimed_in, intended_at, started_at, ended_at, cause, disposition,
          attempts, entry_count, first_nominal, run) VALUES (\(row))
        """)
    }
    try database.takeCharge()
    database.close()
  }

  @Test func `loses the identity of a node, which a copy of the file would have, too`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/ledger.sqlite"
      let old = try Database(path: path)
      try Migration.apply(Migration.all.prefix(15), to: old)
      try old.execute("INSERT INTO node VALUES (1, 'the epoch', 'the store')")
      try old.takeCharge()
      old.close()
      let ledger = try fixture.ledger(path)
      #expect(try ledger.recall(at: fixture.at(50)).node == NodeMemory(store: "the store"))
      ledger.keep(NodeMemory(store: "another"))
      #expect(try ledger.recall(at: fixture.at(50)).node == NodeMemory(store: "another"))
    }
  }

  @Test func `gets a table of reruns, and keeps what it has`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/ledger.sqlite"
      let old = try Database(path: path)
      try Migration.apply(Migration.all.prefix(17), to: old)
      try old.execute(
        """
        INSERT INTO entry (job, nominal, started_at, ended_at, cause, outcome, first_nominal, run, attempts)
          VALUES ('backup', 10\(Self.second), 10\(Self.second), 11\(Self.second), 'schedule', 'failed', 10\(Self.second), 1, 1)
        """)
      try old.takeCharge()
      old.close()
      let ledger = try fixture.ledger(path)
      #expect(try ledger.history(HistoryQuery()).map(\.record.outcome) == [.failed])
      #expect(try ledger.nextRerunNumber(of: fixture.key(10)) == 1)
      ledger.note(RerunOrigin(of: fixture.at(10), number: 1), at: fixture.key(31))
      #expect(try ledger.nextRerunNumber(of: fixture.key(10)) == 2)
    }
  }

  static let second = "000000000"

  @Test func `keeps every entry with its run, its cause and the number of its entries`() throws {
    try withTemporaryDirectory { directory in
      let (path, s) = (directory + "/ledger.sqlite", Self.second)
      try makeFile(
        path,
        [
          "'backup', 10\(s), 5\(s), 1, 9\(s), 10\(s), 11\(s), 'schedule', 'succeeded', 1, 1, 10\(s), 41",
          "'backup', 30\(s), NULL, NULL, NULL, NULL, 31\(s), 'schedule', 'missed', 0, 2, 20\(s), NULL",
          "'mail', 10\(s), 5\(s), 1, NULL, 10\(s), 12\(s), 'trigger', 'failed', 2, 1, 10\(s), 40",
          "'mail', 20\(s), 15\(s), 1, NULL, 20\(s), NULL, 'schedule', NULL, 1, 1, 20\(s), 43",
        ])
      let ledger = try fixture.ledger(path)
      let history = try ledger.history(HistoryQuery())
      #expect(
        history.map(\.record.entry.job) == [fixture.backup, fixture.mail, fixture.backup, fixture.mail])
      #expect(history.map(\.record.entry.nominal) == [30, 20, 10, 10].map(fixture.at))
      #expect(history.map(\.record.run?.number) == [nil, 43, 41, 40])
      #expect(history.map(\.isOpen) == [false, true, false, false])
      #expect(history[2].claimedAt == fixture.at(5) && history[2].record.startedAt == fixture.at(10))
      #expect(history[3].record.cause == .trigger && history[3].record.attempts == 2)
      #expect(try ledger.history(HistoryQuery(onlyFailures: true)).map(\.record.entry.job) == [fixture.mail])
      #expect(
        try ledger.entry(of: fixture.backup, at: fixture.at(20))?.record.entryCount == 2, "which has no row")
      #expect(ledger.cursor(of: fixture.backup) == [7])
      let memory = try ledger.recall(at: fixture.at(50))
      #expect(memory.lastRun.number == 43 && memory.open.map(\.run.number) == [43])
      #expect(memory.lastSettled[fixture.backup] == fixture.at(30))
    }
  }

  /// Claims that the watermark of their job has passed, and after a loss of power also the startable ones.
  @Test(arguments: [("this", [30]), ("other", [30, 40, 50])] as [(String, [Int64])])
  func `keeps the claims that a start needs`(boot: String, open: [Int64]) throws {
    try withTemporaryDirectory { directory in
      let (path, s) = (directory + "/ledger.sqlite", Self.second)
      try makeFile(
        path,
        [
          "'backup', 30\(s), 25\(s), 1, NULL, NULL, NULL, 'schedule', NULL, 0, 1, 30\(s), NULL",
          "'backup', 40\(s), 35\(s), 1, 39\(s), NULL, NULL, 'schedule', NULL, 0, 1, 40\(s), NULL",
          "'mail', 50\(s), 45\(s), 1, 49\(s), NULL, NULL, 'schedule', NULL, 0, 1, 50\(s), NULL",
          "'mail', 60\(s), 45\(s), 1, NULL, NULL, NULL, 'schedule', NULL, 0, 1, 60\(s), NULL",
        ])
      for _ in 1...2 {
        let ledger = try fixture.ledger(path, boot: boot)
        #expect(
          try ledger.recall(at: fixture.at(70)).open.map(\.entry.nominal) == open.map(fixture.at),
          "until they are settled")
        try ledger.commit()
      }
      let ledger = try fixture.ledger(path, boot: boot)
      for run in try ledger.recall(at: fixture.at(70)).open {
        ledger.settle(fixture.end(run.entry, run: run.attempts == 0 ? nil : run.run.number, .unknown))
      }
      try ledger.close()
      #expect(try fixture.ledger(path, boot: "third").recall(at: fixture.at(80)).open.isEmpty)
    }
  }
}
