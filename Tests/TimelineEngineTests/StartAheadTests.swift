import Testing
import TimelineCore
import TimelineEngine

/// A daemon that starts at 1,000 finds that its job of every 10 s is settled up to an instant that the clock has yet to come to.
@Suite struct `Decisions of an earlier daemon that lie ahead of the clock` {
  func engine(decidedFor ahead: ElapsedTime, open: [OpenRun] = []) -> EngineState {
    EngineState(
      jobs: [job("a", every(10))], startedAt: t(1_000), remembered: [name("a"): t(1_000) + ahead], open: open,
      claims: .takeAsWon)
  }

  @Test func `by hours are kept to, in silence until the clock has passed them`() {
    var engine = engine(decidedFor: .hours(1))
    #expect(engine.handle(.wake, at: t(1_000)).arm == .some(t(4_610)))
    #expect(engine.status(of: name("a"), at: t(1_000))?.settledThrough == t(4_600))
    // The clock goes forth: only what had not been settled before is missed.
    let forth = engine.handle(.clockStepped(by: .seconds(3_635)), at: t(4_635))
    #expect(forth.settled.map(\.firstNominal) == [t(4_610)] && forth.settled.map(\.entryCount) == [2])
    #expect(forth.starts.map(\.entry.nominal) == [t(4_630)])
  }

  @Test func `by more than a day do not silence the job, and are kept to once the clock comes there`() {
    let years = ElapsedTime.days(3_650)
    var engine = engine(decidedFor: years)
    #expect(engine.handle(.wake, at: t(1_000)).starts.map(\.entry.nominal) == [t(1_000)])
    #expect(engine.handle(.attemptEnded(.number(1), success), at: t(1_001)).arm == nil)
    #expect(engine.status(of: name("a"), at: t(1_001))?.settledThrough == nil)
    // As on a machine without a battery that learns the time from the network.
    let forth = engine.handle(.clockStepped(by: years), at: t(1_035) + years)
    #expect(forth.settled.map(\.firstNominal) == [t(1_010) + years])
    #expect(forth.settled.map(\.entryCount) == [2])
    #expect(forth.starts.map(\.entry.nominal) == [t(1_030) + years])
  }

  @Test func `are not kept to by a step that does not come there`() {
    var engine = engine(decidedFor: .days(10))
    #expect(engine.handle(.wake, at: t(995)).starts.isEmpty)
    let forth = engine.handle(.clockStepped(by: .seconds(40)), at: t(1_035))
    #expect(forth.settled.map(\.firstNominal) == [t(1_000)] && forth.settled.map(\.entryCount) == [3])
  }
}
