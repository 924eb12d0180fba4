import Foundation
import Testing

@testable import TimelineLedger

@Suite struct NewLedgerTests {
  @Test func `a ledger has synchronous mode NORMAL when it is made, and when it is opened again`() throws {
    let path = temporaryPath()
    for _ in 0..<2 {
      let ledger = try Ledger(path: path)
      var level: Int64?
      try ledger.database.run("PRAGMA synchronous") { level = $0.integer(0) }
      #expect(level == 1, "that is NORMAL")
      // The first sync of a new ledger includes the file.
      try ledger.database.syncLog()
      #expect(ledger.database.waitCount == 1)
      try ledger.close()
    }
  }

  @Test func `its files are private to the owner, and so are files that an earlier program made`() throws {
    let path = temporaryPath()
    for former in [nil, 0o644, 0o664] as [Int?] {
      if let former { try FileManager.default.setAttributes([.posixPermissions: former], ofItemAtPath: path) }
      let ledger = try Ledger(path: path)
      for file in [path, path + "-wal"] {
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
        #expect(mode == 0o600, "\(file) after \(String(describing: former))")
      }
      try ledger.close()
    }
  }

  @Test func `a new ledger is synced once, in the first quiet moment`() throws {
    let path = temporaryPath()
    let ledger = try Ledger(path: path)
    try ledger.doDiskWork(isQuiet: false)
    #expect(ledger.database.waitCount == 0)
    try ledger.doDiskWork(isQuiet: true)
    try ledger.doDiskWork(isQuiet: true)
    #expect(ledger.database.waitCount == 1)
    try ledger.close()
    let later = try Ledger(path: path)
    try later.doDiskWork(isQuiet: true)
    #expect(later.database.waitCount == 0)
    try later.close()
  }
}
