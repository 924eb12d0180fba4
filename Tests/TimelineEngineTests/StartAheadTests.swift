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

/// A job of every 10 s, and a clock that is far ahead from 1,000 on and is set right at 1,060.
@Suite struct `Decisions of a clock that was far ahead for a moment` {
  func engine(ahead: ElapsedTime) -> EngineState {
    var engine = EngineState(jobs: [job("a", every(10))], startedAt: t(991), claims: .takeAsWon)
    _ = engine.handle(.wake, at: t(991))
    let forth = engine.handle(.clockStepped(by: ahead), at: t(1_000) + ahead)
    for attempt in forth.starts {
      _ = engine.handle(.attemptEnded(attempt.run, success), at: t(1_001) + ahead)
    }
    return engine
  }

  @Test func `by more than a day do not silence the job`() {
    let ahead = ElapsedTime.days(100)
    var engine = engine(ahead: ahead)
    let back = engine.handle(.clockStepped(by: .zero - ahead), at: t(1_060))
    #expect(back.starts.isEmpty && back.settled.isEmpty, "what lies behind the clock stays decided")
    #expect(back.arm == .some(t(1_070)))
    #expect(engine.status(of: name("a"), at: t(1_060))?.settledThrough == nil)
    #expect(engine.handle(.wake, at: t(1_070)).starts.map(\.entry.nominal) == [t(1_070)])
    _ = engine.handle(.attemptEnded(.number(2), success), at: t(1_071))
    // Where the clock had been nothing is decided twice.
    let forth = engine.handle(.clockStepped(by: ahead), at: t(1_035) + ahead)
    #expect(forth.settled.map(\.firstNominal) == [t(1_010) + ahead])
    #expect(forth.starts.map(\.entry.nominal) == [t(1_030) + ahead])
  }

  @Test func `by up to a day silence it until the clock has passed them`() {
    let ahead = ElapsedTime.hours(20)
    var engine = engine(ahead: ahead)
    #expect(engine.handle(.clockStepped(by: .zero - ahead), at: t(1_060)).arm == .some(t(1_010) + ahead))
    #expect(engine.status(of: name("a"), at: t(1_060))?.settledThrough == t(1_000) + ahead)
  }

  @Test func `do not silence a job that was paused or taken out meanwhile`() {
    let ahead = ElapsedTime.days(100)
    var paused = engine(ahead: ahead)
    _ = paused.handle(.pause(name("a")), at: t(1_002) + ahead)
    _ = paused.handle(.clockStepped(by: .zero - ahead), at: t(1_060))
    #expect(paused.handle(.resume(name("a"), catchUp: .skip), at: t(1_061)).arm == .some(t(1_070)))
    var gone = engine(ahead: ahead)
    _ = gone.handle(.reload([], groups: [:]), at: t(1_002) + ahead)
    _ = gone.handle(.clockStepped(by: .zero - ahead), at: t(1_060))
    let back = gone.handle(.reload([job("a", every(10))], groups: [:]), at: t(1_061))
    #expect(back.arm == .some(t(1_070)))
  }
}
