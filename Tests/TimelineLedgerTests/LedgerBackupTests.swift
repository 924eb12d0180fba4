import Foundation
import Testing
import TimelineCore
import TimelineEngine

@testable import TimelineLedger

@Suite struct `A copy of a ledger in use` {
  let fixture: Fixture

  init() throws { fixture = try Fixture() }

  @Test func `a copy has all writes, also those made meanwhile, and is one file`() throws {
    try withTemporaryDirectory { directory in
      let (path, copy) = (directory + "/ledger.sqlite", directory + "/copy.sqlite")
      let ledger = try fixture.ledger(path)
      for second in 1...4_000 { ledger.settle(fixture.end(fixture.key(Int64(second)))) }
      try ledger.commit()
      #expect(FileManager.default.createFile(atPath: copy, contents: nil))
      let backup = try LedgerBackup(of: ledger, at: copy)
      #expect(try !backup.advance())
      // Writes to parts that are already copied, and to others.
      for second in 4_001...8_000 { ledger.settle(fixture.end(fixture.key(Int64(second)))) }
      try ledger.commit()
      var count = 1
      while try !backup.advance() { count += 1 }
      #expect(count > 1)
      let names = try FileManager.default.contentsOfDirectory(atPath: directory)
      #expect(names.filter { $0.hasPrefix("copy") } == ["copy.sqlite"])
      #expect(try Self.entryCount(of: copy) == 8_000)
      try ledger.close()
    }
  }

  @Test func `a copy that cannot be written throws an error`() throws {
    try withTemporaryDirectory { directory in
      let ledger = try fixture.ledger(directory + "/ledger.sqlite")
      #expect(throws: LedgerError.self) { try LedgerBackup(of: ledger, at: directory + "/none/copy.sqlite") }
      try ledger.close()
    }
  }

  private static func entryCount(of path: String) throws -> Int64 {
    let database = try Database(path: path)
    var count: Int64 = 0
    try database.run("SELECT count(*) FROM entry") { count = $0.integer(0) }
    database.close()
    return count
  }
}
