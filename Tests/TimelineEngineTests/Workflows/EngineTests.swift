import Testing
import TimelineCore
import TimelineEngine
import TimelineEngineTestSupport

/// The engine, one event at a time.
@Suite struct `The engine` {
  @Test func `jobs due at one instant start by priority, then in the order of the configuration`() {
    let jobs = [
      job("a", every(10)), job("b", every(10)), job("c", every(10)) { $0.priority = 1 },
      job("late", every(10, from: 5)) { $0.priority = 2 },
    ]
    var engine = EngineState(jobs: jobs, startedAt: t(1), claims: .grant)
    #expect(engine.handle(.wake, at: t(1)) == [.arm(t(5))])
    // A late wake starts the entry first that was due first.
    #expect(engine.handle(.wake, at: t(12)).starts.map(\.entry.job.text) == ["late", "c", "a", "b"])
  }

  @Test func `a late wake loses no phase`() {
    var engine = EngineState(jobs: [job("a", every(10))], startedAt: t(0), claims: .grant)
    let first = engine.handle(.wake, at: t(0))
    #expect(first.starts.map(\.entry.nominal) == [t(0)])
    _ = engine.handle(.attemptEnded(RunID(number: 1), success), at: t(1))
    let late = engine.handle(.wake, at: t(14))
    #expect(late.starts.map(\.entry.nominal) == [t(10)])
    #expect(late.starts.map(\.startedAt) == [t(14)])
    #expect(late.starts.map(\.cause) == [.schedule])
    #expect(late.arm == t(20))
  }

  @Test func `of several entries that passed at once the latest is run for all`() {
    var engine = EngineState(jobs: [job("a", every(10))], startedAt: t(1), claims: .grant)
    _ = engine.handle(.wake, at: t(1))
    let effects = engine.handle(.wake, at: t(1_000_003))
    #expect(effects.starts.map(\.entry.nominal) == [t(1_000_000)])
    #expect(effects.starts.map(\.entryCount) == [100_000])
    #expect(effects.starts.map(\.cause) == [.missed])
    let missed = effects.settled
    #expect(missed.map(\.outcome) == [.missed])
    #expect(missed.map(\.entryCount) == [99_999])
    #expect(missed.map(\.firstNominal) == [t(10)])
    #expect(missed.map(\.entry.nominal) == [t(999_990)])
  }

  @Test(arguments: [
    (MissedPolicy(choice: .latest), [t(30)]),
    (MissedPolicy(choice: .latest, window: .seconds(5)), [t(30)]),
    (MissedPolicy(choice: .latest, window: .seconds(4)), []),
    (MissedPolicy(choice: .all), [t(10), t(20), t(30)]),
    (MissedPolicy(choice: .all, window: .seconds(16)), [t(20), t(30)]),
    (MissedPolicy(choice: .skip), []),
  ]) func `missed entries come under their policy`(_ policy: MissedPolicy, _ runs: [WallInstant]) {
    let jobs = [
      job("a", every(10)) {
        $0.missed = policy
        $0.overlap = .allowAll
      }
    ]
    var engine = EngineState(
      jobs: jobs, startedAt: t(35), watermarks: [name("a"): t(0)], claims: .grant)
    let effects = engine.handle(.wake, at: t(35))
    #expect(effects.starts.map(\.entry.nominal) == runs)
    #expect(effects.starts.allSatisfy { $0.cause == .missed })
    #expect(effects.settled.reduce(0) { $0 + $1.entryCount } == 3 - runs.count)
    #expect(effects.settled.allSatisfy { $0.outcome == .missed })
    #expect(engine.handle(.wake, at: t(40)).starts.map(\.entry.nominal) == [t(40)])
  }

  @Test func `a catch-up of all entries has a limit`() {
    let jobs = [
      job("a", every(1)) {
        $0.missed = MissedPolicy(choice: .all)
        $0.overlap = .bufferAll
      }
    ]
    var engine = EngineState(
      jobs: jobs, startedAt: t(1_000_000), watermarks: [name("a"): t(0)], claims: .grant)
    let effects = engine.handle(.wake, at: t(1_000_000))
    #expect(effects.count < 10)
    #expect(effects.settled.map(\.entryCount) == [1_000_000 - EngineLimits.missedRunsMax])
    #expect(effects.starts.map(\.entry.nominal) == [t(1_000_001 - Int64(EngineLimits.missedRunsMax))])
    #expect(engine.status(of: name("a"), at: t(1_000_000))?.waitingEntries == EngineLimits.missedRunsMax - 1)
  }

  @Test func `without a watermark nothing before the start is missed, and an entry due then is run`() {
    let jobs = [job("a", every(10)), job("b", every(10, from: 3))]
    var engine = EngineState(jobs: jobs, startedAt: t(100), claims: .grant)
    let effects = engine.handle(.wake, at: t(100))
    #expect(effects.starts.map(\.entry) == [EntryKey(job: name("a"), nominal: t(100))])
    #expect(effects.starts.map(\.cause) == [.schedule])
    #expect(effects.settled.isEmpty)
  }

  @Test func `the wake-up is armed only when it changes`() {
    let jobs = [job("a", every(10)), job("b", every(60))]
    var engine = EngineState(jobs: jobs, startedAt: t(1), claims: .grant)
    #expect(engine.handle(.wake, at: t(1)) == [.arm(t(10))])
    #expect(engine.handle(.wake, at: t(2)) == [])
    #expect(engine.handle(.cadence(.seconds), at: t(3)) == [])
    #expect(engine.handle(.wake, at: t(10)).arm == t(20))
    // The kernel may have cancelled the timer, so a clock step arms it again even if it has not changed.
    #expect(engine.handle(.clockStepped(by: .zero), at: t(11)) == [.arm(t(20))])
  }

  @Test func `an attempt has the deadline, mode, cadence and previous result`() throws {
    let jobs = [job("a", every(10)) { $0.timeout = .seconds(3) }]
    var engine = EngineState(jobs: jobs, startedAt: t(0), claims: .grant, cadence: .minutes)
    _ = engine.handle(.wake, at: t(0))
    let failed = AttemptResult(status: .failed, message: "no route to host")
    _ = engine.handle(.attemptEnded(RunID(number: 1), failed), at: t(1))
    let attempt = try #require(engine.handle(.wake, at: t(11)).starts.first)
    #expect(
      attempt
        == Attempt(
          run: RunID(number: 2), entry: EntryKey(job: name("a"), nominal: t(10)), cause: .schedule, number: 1,
          startedAt: t(11), deadline: t(14), cadence: .minutes, mode: .normal, entryCount: 1, previous: failed
        ))
    #expect(engine.status(of: name("a"), at: t(11))?.runs == [RunID(number: 2)])
    #expect(engine.nextEntry == EntryKey(job: name("a"), nominal: t(20)))
  }

  @Test func `a timeout starts when the plugin is called`() {
    let jobs = [job("a", every(100)) { $0.timeout = .seconds(3) }, job("b", every(100))]
    var engine = EngineState(jobs: jobs, startedAt: t(0), claims: .grant)
    #expect(engine.handle(.wake, at: t(0)).arm == t(3))
    let delay = ElapsedTime.milliseconds(2)
    #expect(engine.handle(.attemptBegan(.number(1), late: delay), at: t(0) + delay) == [.arm(t(3) + delay)])
    #expect(engine.handle(.wake, at: t(3)) == [])
    #expect(engine.handle(.wake, at: t(3) + delay).contains(.askToStop(.number(1), .timeout)))
    // A run without a timeout, an ended run and a run that is being stopped have no deadline to postpone.
    #expect(engine.handle(.attemptBegan(.number(2), late: delay), at: t(4)) == [])
    #expect(engine.handle(.attemptBegan(.number(1), late: delay), at: t(4)) == [])
    #expect(engine.handle(.attemptBegan(.number(7), late: delay), at: t(4)) == [])
  }

  @Test(arguments: [
    (StopReason.cancel, AttemptResult(status: .succeeded), Outcome.succeeded),
    (.cancel, AttemptResult(status: .failed), .cancelled),
    (.timeout, AttemptResult(status: .succeeded), .succeeded),
    (.timeout, AttemptResult(status: .failed), .failed),
    (.cancel, AttemptResult(status: .cancelled), .cancelled),
  ])
  func `an attempt that ended before the stop request keeps its result`(
    _ reason: StopReason, _ end: AttemptResult, _ outcome: Outcome
  ) {
    for isTold in [true, false] {
      var engine = EngineState(
        jobs: [job("a", every(100)) { $0.timeout = .seconds(3) }], startedAt: t(0), claims: .grant)
      _ = engine.handle(.wake, at: t(0))
      let asked = engine.handle(reason == .cancel ? .cancel(.number(1)) : .wake, at: t(3))
      #expect(asked.contains(.askToStop(.number(1), reason)))
      var end = end
      end.precededStop = isTold
      let ended = engine.handle(.attemptEnded(.number(1), end), at: t(4)).settled.map(\.outcome)
      #expect(ended == [isTold ? outcome : reason == .cancel ? .cancelled : .timedOut])
    }
  }

  @Test func `a due entry waits until all known ends are handled`() {
    var engine = EngineState(
      jobs: [job("a", every(10)), job("b", every(10))], startedAt: t(0), claims: .grant)
    #expect(engine.handle(.wake, at: t(0)).starts.count == 2)
    var effects: [EngineEffect] = []
    engine.handle(.attemptEnded(.number(1), success), at: t(11), isLast: false, into: &effects)
    #expect(effects.starts.isEmpty && effects.settled.map(\.outcome) == [.succeeded])
    engine.handle(.attemptEnded(.number(2), success), at: t(11), into: &effects)
    #expect(effects.starts.map(\.entry.nominal) == [t(10), t(10)])
    #expect(effects.settled.map(\.outcome) == [.succeeded, .succeeded] && effects.arm == t(20))
  }

  @Test func `an attempt that failed before its timeout is tried again`() {
    let jobs = [
      job("a", every(100)) {
        $0.timeout = .seconds(3)
        $0.retry = RetryPolicy(
          attempts: 2, backoffFrom: .seconds(1), backoffTo: .seconds(1), jitterPercent: 0)
      }
    ]
    var engine = EngineState(jobs: jobs, startedAt: t(0), claims: .grant)
    _ = engine.handle(.wake, at: t(0))
    _ = engine.handle(.wake, at: t(3))
    let failed = AttemptResult(status: .failed, isWorthRetrying: true)
    var precedingStop = failed
    precedingStop.precededStop = true
    #expect(engine.handle(.attemptEnded(.number(1), precedingStop), at: t(4)).arm == t(5))
    #expect(engine.handle(.wake, at: t(5)).starts.map(\.number) == [2])
    #expect(
      engine.handle(.attemptEnded(.number(1), failed), at: t(6)).settled.map(\.outcome) == [.failed])
  }

  @Test func `a loop never repeats an instant, however the clock is set back`() {
    let interval = ElapsedTime.milliseconds(200)
    var engine = EngineState(jobs: [job("a", loop(interval))], startedAt: t(0), claims: .grant)
    var nominals: [WallInstant] = []
    var now = t(0)
    for _ in 0..<6 {
      for _ in 0..<10 {
        let starts = engine.handle(.wake, at: now).starts
        nominals += starts.map(\.entry.nominal)
        let end = now + .milliseconds(10)
        var due: WallInstant?
        for start in starts {
          due = engine.handle(.attemptEnded(start.run, success), at: end).arm.flatMap(\.self) ?? due
        }
        now = due ?? end + interval
      }
      now = now - .seconds(1)
      _ = engine.handle(.clockStepped(by: .seconds(-1)), at: now)
      now = now + interval
    }
    #expect(nominals.count >= 50 && Set(nominals).count == nominals.count)
  }

  @Test func `the end of an unknown run is ignored`() {
    var engine = EngineState(jobs: [job("a", every(10))], startedAt: t(1), claims: .grant)
    _ = engine.handle(.wake, at: t(1))
    #expect(engine.handle(.attemptEnded(RunID(number: 7), success), at: t(2)) == [])
    #expect(engine.handle(.cancel(RunID(number: 7)), at: t(2)) == [])
    #expect(engine.handle(.trigger(name("nobody")), at: t(2)) == [])
  }

  @Test func `a manual trigger is an entry of its own and not early, however the clock is set back`() {
    var engine = EngineState(jobs: [job("a", at(100_000))], startedAt: t(0), claims: .grant)
    var nominals: [WallInstant] = []
    for _ in 0..<5 {
      for step in 0..<20 {
        let now = t(10) + .nanoseconds(Int64(step) * 1_777_777)
        for start in engine.handle(.trigger(name("a")), at: now).starts {
          #expect(start.entry.nominal <= now && now - start.entry.nominal < .microseconds(1))
          nominals.append(start.entry.nominal)
          _ = engine.handle(.attemptEnded(start.run, success), at: now)
        }
      }
      _ = engine.handle(.clockStepped(by: .milliseconds(-34)), at: t(10))
    }
    #expect(nominals.count == 100 && Set(nominals).count == 100)
  }

  @Test func `triggers at one instant are entries of their own`() {
    let jobs = [job("a", every(10)) { $0.overlap = .allowAll }]
    var engine = EngineState(jobs: jobs, startedAt: t(1), claims: .grant)
    _ = engine.handle(.wake, at: t(1))
    let nominals = (0..<3).flatMap { _ in engine.handle(.trigger(name("a")), at: t(10)).starts }
      .map { $0.entry.nominal - t(10) }
    #expect(nominals == [.zero, .nanoseconds(1), .nanoseconds(2), .nanoseconds(3)])
  }

  @Test func `triggers at an instant that the clock shows again are entries of their own`() {
    let jobs = [job("a", every(100)) { $0.overlap = .allowAll }]
    var engine = EngineState(jobs: jobs, startedAt: t(1), claims: .grant)
    var nominals: [WallInstant] = []
    for _ in 0..<4 {
      for second: Int64 in [10, 10, 20] {
        nominals += engine.handle(.trigger(name("a")), at: t(second)).starts.map(\.entry.nominal)
      }
      _ = engine.handle(.clockStepped(by: .seconds(-15)), at: t(5))
    }
    #expect(nominals.count == 12 && Set(nominals).count == 12, "\(nominals)")
    // Each entry lies close to an instant that the clock showed.
    #expect(
      nominals.allSatisfy { nominal in
        [t(10), t(20)].contains { $0 - nominal < .microseconds(1) && nominal - $0 < .microseconds(10) }
      })
  }

  @Test func `nothing happens after drained`() {
    var engine = EngineState(jobs: [job("a", every(10))], startedAt: t(1), claims: .grant)
    _ = engine.handle(.wake, at: t(1))
    #expect(engine.handle(.drain(patience: nil), at: t(2)) == [.arm(nil), .drained])
    #expect(engine.handle(.wake, at: t(20)) == [])
    #expect(engine.handle(.trigger(name("a")), at: t(20)) == [])
    #expect(engine.handle(.reload([job("b", every(1))]), at: t(20)) == [])
  }
}
