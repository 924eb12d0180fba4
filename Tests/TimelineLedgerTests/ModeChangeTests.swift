import Testing
import TimelineCore
import TimelineEngine

@testable import TimelineLedger

@Suite struct `Changes of the mode` {
  let fixture: Fixture
  let alice = Operator(user: 1_000, name: "alice", process: 4_711, program: "timelinectl")

  init() throws { fixture = try Fixture() }

  private func change(_ second: Int64, _ mode: ScheduleMode, _ choice: ModeChoice, _ cause: ModeCause)
    -> ModeChange
  {
    ModeChange(
      at: fixture.at(second), mode: mode, cadence: mode == .normal ? .live : .minutes, choice: choice,
      cause: cause, reason: "because of \(cause.rawValue)", by: choice == .auto ? nil : alice)
  }

  @Test func `are kept with the operator's choice over a restart, and found by their time`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/ledger.sqlite"
      let changes = [
        change(5, .lowFrequency, .auto, .battery), change(9, .normal, .auto, .none),
        change(20, .lowFrequency, .lowFrequency, .operatorChoice),
      ]
      do {
        let ledger = try fixture.ledger(path)
        #expect(try ledger.recall(at: fixture.at(1)).mode == nil)
        for change in changes { ledger.note(change) }
        #expect(try ledger.modeChange(atOrBefore: fixture.at(4)) == nil)
        #expect(try ledger.modeChange(atOrBefore: fixture.at(5)) == changes[0])
        #expect(try ledger.modeChange(atOrBefore: fixture.at(19)) == changes[1])
        try ledger.commit()
      }
      // The last one is in force, even if the clock was set back.
      do {
        let ledger = try fixture.ledger(path)
        #expect(try ledger.recall(at: fixture.at(30)).mode == changes[2])
        ledger.note(change(3, .normal, .auto, .none))
        try ledger.commit()
      }
      #expect(try fixture.ledger(path).recall(at: fixture.at(31)).mode?.mode == .normal)
    }
  }

  @Test func `changes of a newer program are skipped`() throws {
    let ledger = try fixture.ledger()
    ledger.note(change(5, .lowFrequency, .auto, .battery))
    try ledger.commit()
    try ledger.database.execute("UPDATE mode SET cause = 'moonlight'")
    #expect(try ledger.modeChange(atOrBefore: fixture.at(6)) == nil)
    #expect(try ledger.recall(at: fixture.at(6)).mode == nil)
  }

  @Test func `are bounded in number`() throws {
    let ledger = try fixture.ledger()
    for number in 1...10_250 { ledger.note(change(Int64(number), .normal, .auto, .none)) }
    try ledger.commit()
    var count: Int64 = 0
    try ledger.database.run("SELECT count(*) FROM mode") { count = $0.integer(0) }
    #expect((10_000...10_100).contains(count))
    #expect(try ledger.modeChange(atOrBefore: fixture.at(20_000))?.at == fixture.at(10_250))
  }

  @Test func `an animation that stood still is one row for all its entries`() throws {
    let ledger = try fixture.ledger()
    ledger.settle(
      EntryRecord(
        entry: fixture.key(600), outcome: .lowFrequency, reason: "timelined was in low-frequency mode",
        endedAt: fixture.at(605), entryCount: 120, firstNominal: fixture.at(5)))
    try ledger.commit()
    let entries = try ledger.history(HistoryQuery())
    #expect(entries.map(\.record.outcome) == [.lowFrequency] && entries.map(\.record.entryCount) == [120])
    #expect(try ledger.entry(of: fixture.key(600).job, at: fixture.at(300))?.record.entryCount == 120)
    #expect(try ledger.history(HistoryQuery(onlyFailures: true)).isEmpty)
  }
}
