import Foundation
import Testing
import TimelineCore
import TimelineEngine
import TimelineTestSupport

@testable import TimelineLedger

@Suite struct `A ledger that cannot be used` {
  let fixture: Fixture

  init() throws { fixture = try Fixture() }

  func rename(_ from: String, _ to: String) -> String? {
    guard FileManager.default.fileExists(atPath: from) else { return nil }
    do {
      try FileManager.default.moveItem(atPath: from, toPath: to)
      return nil
    } catch { return "\(error)" }
  }

  func open(
    _ path: String, _ policy: DamagedLedgerPolicy = .setAside
  ) throws -> (ledger: Ledger, setAside: Ledger.SetAside?) {
    try Ledger.open(path: path, boot: "this", ifDamaged: policy, at: .epoch, lockLimit: .zero, rename: rename)
  }

  @Test(.enabled(if: geteuid() != 0, "root may write to everything"))
  func `a read-only ledger is reported at once`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/ledger.sqlite"
      try fixture.ledger(path).close()
      try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: path)
      let error = try #require(throws: LedgerError.self) { try open(path) }
      #expect(error.description.contains("it can be read and not written"))
      #expect(FileManager.default.fileExists(atPath: path), "and is not set aside")
    }
  }

  /// Writes a few hundred entries with their output and cursors.
  func fill(_ ledger: Ledger) throws {
    for number in 1...300 as ClosedRange<Int64> {
      let key = fixture.key(number * 10, of: number % 3 == 0 ? fixture.mail : fixture.backup)
      ledger.start(fixture.attempt(key, run: UInt64(number)))
      ledger.note(output: "line of \(number)", of: RunID(number: UInt64(number)))
      ledger.settle(
        fixture.end(key, run: UInt64(number), number % 5 == 0 ? .failed : .succeeded, reason: "because"),
        cursor: [UInt8(number % 256)])
      if number % 10 == 0 { try ledger.commit() }
    }
    _ = try ledger.claim([fixture.key(4_000)], at: fixture.at(3_001))
    ledger.start(fixture.attempt(fixture.key(3_500), run: 301))
    try ledger.commit()
  }

  @Test(arguments: [true, false])
  func `a non-database is set aside, or refused with its path and a remedy`(isSetAside: Bool) throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/ledger.sqlite"
      let rubbish = Data(String(repeating: "not a database ", count: 100).utf8)
      try rubbish.write(to: URL(filePath: path))
      guard isSetAside else {
        let error = try #require(throws: LedgerError.self) { _ = try open(path, .refuse) }
        #expect(error.description.hasPrefix(path) && error.description.contains("move the file aside"))
        #expect(try Data(contentsOf: URL(filePath: path)) == rubbish)
        return
      }
      let opened = try open(path)
      let aside = try #require(opened.setAside)
      #expect(aside.path == path + ".damaged-1970-01-01T000000Z")
      #expect(try Data(contentsOf: URL(filePath: aside.path)) == rubbish)
      try opened.ledger.adopt(jobs: fixture.jobs, at: fixture.at(1))
      try opened.ledger.close()
      let next = try open(path)
      #expect(next.setAside == nil)
      #expect(try next.ledger.recall(at: fixture.at(5)).repeated.unknownThrough == .epoch)
    }
  }

  @Test func `a log is set aside with its file`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/ledger.sqlite"
      for suffix in ["", "-wal"] {
        try Data("rubbish\(suffix), over and over; ".utf8 + Data(count: 5_000)).write(
          to: URL(filePath: path + suffix))
      }
      let opened = try open(path)
      let aside = try #require(opened.setAside)
      #expect(try Data(contentsOf: URL(filePath: aside.path + "-wal")).starts(with: Data("rubbish-wal".utf8)))
      try opened.ledger.close()
      #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
    }
  }

  @Test func `a file that was cut off is damaged`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/ledger.sqlite"
      let ledger = try fixture.ledger(path)
      try fill(ledger)
      try ledger.close()
      let whole = try Data(contentsOf: URL(filePath: path))
      try whole.prefix(whole.count / 2).write(to: URL(filePath: path))
      let error = try #require(throws: LedgerError.self) { _ = try open(path, .refuse) }
      guard case .damaged = error else {
        Issue.record("\(error)")
        return
      }
      #expect(!error.description.contains("\n") && !error.description.contains("***"), "\(error)")
      #expect(try open(path).setAside != nil)
    }
  }

  @Test func `a newer program's ledger is refused by name and left alone, damaged or not`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/ledger.sqlite"
      do {
        let database = try Database(path: path)
        try Migration.apply(to: database)
        try database.run("INSERT INTO migration VALUES ('99 from the future')")
        try database.execute("CREATE TABLE novelty (a) STRICT; DROP TABLE entry")
      } catch is LedgerError {
        let database = try Database(path: path)
        try database.execute("DROP TABLE entry")
      }
      #expect(throws: LedgerError.newer(path: path, migration: "99 from the future")) { _ = try open(path) }
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: directory).filter { $0.contains("damaged") } == []
      )
    }
  }

  @Test func `another program's database is not written to`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/ledger.sqlite"
      let database = try Database(path: path)
      try database.execute("CREATE TABLE recipe (name TEXT)")
      database.close()
      let error = try #require(throws: LedgerError.self) { _ = try open(path, .refuse) }
      #expect(error == .damaged(path: path, reason: "it is a database of something else"))
    }
  }

  @Test func `a ledger in use is refused and left alone`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/ledger.sqlite"
      let ledger = try fixture.ledger(path)
      #expect(throws: LedgerError.inUse(path: path)) { _ = try open(path) }
      try ledger.close()
    }
  }

  @Test(arguments: ["/nonexistent/directory/ledger.sqlite", "/tmp", "/proc/self/ledger.sqlite"])
  func `a path where no file can be made is reported with the system's reason`(path: String) throws {
    let error = try #require(throws: LedgerError.self) { _ = try open(path) }
    guard case .database(path, _, let reason) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(reason.contains("("), "\(reason)")
  }

  private static let seedRun = SeedRun(lane: "damaged ledger", suite: "DamageTests")

  /// The files of a ledger, open and closed.
  private struct Files {
    let whole, log, closed: Data
  }

  private func files(in directory: String) throws -> Files {
    let original = try fixture.ledger(directory + "/original.sqlite")
    try fill(original)
    let whole = try Data(contentsOf: URL(filePath: directory + "/original.sqlite"))
    let log = try Data(contentsOf: URL(filePath: directory + "/original.sqlite-wal"))
    try original.close()
    return Files(
      whole: whole, log: log, closed: try Data(contentsOf: URL(filePath: directory + "/original.sqlite")))
  }

  /// Damages files by a seed and uses them as a ledger; returns whether an error, if there is one, names the file.
  private func survives(_ seed: UInt64, _ files: Files, in directory: String) throws -> Bool {
    var damager = Damager(seed: seed)
    let place = directory + "/\(seed)"
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(atPath: place) }
    let path = place + "/ledger.sqlite"
    if seed.isMultiple(of: 2) {
      try damager.damage(files.closed).write(to: URL(filePath: path))
    } else {
      try files.whole.write(to: URL(filePath: path))
      try damager.damage(files.log).write(to: URL(filePath: path + "-wal"))
    }
    do {
      let ledger = try open(path).ledger
      try live(with: ledger)
      try ledger.close()
    } catch let error as LedgerError {
      let isNamed = error.description.hasPrefix(path)
      #expect(isNamed, "seed \(seed): \(error); \(Self.seedRun.command(repeating: seed))")
      return isNamed
    }
    return true
  }

  @Test(arguments: 0..<8)
  func `a ledger with damaged bytes works or reports the damage`(group: UInt64) throws {
    try withTemporaryDirectory { directory in
      let files = try files(in: directory)
      for seed in group * 50..<group * 50 + 50 { _ = try survives(seed, files, in: directory) }
    }
  }

  @Test(.enabled(if: SeedChoice.seed != nil)) func `the seed that was asked for`() throws {
    let seed = try #require(SeedChoice.seed)
    try withTemporaryDirectory { directory in
      _ = try survives(seed, try files(in: directory), in: directory)
    }
  }

  @Test(.enabled(if: SeedChoice.seconds != nil)) func `new seeds for as long as asked`() throws {
    try withTemporaryDirectory { directory in
      let files = try files(in: directory)
      try Self.seedRun.run { try survives($0, files, in: directory) }
    }
  }

  /// Everything that a daemon does with a ledger.
  private func live(with ledger: Ledger) throws {
    try ledger.adopt(jobs: fixture.jobs, at: fixture.at(1))
    let memory = try ledger.recall(at: fixture.at(5_000))
    for run in memory.open { ledger.settle(fixture.end(run.entry, run: run.run.number, .unknown)) }
    _ = try ledger.claim([fixture.key(10), fixture.key(5_010)], at: fixture.at(5_001))
    ledger.start(fixture.attempt(fixture.key(5_010), run: memory.lastRun.number &+ 1))
    ledger.settle(fixture.end(fixture.key(5_010), run: memory.lastRun.number &+ 1), cursor: [1])
    try ledger.commit()
    _ = try ledger.history(HistoryQuery())
    _ = try ledger.history(HistoryQuery(job: fixture.backup, onlyFailures: true))
    _ = try ledger.entry(of: fixture.backup, at: fixture.at(55))
    _ = try ledger.neighbors(of: fixture.backup, around: fixture.at(55))
    _ = try ledger.outcomes(since: .epoch)
    while try ledger.tidy(at: fixture.at(3_000_000), keeping: LedgerRetention(entriesPerJob: 5)) {}
  }
}

/// Damages bytes like failing disks and users.
private struct Damager {
  private var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  private mutating func random(_ range: Range<Int>) -> Int { Int.random(in: range, using: &generator) }

  mutating func damage(_ data: Data) -> Data {
    var bytes = [UInt8](data)
    switch random(0..<5) {
    case 0:  // single bits
      for _ in 0..<random(1..<20) { bytes[random(0..<bytes.count)] ^= 1 << UInt8(random(0..<8)) }
    case 1:  // the end
      bytes.removeLast(random(1..<bytes.count))
    case 2:  // a page of rubbish
      let page = random(0..<bytes.count / 4_096)
      for index in page * 4_096..<(page + 1) * 4_096 { bytes[index] = UInt8(random(0..<256)) }
    case 3:  // a page of nothing
      let page = random(0..<bytes.count / 4_096)
      for index in page * 4_096..<(page + 1) * 4_096 { bytes[index] = 0 }
    default:  // headers of pages, where damage has the most effect
      for _ in 0..<random(1..<5) {
        bytes[min(bytes.count - 1, random(0..<bytes.count / 4_096) * 4_096 + random(0..<120))] = UInt8(
          random(0..<256))
      }
    }
    return Data(bytes)
  }
}
