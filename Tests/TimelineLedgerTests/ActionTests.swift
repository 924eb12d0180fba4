import Testing
import TimelineCore
import TimelineEngine

@testable import TimelineLedger

@Suite struct `The actions of operators` {
  let fixture: Fixture
  let alice = Operator(user: 1_000, name: "alice", process: 4_711, program: "timelinectl")

  init() throws { fixture = try Fixture() }

  @Test func `an entry has the actions that triggered and cancelled it`() throws {
    let ledger = try fixture.ledger()
    let key = fixture.key(10)
    let actions = [
      OperatorAction(.trigger, at: fixture.at(10), job: key.job, entry: key.nominal, by: alice),
      OperatorAction(
        .cancel, at: fixture.at(12), job: key.job, entry: key.nominal,
        by: Operator(user: 7, process: 0)),
    ]
    ledger.start(fixture.attempt(key, run: 1, cause: .trigger))
    for action in actions { ledger.note(action) }
    var end = fixture.end(key, run: 1, .cancelled)
    end.cause = .trigger
    ledger.settle(end)
    let entry = try #require(try ledger.history(HistoryQuery(hasDetails: false)).first)
    #expect(entry.actions == actions)
    #expect(entry.requestedBy == alice && entry.cancelledBy?.user == 7)
    #expect(try ledger.entry(of: key.job, at: key.nominal)?.actions == actions)
  }

  @Test func `a start returns the action that paused a job, until the job is resumed`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/ledger.sqlite"
      let pause = OperatorAction(
        .pause, at: fixture.at(5), job: fixture.backup, by: alice, reason: "disk swap")
      do {
        let ledger = try fixture.ledger(path)
        ledger.pause(fixture.backup, since: fixture.at(5))
        ledger.note(pause)
        try ledger.commit()
      }
      do {
        let ledger = try fixture.ledger(path)
        let memory = try ledger.recall(at: fixture.at(9))
        #expect(memory.pauseActions == [fixture.backup: pause])
        ledger.pause(fixture.backup, since: nil)
        ledger.note(OperatorAction(.resume, at: fixture.at(9), job: fixture.backup, by: alice))
        try ledger.commit()
      }
      let ledger = try fixture.ledger(path)
      #expect(try ledger.recall(at: fixture.at(10)).pauseActions.isEmpty)
      #expect(try ledger.lastAction(.pause, on: fixture.backup, atOrBefore: fixture.at(7)) == pause)
      #expect(try ledger.firstAction(.resume, on: fixture.backup, atOrAfter: fixture.at(7))?.by == alice)
      #expect(try ledger.lastAction(.pause, on: fixture.backup, atOrBefore: fixture.at(4)) == nil)
      #expect(try ledger.lastAction(.stop, on: nil, atOrBefore: fixture.at(20)) == nil)
    }
  }

  @Test func `the number of kept actions is bounded, but an action that still pauses a job is always kept`()
    throws
  {
    let ledger = try fixture.ledger()
    ledger.pause(fixture.mail, since: fixture.at(1))
    ledger.note(OperatorAction(.pause, at: fixture.at(1), job: fixture.mail, by: alice, reason: "kept"))
    for second in 2...10_300 {
      ledger.note(OperatorAction(.reload, at: fixture.at(Int64(second)), by: alice))
    }
    try ledger.commit()
    var count: Int64 = 0
    try ledger.database.run("SELECT count(*) FROM action") { count = $0.integer(0) }
    #expect(count == 10_001)
    #expect(try ledger.recall(at: fixture.at(20_000)).pauseActions[fixture.mail]?.reason == "kept")
  }
}
