import Foundation
import Testing
import TimelineCore
import TimelineEngine

@testable import TimelineLedger

/// Damage that only a start can find.
@Suite struct `A start with a damaged ledger` {
  let fixture: Fixture

  init() throws { fixture = try Fixture() }

  func open(
    _ path: String, _ policy: DamagedLedgerPolicy = .setAside, upTo byteCountMax: Int64 = 1 << 20
  ) throws -> (ledger: Ledger, setAside: Ledger.SetAside?) {
    try Ledger.open(path: path, boot: "this", ifDamaged: policy, at: .epoch, lookingThrough: byteCountMax) {
      from, to in
      guard FileManager.default.fileExists(atPath: from) else { return nil }
      do {
        try FileManager.default.moveItem(atPath: from, toPath: to)
        return nil
      } catch { return "\(error)" }
    }
  }

  /// A closed ledger with ends, an entry that is open and one that waits.
  func makeLedger(_ path: String) throws {
    let ledger = try fixture.ledger(path)
    for number in 1...20 as ClosedRange<Int64> {
      let key = fixture.key(number * 10, of: number % 2 == 0 ? fixture.mail : fixture.backup)
      ledger.start(fixture.attempt(key, run: UInt64(number)))
      ledger.settle(fixture.end(key, run: UInt64(number)), cursor: [1])
    }
    _ = try ledger.claim([fixture.key(300)], at: fixture.at(299))
    try ledger.writeClaims(at: fixture.at(300))
    ledger.start(fixture.attempt(fixture.key(250), run: 21))
    try ledger.close()
  }

  /// Overwrites the first page of a table or an index.
  func damage(_ name: String, in path: String) throws {
    let database = try Database(path: path)
    var page: Int64?
    try database.run("SELECT rootpage FROM sqlite_master WHERE name = ?", [.text(name)]) {
      page = $0.integer(0)
    }
    database.close()
    let file = try FileHandle(forUpdating: URL(filePath: path))
    try file.seek(toOffset: UInt64(try #require(page) - 1) * 4_096)
    try file.write(contentsOf: Data(repeating: 0xA5, count: 4_096))
    try file.close()
  }

  @Test(arguments: ["claims", "entry_open", "entry_job", "entry", "job", "mark"], [0, 1 << 20] as [Int64])
  func `the parts that a start reads are checked at any file size`(name: String, byteCountMax: Int64) throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/ledger.sqlite"
      try makeLedger(path)
      try open(path, upTo: byteCountMax).ledger.close()
      try damage(name, in: path)
      let error = try #require(throws: LedgerError.self) { try open(path, .refuse, upTo: byteCountMax) }
      guard case .damaged(path, _) = error else {
        Issue.record("\(error)")
        return
      }
      let opened = try open(path, upTo: byteCountMax)
      #expect(opened.setAside != nil)
      try opened.ledger.adopt(jobs: fixture.jobs, at: fixture.at(400))
      #expect(try opened.ledger.recall(at: fixture.at(400)).open.isEmpty)
      try opened.ledger.close()
    }
  }

  @Test func `parts of a large file that a start does not read are not checked`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/ledger.sqlite"
      try makeLedger(path)
      try damage("entry_failed", in: path)
      let opened = try open(path, upTo: 0)
      #expect(opened.setAside == nil)
      try opened.ledger.adopt(jobs: fixture.jobs, at: fixture.at(400))
      let memory = try opened.ledger.recall(at: fixture.at(400))
      #expect(memory.open.map(\.entry.nominal) == [fixture.at(250)])
      try? opened.ledger.close()
      #expect(try open(path).setAside != nil)
    }
  }

  @Test(arguments: [true, false], DamagedLedgerPolicy.allCases)
  func `a log whose file is empty or gone is kept`(isGone: Bool, policy: DamagedLedgerPolicy) throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/ledger.sqlite"
      try makeLedger(path)
      let ledger = try fixture.ledger(path)
      ledger.settle(fixture.end(fixture.key(500)))
      try ledger.commit()
      let copy = try copyLedger(path, to: directory + "/copy")
      try ledger.close()
      let log = try Data(contentsOf: URL(filePath: copy + "-wal"))
      #expect(!log.isEmpty)
      if isGone {
        try FileManager.default.removeItem(atPath: copy)
      } else {
        try Data().write(to: URL(filePath: copy))
      }
      switch policy {
      case .refuse:
        let error = try #require(throws: LedgerError.self) { try open(copy, policy) }
        #expect(
          error == .damaged(path: copy, reason: "it is empty and its log, \(copy)-wal, is not"))
        #expect(try Data(contentsOf: URL(filePath: copy + "-wal")) == log)
      case .setAside:
        let opened = try open(copy, policy)
        let aside = try #require(opened.setAside)
        #expect(try Data(contentsOf: URL(filePath: aside.path + "-wal")) == log)
        try opened.ledger.close()
      }
    }
  }

  @Test func `an empty file without a log is a new ledger`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/ledger.sqlite"
      for suffix in ["", "-wal"] { try Data().write(to: URL(filePath: path + suffix)) }
      let opened = try open(path)
      #expect(opened.setAside == nil)
      try opened.ledger.close()
    }
  }

  @Test(arguments: [true, false])
  func `a file that was removed or replaced is noticed, and the other one left alone`(isReplaced: Bool) throws
  {
    try withTemporaryDirectory { directory in
      let path = directory + "/ledger.sqlite"
      let ledger = try fixture.ledger(path)
      try ledger.checkPlace()
      for suffix in ["", "-wal"] {
        try FileManager.default.moveItem(atPath: path + suffix, toPath: directory + "/former" + suffix)
        if isReplaced { try Data("another".utf8).write(to: URL(filePath: path + suffix)) }
      }
      #expect(throws: LedgerError.moved(path: path)) { try ledger.checkPlace() }
      ledger.settle(fixture.end(fixture.key(10)))
      try ledger.close()
      for suffix in ["", "-wal"] {
        let other = FileManager.default.contents(atPath: path + suffix)
        #expect(other == (isReplaced ? Data("another".utf8) : nil))
      }
    }
  }
}
