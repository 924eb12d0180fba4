import Testing
import TimelineCore
import TimelineEngine
import TimelineTestSupport

@testable import TimelineLedger

@Suite struct AdoptionTests {
  /// Applies a configuration slowly, with a statement for each job.
  private func adoptSlowly(_ jobs: [LedgerJob], at now: WallInstant, in database: Database) throws {
    var gone: Set<String> = []
    try database.run("SELECT name FROM job WHERE known_since IS NOT NULL OR last_settled IS NOT NULL") {
      gone.insert($0.text(0))
    }
    for job in jobs {
      gone.remove(job.name.text)
      try database.run(
        """
        INSERT INTO job (name, schedule, known_since) VALUES (?1, ?2, ?3) ON CONFLICT (name) DO UPDATE SET
          last_settled = CASE WHEN schedule = ?2 THEN last_settled END,
          known_since = CASE WHEN schedule = ?2 THEN coalesce(known_since, ?3) ELSE ?3 END,
          schedule = ?2
        """, [.text(job.name.text), .text(job.schedule), .integer(now.nanosecondsSinceEpoch)])
    }
    for name in gone {
      try database.run(
        "UPDATE job SET last_settled = NULL, known_since = NULL WHERE name = ?",
        [.text(name)])
    }
  }

  private func rows(of database: Database) throws -> [String] {
    var rows: [String] = []
    try database.run(
      "SELECT name, schedule, last_settled, known_since, paused_since, cursor FROM job ORDER BY name"
    ) { row in
      rows.append((0..<6).map { row.optionalText($0) ?? "-" }.joined(separator: " "))
    }
    return rows
  }

  @Test func `a configuration written at once has the same rows as one written job by job`() throws {
    var random = SeededGenerator(seed: 1)
    let names = ["B", "a", "a-b", "a.b", "a1", "a10", "a2", "aa", "b_", "z"].compactMap { JobName($0) }
    let (ledger, slow) = (try Ledger(path: ":memory:"), try Ledger(path: ":memory:"))
    for step in 1...300 {
      let now = WallInstant(secondsSinceEpoch: Int64(step))
      var jobs: [LedgerJob] = []
      for name in names.shuffled(using: &random) where Bool.random(using: &random) {
        jobs.append(LedgerJob(name: name, schedule: "every \(Int.random(in: 1...2, using: &random))s"))
      }
      try ledger.adopt(jobs: jobs, at: now)
      try adoptSlowly(jobs, at: now, in: slow.database)
      #expect(try rows(of: ledger.database) == rows(of: slow.database), "step \(step)")
      for name in names where Int.random(in: 0..<4, using: &random) == 0 {
        let values: InlineArray<2, Value> = [name.value, .instant(now)]
        let statement = Bool.random(using: &random) ? CachedStatement.raiseWatermark : .pause
        try ledger.database.run(statement, values)
        try slow.database.run(statement, values)
      }
    }
  }

  @Test func `an unchanged configuration changes no row`() throws {
    let fixture = try Fixture()
    let ledger = try fixture.ledger()
    var before: Int64 = 0
    try ledger.database.run("SELECT total_changes()") { before = $0.integer(0) }
    try ledger.adopt(jobs: fixture.jobs.reversed(), at: fixture.at(9))
    var after: Int64 = 0
    try ledger.database.run("SELECT total_changes()") { after = $0.integer(0) }
    #expect(after == before)
  }

  @Test(arguments: [false, true])
  func `a job that cannot be scheduled for now is kept as it was, and may be paused`(isAmended: Bool) throws {
    let fixture = try Fixture()
    let ledger = try fixture.ledger()
    ledger.settle(fixture.end(fixture.key(10)))
    try ledger.commit()
    let before = try rows(of: ledger.database)
    let suspended = LedgerJob(name: fixture.backup, schedule: "on demand", isSuspended: true)
    let strange = try LedgerJob(name: #require(JobName("new")), schedule: "on demand", isSuspended: true)
    if isAmended {
      try ledger.amend(jobs: [suspended, strange], gone: [], at: fixture.at(20))
    } else {
      try ledger.adopt(jobs: [suspended, strange] + fixture.jobs.dropFirst(), at: fixture.at(20))
    }
    #expect(try rows(of: ledger.database).filter { !$0.hasPrefix("new") } == before)
    ledger.pause(strange.name, since: fixture.at(21))
    try ledger.adopt(
      jobs: fixture.jobs + [LedgerJob(name: strange.name, schedule: "every 10s")], at: fixture.at(30))
    #expect(try rows(of: ledger.database).filter { !$0.hasPrefix("new") } == before)
    let memory = try ledger.recall(at: fixture.at(40))
    #expect(memory.lastSettled[fixture.backup] == fixture.at(10))
    #expect(memory.lastSettled[strange.name] == fixture.at(30) - .nanoseconds(1), "it has missed nothing")
    #expect(memory.paused[strange.name] == fixture.at(21))
  }

  @Test func `an amendment has the same result as the whole configuration`() throws {
    var random = SeededGenerator(seed: 2)
    let names = ["B", "a", "a-b", "a.b", "a1", "a10", "a2", "aa", "b_", "z"].compactMap { JobName($0) }
    let (ledger, whole) = (try Ledger(path: ":memory:"), try Ledger(path: ":memory:"))
    var former: [LedgerJob] = []
    for step in 1...300 {
      let now = WallInstant(secondsSinceEpoch: Int64(step))
      let jobs = names.filter { _ in Int.random(in: 0..<4, using: &random) > 0 }.map { name in
        LedgerJob(
          name: name, schedule: "every \(Int.random(in: 1...2, using: &random))s",
          delivery: Bool.random(using: &random) ? .atLeastOnce : .atMostOnce, isCounted: name.text == "z")
      }
      let gone = Set(former.map(\.name)).subtracting(jobs.map(\.name)).sorted()
      try ledger.amend(jobs: jobs.filter { !former.contains($0) }, gone: gone, at: now)
      try whole.adopt(jobs: jobs, at: now)
      former = jobs
      #expect(try rows(of: ledger.database) == rows(of: whole.database), "step \(step)")
      for name in names {
        let (one, other) = (ledger.jobs.number(of: name), whole.jobs.number(of: name))
        #expect(ledger.jobs.isConfigured(one) == whole.jobs.isConfigured(other), "step \(step)")
        #expect(ledger.jobs.isAtLeastOnce(one) == whole.jobs.isAtLeastOnce(other), "step \(step)")
        #expect(ledger.jobs.isCounted(one) == whole.jobs.isCounted(other), "step \(step)")
      }
      for job in jobs where Int.random(in: 0..<4, using: &random) == 0 {
        let values: InlineArray<2, Value> = [job.name.value, .instant(now)]
        let statement = Bool.random(using: &random) ? CachedStatement.raiseWatermark : .pause
        try ledger.database.run(statement, values)
        try whole.database.run(statement, values)
      }
    }
  }
}
