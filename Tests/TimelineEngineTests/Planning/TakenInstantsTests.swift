import Testing
import TimelineCore
import TimelineEngineTestSupport

@testable import TimelineEngine

/// A job whose entries in the ledger lie ahead of the clock, because the clock was set back.
@Suite struct `Instants of entries ahead of the clock` {
  private let a = name("a")

  private func trigger(_ engine: inout EngineState, at now: WallInstant) -> WallInstant? {
    let effects = engine.handle(.trigger(a), at: now)
    let entries = effects.starts.filter { $0.cause == .trigger }.map(\.entry) + effects.claims
    return (entries + effects.settled.filter { $0.cause == .trigger }.map(\.entry)).first?.nominal
  }

  /// Counted entries have no claims that would detect an entry at the same instant.
  @Test(arguments: [at(), every(.milliseconds(500)), loop(.seconds(600))])
  func `are not given to a trigger, over a restart too`(_ schedule: ScheduleRule) {
    var repeated = RepeatedTime()
    let taken = [0, 1, 3].map { t(1_005) + .nanoseconds(250_000_000 + $0) }
    repeated.decided = [a: taken]
    var restarted = EngineState(jobs: [job("a", schedule)], startedAt: t(1_000), repeated: repeated)
    _ = restarted.handle(.wake, at: t(1_000))
    #expect(trigger(&restarted, at: taken[0]) == taken[0] + .nanoseconds(2))
    var stepped = EngineState(jobs: [job("a", schedule)], startedAt: t(2_000))
    _ = stepped.handle(.wake, at: t(2_000))
    _ = stepped.handle(.clockStepped(by: .seconds(-1_000), decided: [a: taken]), at: t(1_000))
    // A step forwards brings no list.
    _ = stepped.handle(.clockStepped(by: .seconds(1)), at: t(1_001))
    #expect(trigger(&stepped, at: taken[2]) == taken[2] + .nanoseconds(1))
  }

  @Test func `are not given to a frame of a closed loop`() {
    var repeated = RepeatedTime()
    repeated.decided = [a: [t(1_000)]]
    var engine = EngineState(jobs: [job("a", loop(.seconds(5)))], startedAt: t(1_000), repeated: repeated)
    #expect(engine.handle(.wake, at: t(1_000)).claims.map(\.nominal) == [t(1_000) + .nanoseconds(1)])
  }

  @Test(arguments: [false, true])
  func `do not come again by a schedule that has an entry at the instant of a trigger`(isReloadFirst: Bool) {
    var engine = EngineState(jobs: [job("a", at())], startedAt: t(1_000))
    _ = engine.handle(.wake, at: t(1_000))
    // It waits for the answer to its claim. The ledger has no row of it yet.
    #expect(trigger(&engine, at: t(1_010)) == t(1_010))
    let reload = EngineEvent.reload([job("a", every(10))])
    var effects: [EngineEffect] = []
    if isReloadFirst { _ = engine.handle(reload, at: t(1_011)) }
    effects += engine.handle(.clockStepped(by: .seconds(-60)), at: t(952))
    if !isReloadFirst { effects += engine.handle(reload, at: t(953)) }
    for second in 954...1_030 as ClosedRange<Int64> { effects += engine.handle(.wake, at: t(second)) }
    let seconds = Set([960, 970, 980, 990, 1_000, 1_020, 1_030, 1_040] as [Int64])
    #expect(Set(effects.claims.map(\.nominal)) == Set(seconds.map { t($0) }))
  }

  @Test func `do not come again by the schedule of a job that a reload adds`() {
    var repeated = RepeatedTime()
    repeated.decided = [a: [t(1_010)]]
    var engine = EngineState(jobs: [], startedAt: t(1_000), repeated: repeated)
    _ = engine.handle(.wake, at: t(1_000))
    #expect(engine.handle(.reload([job("a", every(10))]), at: t(1_001)).claims.map(\.nominal) == [t(1_020)])
  }

  @Test func `do not come again when an earlier daemon left a trigger at the instant`() {
    var open = OpenRun(
      run: RunID(number: 1), entry: EntryKey(job: a, nominal: t(1_010)), cause: .trigger, attempts: 1,
      startedAt: t(1_010))
    open.isAlive = true
    var engine = EngineState(jobs: [job("a", every(10))], startedAt: t(1_001), open: [open])
    #expect(engine.handle(.wake, at: t(1_001)).claims.map(\.nominal) == [t(1_020)])
  }

  @Test func `come again when they are of the schedule and the job is released`() {
    var repeated = RepeatedTime()
    repeated.decided = [a: [t(1_005), t(1_010)]]
    var engine = EngineState(jobs: [job("a", every(10))], startedAt: t(1_001), repeated: repeated)
    #expect(engine.handle(.wake, at: t(1_001)).claims.map(\.nominal) == [t(1_020)])
    #expect(engine.handle(.release(a), at: t(1_002)).claims.map(\.nominal) == [t(1_010)])
    #expect(trigger(&engine, at: t(1_005)) == t(1_005) + .nanoseconds(1), "the ledger keeps the trigger")
  }

  /// The trigger would part the missed entries, and two of them would run.
  @Test func `of triggers do not part the entries that a step forwards jumps over`() {
    var engine = EngineState(jobs: [job("a", every(10))], startedAt: t(2_001))
    _ = engine.handle(.wake, at: t(2_001))
    _ = engine.handle(.clockStepped(by: .seconds(-1_000), decided: [a: [t(1_025)]]), at: t(1_001))
    let effects = engine.handle(.clockStepped(by: .seconds(50)), at: t(1_051))
    #expect(effects.settled.map(\.entryCount) == [4])
    #expect(effects.claims.map(\.nominal) == [t(1_050), t(1_060)])
  }

  @Test func `are forgotten when the clock has passed all of them`() {
    var taken = TakenInstants([a: [t(10), t(20)]])
    taken.insert([t(30), t(15)], of: a)
    #expect(taken.of(a) == [t(10), t(15), t(20), t(30)])
    #expect(taken.of(name("b")).isEmpty)
    taken.remove(of: a) { $0 == t(15) }
    // An entry outside the schedule can have an instant less than 1 µs before now.
    taken.forget(at: t(30) + .microseconds(1))
    #expect(taken.of(a) == [t(10), t(20), t(30)])
    taken.forget(at: t(30) + .nanoseconds(1_001))
    #expect(taken.isEmpty && taken.of(a).isEmpty)
    taken.insert([], of: a)
    #expect(taken.isEmpty)
  }
}
