import Testing
import TimelineCore
import TimelineEngine
import TimelineEngineTestSupport

/// A daemon starts at 1,000. Its job of every 10 s is already settled up to a later instant.
@Suite struct `Decisions of an earlier daemon that lie ahead of the clock` {
  func engine(decidedFor ahead: ElapsedTime, open: [OpenRun] = []) -> EngineState {
    EngineState(
      jobs: [job("a", every(10))], startedAt: t(1_000), watermarks: [name("a"): t(1_000) + ahead], open: open,
      claims: .grant)
  }

  @Test func `are waited for where daemons attended all of the time`() {
    var engine = EngineState(
      jobs: [job("a", every(10))], startedAt: t(1_000), watermarks: [name("a"): t(1_050)],
      attended: [t(900)...t(1_055)], claims: .grant)
    #expect(engine.handle(.wake, at: t(1_000)).arm == .some(t(1_060)))
    #expect(engine.status(of: name("a"), at: t(1_000))?.settledThrough == t(1_050))
    #expect(engine.waitingForClock(at: t(1_000)).map(\.nominal) == [t(1_060)])
    // The clock is set forward: only entries that were not settled before are missed.
    let forth = engine.handle(.clockStepped(by: .seconds(85)), at: t(1_085))
    #expect(forth.settled.map(\.firstNominal) == [t(1_060)] && forth.settled.map(\.entryCount) == [2])
    #expect(forth.starts.map(\.entry.nominal) == [t(1_080)])
    #expect(engine.waitingForClock(at: t(1_085)).isEmpty)
  }

  @Test func `by days do not silence the job, and no entry that was decided as it fell due comes again`() {
    var engine = EngineState(
      jobs: [job("a", every(10))], startedAt: t(1_000), watermarks: [name("a"): t(184_600)],
      attended: [t(1_020)...t(1_045), t(184_595)...t(184_605)], claims: .grant)
    var started: [WallInstant] = []
    func wake(at seconds: Int64) {
      for start in engine.handle(.wake, at: t(seconds)).starts {
        started.append(start.entry.nominal)
        _ = engine.handle(.attemptEnded(start.run, success), at: t(seconds))
      }
    }
    for seconds in stride(from: Int64(1_000), through: 1_060, by: 10) { wake(at: seconds) }
    #expect(started == [t(1_000), t(1_010), t(1_050), t(1_060)])
    started = []
    for seconds in stride(from: Int64(184_580), through: 184_620, by: 10) { wake(at: seconds) }
    #expect(started == [t(184_580), t(184_590), t(184_610), t(184_620)])
  }

  @Test func `leave out each entry that has a row in the ledger`() {
    var repeated = RepeatedTime()
    repeated.decided = [name("a"): [t(1_010), t(1_040)]]
    var engine = EngineState(
      jobs: [job("a", every(10))], startedAt: t(1_000), watermarks: [name("a"): t(1_060)],
      repeated: repeated, claims: .grant)
    var started: [WallInstant] = []
    for seconds in stride(from: Int64(1_000), through: 1_080, by: 10) {
      for start in engine.handle(.wake, at: t(seconds)).starts {
        started.append(start.entry.nominal)
        _ = engine.handle(.attemptEnded(start.run, success), at: t(seconds))
      }
    }
    #expect(started == [1_000, 1_020, 1_030, 1_050, 1_070, 1_080].map { t($0) })
  }

  @Test func `that a lost ledger may have had are waited for, until the job is released`() {
    var repeated = RepeatedTime()
    repeated.unknownThrough = t(1_100)
    var engine = EngineState(
      jobs: [job("a", every(10))], startedAt: t(1_000), watermarks: [name("a"): t(1_100)], repeated: repeated)
    let key = { EntryKey(job: name("a"), nominal: t($0), jobSlot: JobSlot(number: 0)) }
    #expect(engine.handle(.wake, at: t(1_000)).contains(.claim([key(1_110)])))
    #expect(engine.waitingForClock(at: t(1_000)).map(\.nominal) == [t(1_110)])
    // A clock that is set back further changes nothing.
    #expect(engine.handle(.clockStepped(by: .seconds(-500)), at: t(500)).starts.isEmpty)
    #expect(engine.waitingForClock(at: t(500)).map(\.nominal) == [t(1_110)])
    _ = engine.handle(.release(name("a")), at: t(500))
    #expect(engine.waitingForClock(at: t(500)).isEmpty)
    // A later correction of the clock does not hold the entries back again.
    _ = engine.handle(.clockStepped(by: .milliseconds(-1)), at: t(501))
    #expect(engine.waitingForClock(at: t(501)).isEmpty)
  }

  @Test func `that a lost ledger may have had are not waited for by a job that was released`() {
    var repeated = RepeatedTime()
    (repeated.unknownThrough, repeated.released) = (t(1_100), [name("a")])
    var engine = EngineState(
      jobs: [job("a", every(10)), job("b", every(10))], startedAt: t(500),
      watermarks: [name("a"): t(499), name("b"): t(499)], repeated: repeated)
    _ = engine.handle(.wake, at: t(500))
    #expect(engine.waitingForClock(at: t(500)).map(\.job) == [name("b")])
  }

  @Test func `that a lost ledger may have had are waited for by a job that a reload adds`() {
    var repeated = RepeatedTime()
    repeated.unknownThrough = t(1_100)
    var engine = EngineState(jobs: [job("a", every(10))], startedAt: t(500), repeated: repeated)
    _ = engine.handle(.wake, at: t(500))
    _ = engine.handle(.reload([job("a", every(10)), job("b", every(10))]), at: t(501))
    #expect(engine.waitingForClock(at: t(501)).map(\.job) == [name("a"), name("b")])
  }

  @Test func `that a lost ledger may have had are not waited for by a released job that returns`() {
    var repeated = RepeatedTime()
    repeated.unknownThrough = t(1_100)
    var engine = EngineState(jobs: [job("a", every(10))], startedAt: t(500), repeated: repeated)
    _ = engine.handle(.wake, at: t(500))
    _ = engine.handle(.release(name("a")), at: t(501))
    _ = engine.handle(.reload([]), at: t(502))
    _ = engine.handle(.reload([job("a", every(10))]), at: t(503))
    _ = engine.handle(.clockStepped(by: .milliseconds(-1)), at: t(504))
    #expect(engine.waitingForClock(at: t(504)).isEmpty)
  }

  @Test func `that a late wake reaches are left out of the missed entries`() {
    var engine = EngineState(
      jobs: [job("a", every(10))], startedAt: t(1_000), watermarks: [name("a"): t(184_600)],
      attended: [t(1_020)...t(1_045)], claims: .grant)
    let late = engine.handle(.wake, at: t(1_075))
    #expect(late.settled.map(\.firstNominal) == [t(1_000), t(1_050)])
    #expect(late.settled.map(\.entryCount) == [1, 3])
    #expect(late.starts.map(\.entry.nominal) == [t(1_010)])
  }

  @Test func `by years do not silence the job, and apply once the clock reaches them`() {
    let years = ElapsedTime.days(3_650)
    var engine = engine(decidedFor: years)
    #expect(engine.handle(.wake, at: t(1_000)).starts.map(\.entry.nominal) == [t(1_000)])
    #expect(engine.handle(.attemptEnded(.number(1), success), at: t(1_001)).arm == nil)
    #expect(engine.status(of: name("a"), at: t(1_001))?.settledThrough == nil)
    // As on a machine without a clock battery that gets the time from the network.
    let forth = engine.handle(.clockStepped(by: years), at: t(1_035) + years)
    #expect(forth.settled.map(\.firstNominal) == [t(1_010) + years])
    #expect(forth.settled.map(\.entryCount) == [2])
    #expect(forth.starts.map(\.entry.nominal) == [t(1_030) + years])
  }

  @Test func `do not apply to a step that does not reach them`() {
    var engine = engine(decidedFor: .days(10))
    #expect(engine.handle(.wake, at: t(995)).starts.isEmpty)
    let forth = engine.handle(.clockStepped(by: .seconds(40)), at: t(1_035))
    #expect(forth.settled.map(\.firstNominal) == [t(1_000)] && forth.settled.map(\.entryCount) == [3])
  }
}

/// A job of every 10 s, and a clock that is far ahead from 1,000 on and is set right at 1,060.
@Suite struct `Decisions of a clock that was far ahead for a moment` {
  func engine(ahead: ElapsedTime) -> EngineState {
    var engine = EngineState(jobs: [job("a", every(10))], startedAt: t(991), claims: .grant)
    _ = engine.handle(.wake, at: t(991))
    let forth = engine.handle(.clockStepped(by: ahead), at: t(1_000) + ahead)
    for attempt in forth.starts {
      _ = engine.handle(.attemptEnded(attempt.run, success), at: t(1_001) + ahead)
    }
    return engine
  }

  @Test(arguments: [ElapsedTime.minutes(10), .hours(20), .days(100)])
  func `do not silence the job, for short and long steps`(ahead: ElapsedTime) {
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

  @Test(arguments: [ElapsedTime.minutes(20), .hours(20), .days(2)])
  func `do not come again where the clock had been`(ahead: ElapsedTime) {
    var engine = engine(ahead: ahead)
    #expect(engine.handle(.clockStepped(by: .zero - ahead), at: t(1_060)).arm == .some(t(1_070)))
    #expect(engine.waitingForClock(at: t(1_060)).isEmpty)
    let start = engine.handle(.wake, at: t(1_070)).starts[0]
    _ = engine.handle(.attemptEnded(start.run, success), at: t(1_071))
    let forth = engine.handle(.clockStepped(by: ahead), at: t(995) + ahead)
    #expect(forth.starts.map(\.entry.nominal) == [t(990) + ahead])
    _ = engine.handle(.attemptEnded(forth.starts[0].run, success), at: t(996) + ahead)
    #expect(engine.handle(.wake, at: t(1_000) + ahead).starts.isEmpty)
    #expect(engine.handle(.wake, at: t(1_010) + ahead).starts.map(\.entry.nominal) == [t(1_010) + ahead])
  }

  @Test(arguments: [DeliveryPolicy.atMostOnce, .atLeastOnce])
  func `let a job of fixed times wait for its next entry, and run none again that catch-up had run`(
    delivery: DeliveryPolicy
  ) {
    // Daily at 10 h; at 9 h the clock is set 20 h ahead for a minute.
    var daily = job("daily", every(86_400, from: 36_000))
    daily.policies.delivery = delivery
    let minutely = job("minutely", every(60))
    var engine = EngineState(jobs: [daily, minutely], startedAt: t(32_370), claims: .grant)
    _ = engine.handle(.wake, at: t(32_370))
    let forth = engine.handle(.clockStepped(by: .hours(20)), at: t(32_400) + .hours(20))
    #expect(forth.starts.map(\.entry.nominal) == [t(32_400) + .hours(20), t(36_000)])
    for start in forth.starts {
      _ = engine.handle(.attemptEnded(start.run, success), at: t(32_401) + .hours(20))
    }
    let decided: DecidedEntries = [name("daily"): [t(36_000)]]
    let back = engine.handle(.clockStepped(by: .hours(-20), decided: decided), at: t(32_460))
    #expect(back.starts.isEmpty && back.arm == .some(t(32_520)), "the one of every minute goes on at once")
    #expect(engine.waitingForClock(at: t(32_460)).map(\.nominal) == [t(36_000 + 86_400)])
    #expect(engine.handle(.wake, at: t(32_520)).starts.map(\.entry.nominal) == [t(32_520)])
    _ = engine.handle(.attemptEnded(.number(3), success), at: t(32_521))
    #expect(!engine.handle(.wake, at: t(36_000)).starts.contains { $0.entry.job == name("daily") })
    #expect(engine.waitingForClock(at: t(36_000)).isEmpty, "it waits for nothing but its schedule")
  }

  @Test func `keep a job waiting that had run all the time, until it is released`() {
    // The daemon ran at every instant that the clock shows again.
    var engine = EngineState(jobs: [job("a", every(600))], startedAt: t(0), claims: .grant)
    for seconds in stride(from: Int64(0), through: 7_200, by: 600) {
      for start in engine.handle(.wake, at: t(seconds)).starts {
        _ = engine.handle(.attemptEnded(start.run, success), at: t(seconds))
      }
    }
    _ = engine.handle(.clockStepped(by: .hours(-1)), at: t(3_605))
    #expect(engine.waitingForClock(at: t(3_605)).map(\.nominal) == [t(7_800)])
    #expect(engine.status(of: name("a"), at: t(3_605))?.settledThrough == t(7_200))
    #expect(engine.handle(.release(name("a")), at: t(3_606)).arm == .some(t(4_200)))
    #expect(engine.waitingForClock(at: t(3_606)).isEmpty)
    #expect(engine.handle(.wake, at: t(4_200)).starts.map(\.entry.nominal) == [t(4_200)])
  }

  @Test func `come again when they are released, except for a run under way`() {
    let often = job("a", every(.milliseconds(500)))
    var engine = EngineState(jobs: [often], startedAt: t(1_000), claims: .grant)
    for seconds in [1_000, 1_001] as [Int64] {
      for start in engine.handle(.wake, at: t(seconds)).starts where seconds < 1_001 {
        _ = engine.handle(.attemptEnded(start.run, success), at: t(seconds))
      }
    }
    #expect(engine.runCount == 1)
    _ = engine.handle(.clockStepped(by: .seconds(-10)), at: t(991))
    _ = engine.handle(.release(name("a")), at: t(991))
    _ = engine.handle(.attemptEnded(.number(2), success), at: t(991))
    var started: [WallInstant] = []
    for half in 1_983...2_004 as ClosedRange<Int64> {
      let now = t(0) + .milliseconds(500) * half
      for start in engine.handle(.wake, at: now).starts {
        started.append(start.entry.nominal)
        _ = engine.handle(.attemptEnded(start.run, success), at: now)
      }
    }
    #expect(started.contains(t(1_000)) && !started.contains(t(1_001)) && started.count == 21)
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
