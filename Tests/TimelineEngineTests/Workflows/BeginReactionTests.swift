import Testing
import TimelineCore
import TimelineEngineTestSupport

@testable import TimelineEngine

@Suite struct `A reaction to the start of a run` {
  private let a = name("a")
  private let told = name("told")

  private func engine(
    _ schedule: ScheduleRule = at(0), listening: Bool = true, open: [OpenRun] = [], at start: Int64 = 0,
    _ adjust: (inout JobPolicies) -> Void = { _ in }
  ) -> EngineState {
    EngineState(
      jobs: [watched(schedule, listening: listening, adjust), job("told", at())], startedAt: t(start),
      open: open, lastRun: .number(9), claims: .grant)
  }

  private func watched(
    _ schedule: ScheduleRule, listening: Bool = true, _ adjust: (inout JobPolicies) -> Void = { _ in }
  ) -> JobDefinition {
    job("a", schedule) {
      $0.reactions = Reactions(onStart: listening ? told : nil)
      adjust(&$0)
    }
  }

  /// The attempts of reactions among some effects.
  private func reactions(_ effects: [EngineEffect]) -> [Attempt] {
    effects.starts.filter { $0.cause == .reaction }
  }

  private func run(_ effects: [EngineEffect]) throws -> RunID {
    try #require(effects.starts.first { $0.entry.job == a }).run
  }

  @Test func `comes when the plugin is called, with the run as the upstream`() throws {
    var engine = engine()
    let begun = engine.handle(.wake, at: t(0))
    #expect(begun.starts.map(\.reportsCall) == [true] && reactions(begun).isEmpty)
    let run = try run(begun)
    let reaction = try #require(
      reactions(engine.handle(.attemptBegan(run, late: .seconds(2)), at: t(3))).first)
    #expect(reaction.entry == EntryKey(job: told, nominal: t(3)) && !reaction.reportsCall)
    let upstream = try #require(reaction.upstream)
    #expect(upstream.entry == EntryKey(job: a, nominal: t(0)) && upstream.run == run)
    #expect(upstream.stateText == "running" && upstream.startedAt == t(2) && upstream.attempts == 1)
    #expect(
      reactions(engine.handle(.attemptBegan(run, late: .seconds(2)), at: t(4))).isEmpty, "it is told once")
  }

  @Test func `waits with a run that waits for a plugin host`() throws {
    var engine = engine()
    let run = try run(engine.handle(.wake, at: t(0)))
    #expect(reactions(engine.handle(.attemptWaits(run), at: t(0))).isEmpty)
    #expect(reactions(engine.handle(.wake, at: t(50))).isEmpty)
    let told = reactions(engine.handle(.attemptBegan(run, late: .zero), at: t(60)))
    #expect(told.map(\.upstream?.startedAt) == [t(60)])
  }

  @Test func `comes with the first attempt alone`() throws {
    var engine = engine {
      $0.retry = RetryPolicy(attempts: 2, backoffFrom: .seconds(4), backoffTo: .seconds(4), jitterPercent: 0)
    }
    let run = try run(engine.handle(.wake, at: t(0)))
    #expect(reactions(engine.handle(.attemptBegan(run, late: .zero), at: t(0))).count == 1)
    _ = engine.handle(.attemptEnded(run, passingFailure), at: t(1))
    let second = engine.handle(.wake, at: t(5)).starts
    #expect(second.map(\.number) == [2] && second.map(\.reportsCall) == [false])
    #expect(reactions(engine.handle(.attemptBegan(run, late: .seconds(1)), at: t(6))).isEmpty)
  }

  @Test(arguments: [true, false])
  func `does not come for a run that an earlier daemon started`(isAlive: Bool) {
    let open = OpenRun(
      run: .number(1), entry: EntryKey(job: a, nominal: t(0)), cause: .schedule, attempts: 1, startedAt: t(0),
      isAlive: isAlive)
    var engine = engine(at(), open: [open], at: 10) {
      ($0.delivery, $0.retry) = (.atLeastOnce, RetryPolicy(attempts: 3, backoffFrom: .zero, backoffTo: .zero))
    }
    var effects = engine.handle(.wake, at: t(10))
    #expect(effects.starts.isEmpty == isAlive && effects.starts.allSatisfy { !$0.reportsCall })
    effects += engine.handle(.attemptBegan(.number(1), late: .seconds(1)), at: t(11))
    #expect(reactions(effects).isEmpty)
  }

  @Test func `comes for an entry that only waited under an earlier daemon`() throws {
    var open = OpenRun(
      run: .number(0), entry: EntryKey(job: a, nominal: t(0)), cause: .trigger, attempts: 0, startedAt: t(0))
    open.hasWaited = true
    var engine = engine(at(), open: [open], at: 10)
    let run = try run(engine.handle(.wake, at: t(10)))
    #expect(reactions(engine.handle(.attemptBegan(run, late: .zero), at: t(10))).count == 1)
  }

  @Test func `follows a reload that adds or removes it`() throws {
    for listening in [true, false] {
      var engine = engine(every(10), listening: !listening)
      let first = try run(engine.handle(.wake, at: t(0)))
      _ = engine.handle(.attemptEnded(first, success), at: t(1))
      let jobs = [watched(every(10), listening: listening), job("told", at())]
      _ = engine.handle(.reload(jobs), at: t(5))
      let run = try run(engine.handle(.wake, at: t(10)))
      #expect(
        reactions(engine.handle(.attemptBegan(run, late: .zero), at: t(10))).count == (listening ? 1 : 0))
    }
  }

  @Test func `does not come for a reaction, so that there are no loops`() throws {
    let ring = job("told", at()) { $0.reactions = Reactions(onStart: a) }
    var engine = EngineState(jobs: [watched(at(0)), ring], startedAt: t(0), claims: .grant)
    let run = try run(engine.handle(.wake, at: t(0)))
    let reaction = try #require(reactions(engine.handle(.attemptBegan(run, late: .zero), at: t(0))).first)
    #expect(!reaction.reportsCall)
    #expect(engine.handle(.attemptBegan(reaction.run, late: .seconds(1)), at: t(1)).starts.isEmpty)
  }
}
