import Testing
import TimelineCore
import TimelineLedger

@Suite struct `The start of the machine in the ledger` {
  @Test func `the start of the machine is the time of the first call in a boot`() throws {
    let fixture = try Fixture()
    try withTemporaryDirectory { directory in
      let rows: [(boot: String?, asked: Int64, told: Int64)] = [
        ("one", 100, 100), ("one", 200, 100), ("one", 50, 100), ("two", 300, 300), ("two", 400, 300),
        (nil, 500, 500), (nil, 600, 600), ("three", 700, 700),
      ]
      for row in rows {
        let ledger = try fixture.ledger(directory + "/ledger.sqlite", boot: row.boot)
        #expect(try ledger.startOfMachine(at: fixture.at(row.asked)) == fixture.at(row.told), "\(row)")
        try ledger.close()
      }
    }
  }
}
