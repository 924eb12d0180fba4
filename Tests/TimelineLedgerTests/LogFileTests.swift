import Foundation
import Testing
import TimelineTestSupport

@testable import TimelineLedger

@Suite struct `The write-ahead log` {
  /// What a table holds, in order.
  private func contents(_ database: Database) throws -> [String] {
    var rows: [String] = []
    try database.run(
      "SELECT number || ' ' || length(bytes) || ' ' || hex(substr(bytes, 1, 4)) FROM t ORDER BY number"
    ) {
      rows.append($0.text(0))
    }
    return rows
  }

  /// Adds, changes and removes some rows, small ones and ones of many pages.
  private func write(_ count: Int, to database: Database, _ dice: inout SeededGenerator) throws {
    for _ in 0..<count {
      let number = Int64.random(in: 1...40, using: &dice)
      if Int.random(in: 1...5, using: &dice) == 1 {
        try database.run("DELETE FROM t WHERE number = ?", [.integer(number)])
      } else {
        let length = Int.random(in: 0...4, using: &dice) == 0 ? 200_000 : 300
        let bytes = Data(
          repeating: UInt8.random(in: 0...255, using: &dice), count: Int.random(in: 1...length, using: &dice))
        try database.run("INSERT OR REPLACE INTO t VALUES (?, ?)", [.integer(number), .blob([UInt8](bytes))])
      }
    }
  }

  /// Transactions that fit into what is written at once and that do not, that fit into memory and that do not, and that are undone;
  /// checkpoints, after which the log begins anew.
  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `has a transaction from its commit on, and nothing of those undone`(seed: UInt64) throws {
    var dice = SeededGenerator(seed: seed)
    try withTemporaryFolder { folder in
      let path = folder + "/ledger.sqlite"
      let database = try Database(path: path)
      try database.execute("CREATE TABLE t (number INTEGER PRIMARY KEY, bytes BLOB)")
      for turn in 1...25 {
        try database.execute("BEGIN")
        try write(Int.random(in: 0...30, using: &dice), to: database, &dice)
        try database.execute(Int.random(in: 1...3, using: &dice) == 1 ? "ROLLBACK" : "COMMIT")
        let expected = try contents(database)
        let copy = try Database(path: try copyLedger(path, to: folder + "/\(turn)"))
        #expect(try contents(copy) == expected, "turn \(turn)")
        try copy.run("PRAGMA integrity_check") { #expect($0.text(0) == "ok", "turn \(turn)") }
        if Int.random(in: 1...6, using: &dice) == 1 { try database.execute("PRAGMA wal_checkpoint(RESTART)") }
      }
    }
  }
}
