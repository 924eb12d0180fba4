import Testing
import TimelineCore
import TimelineEngine

@testable import TimelineLedger

/// Outcomes that must not be sent to the cluster's store before this node owns their jobs.
@Suite struct `Withheld outcomes` {
  private let fixture: Fixture

  init() throws { fixture = try Fixture() }

  private func settle(_ second: Int64, of job: JobName, isWithheld: Bool, in ledger: Ledger) {
    let key = fixture.key(second, of: job)
    ledger.settle(fixture.end(key, run: UInt64(second), .failed), cursor: nil)
    let mark = StoreMark(epoch: "e", token: StoreMark.unclaimed, isWithheld: isWithheld)
    ledger.upload(key, mark)
  }

  private func uploads(_ ledger: Ledger) throws -> [WallInstant] {
    try ledger.uploads(limit: 10).map(\.record.entry.nominal)
  }

  @Test func `a withheld outcome is sent when its job is released, also by a later daemon`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/ledger.sqlite"
      try {
        let ledger = try fixture.ledger(path)
        settle(10, of: fixture.mail, isWithheld: true, in: ledger)
        settle(20, of: fixture.backup, isWithheld: true, in: ledger)
        settle(30, of: fixture.mail, isWithheld: false, in: ledger)
        #expect(try uploads(ledger) == [fixture.at(30)])
        try ledger.commit()
      }()
      let ledger = try fixture.ledger(path)
      #expect(try ledger.jobsWithWithheldUploads() == [fixture.mail, fixture.backup])
      ledger.releaseUploads(of: fixture.mail)
      #expect(try uploads(ledger) == [fixture.at(10), fixture.at(30)])
      #expect(try ledger.jobsWithWithheldUploads() == [fixture.backup])
    }
  }

  @Test func `neither a failover nor later outcomes change a withheld outcome`() throws {
    let ledger = try fixture.ledger()
    settle(10, of: fixture.mail, isWithheld: true, in: ledger)
    settle(30, of: fixture.mail, isWithheld: false, in: ledger)
    ledger.uploaded([fixture.key(30, of: fixture.mail)], at: fixture.at(10_000))
    ledger.uploadAgain(at: fixture.at(10_000))
    #expect(try uploads(ledger) == [fixture.at(30)])
    #expect(try ledger.jobsWithWithheldUploads() == [fixture.mail])
  }

  @Test func `an entry whose outcome is dropped is granted again`() throws {
    let ledger = try fixture.ledger()
    settle(10, of: fixture.mail, isWithheld: true, in: ledger)
    settle(20, of: fixture.mail, isWithheld: true, in: ledger)
    #expect(try Set(ledger.withheldEntries(of: fixture.mail)) == [fixture.at(10), fixture.at(20)])
    #expect(try ledger.withheldEntries(of: fixture.backup).isEmpty)
    let keys = [10, 20].map { fixture.key($0, of: fixture.mail) }
    ledger.reopen(keys[0])
    #expect(try ledger.withheldEntries(of: fixture.mail) == [fixture.at(20)])
    #expect(try keys.map(ledger.hasOutcome) == [false, true])
    #expect(try ledger.claim(keys, at: fixture.at(30)).map(\.verdict) == [.granted, .denied])
  }
}
