import Testing
import TimelineCore
import TimelineEngine
import TimelineEngineTestSupport

@Suite struct `A daemon that leaves its entries to the next one` {
  private let a = name("a")

  private func engine(_ claims: ClaimRule = .ask, _ adjust: (inout JobPolicies) -> Void) -> EngineState {
    var engine = EngineState(jobs: [job("a", every(10), adjust)], startedAt: t(0), claims: claims)
    for second in [Int64(0), 10] {
      let effects = engine.handle(.wake, at: t(second))
      answer(effects, &engine, at: t(second))
    }
    return engine
  }

  private func answer(_ effects: [EngineEffect], _ engine: inout EngineState, at now: WallInstant) {
    var effects = effects
    while let keys = effects.compactMap({ if case .claim(let keys) = $0 { keys } else { nil } }).first {
      effects = engine.handle(
        .claimsAnswered(keys.map { ClaimAnswer(entry: $0, verdict: .granted) }), at: now)
    }
  }

  @Test func `has no job once the last run has ended`() {
    var engine = engine { _ in }
    #expect(engine.handle(.leave, at: t(11)).last != .drained && engine.has(a))
    #expect(engine.handle(.attemptEnded(.number(1), success), at: t(12)).last == .drained)
    #expect(!engine.has(a), "a node that leaves its cluster waits for its jobs to be gone")
  }

  @Test func `leaves waiting and later entries open, and runs go on`() {
    var engine = engine { $0.overlap = .bufferOne }
    #expect(engine.status(of: a, at: t(11))?.waitingEntries == 1)
    let left = engine.handle(.leave, at: t(11))
    #expect(left.settled.isEmpty && left.starts.isEmpty)
    #expect(left.withdrawn == [EntryKey(job: a, nominal: t(20))])
    #expect(engine.nextDeadline == nil && engine.runCount == 1)
    #expect(engine.handle(.wake, at: t(35)).isEmpty, "nothing falls due any more")
    let ended = engine.handle(.attemptEnded(.number(1), success), at: t(36))
    #expect(ended.settled.map(\.entry.nominal) == [t(0)])
    #expect(ended.starts.isEmpty && ended.last == .drained)

    // The ledger has the last end and the waiting entry.
    let waiting = OpenRun(
      run: .number(0), entry: EntryKey(job: a, nominal: t(10)), cause: .schedule, attempts: 0,
      startedAt: t(10))
    for (choice, started) in [(MissedPolicy.Choice.all, [t(10), t(20)]), (.latest, [t(20)]), (.skip, [])] {
      var next = EngineState(
        jobs: [
          job("a", every(10)) {
            $0.overlap = .bufferAll
            $0.missed = MissedPolicy(choice: choice)
          }
        ], startedAt: t(25), watermarks: [a: t(0)], open: [waiting], lastRun: .number(1),
        claims: .grant)
      var nominals = next.handle(.wake, at: t(25)).starts.map(\.entry.nominal)
      if let last = next.status(of: a, at: t(25))?.runs.last {
        nominals += next.handle(.attemptEnded(last, success), at: t(26)).starts.map(\.entry.nominal)
      }
      #expect(nominals == started, "\(choice)")
    }
  }

  private let twice = AttemptResult(status: .failed, isWorthRetrying: true, message: "the disk is away")

  private func backingOff(_ delivery: DeliveryPolicy, attempts: Int = 3, claims: ClaimRule = .ask)
    -> EngineState
  {
    engine(claims) {
      $0.delivery = delivery
      $0.retry = RetryPolicy(
        attempts: attempts, backoffFrom: .minutes(1), backoffTo: .minutes(1), jitterPercent: 0)
    }
  }

  @Test(arguments: DeliveryPolicy.allCases)
  func `leaves a run between two attempts, and the ledger has the time of the next one`(
    _ delivery: DeliveryPolicy
  ) {
    let entry = EntryKey(job: a, nominal: t(0))
    var engine = backingOff(delivery)
    let ended = engine.handle(.attemptEnded(.number(1), twice), at: t(11))
    #expect(ended.contains(.noteRetry(.number(1), entry, at: t(71))) && ended.settled.isEmpty)
    let left = engine.handle(.leave, at: t(12))
    #expect(left.settled.isEmpty && left.last == .drained && engine.runCount == 0)

    // The same for a run whose attempt fails while the daemon waits for it.
    var draining = backingOff(delivery)
    _ = draining.handle(.leave, at: t(11))
    _ = draining.handle(.drain(patience: .minutes(1)), at: t(11))
    let last = draining.handle(.attemptEnded(.number(1), twice), at: t(12))
    #expect(last == [.noteRetry(.number(1), entry, at: t(72)), .arm(nil), .drained])

    // After the last attempt, or with a ledger that keeps nothing, the run is settled.
    var spent = backingOff(delivery, attempts: 1)
    _ = spent.handle(.leave, at: t(11))
    #expect(spent.handle(.attemptEnded(.number(1), twice), at: t(12)).settled.map(\.outcome) == [.failed])
    var unkept = backingOff(delivery, claims: .grant)
    #expect(unkept.handle(.attemptEnded(.number(1), twice), at: t(11)).settled.isEmpty)
    #expect(unkept.handle(.leave, at: t(12)).settled.map(\.outcome) == [.failed])
  }

  @Test(arguments: [(DeliveryPolicy.atLeastOnce, []), (.atMostOnce, [Outcome.cancelled])])
  func `a run that a drain stops is left to be run again under at-least-once`(
    _ delivery: DeliveryPolicy, _ settled: [Outcome]
  ) {
    var engine = engine { $0.delivery = delivery }
    _ = engine.handle(.leave, at: t(11))
    #expect(engine.handle(.drain(patience: .zero), at: t(11)).contains(.askToStop(.number(1), .shutDown)))
    let last = engine.handle(.attemptEnded(.number(1), AttemptResult(status: .cancelled)), at: t(12))
    #expect(last.settled.map(\.outcome) == settled && last.last == .drained)
  }

  @Test func `leaves manual triggers, and settles everything where nothing is claimed`() {
    var byHand = engine { $0.overlap = .bufferAll }
    answer(byHand.handle(.trigger(a), at: t(11)), &byHand, at: t(11))
    #expect(byHand.status(of: a, at: t(11))?.waitingEntries == 2)
    #expect(byHand.handle(.leave, at: t(12)).settled.isEmpty)

    var unclaimed = engine(.grant) { $0.overlap = .bufferOne }
    #expect(unclaimed.handle(.leave, at: t(12)).settled.map(\.outcome) == [.shutDown])
  }

  @Test func `notes why each entry waits, and the upstream of a reaction, as soon as it waits`() {
    let told = name("told")
    let jobs = [
      job("a", at(0)) { $0.reactions = Reactions(onFailure: told) },
      job("told", at(0)) { $0.overlap = .bufferAll },
    ]
    var engine = EngineState(jobs: jobs, startedAt: t(0))
    answer(engine.handle(.wake, at: t(0)), &engine, at: t(0))
    var effects = engine.handle(.attemptEnded(.number(1), failure), at: t(1))
    let upstream = effects.settled.first
    effects = engine.handle(
      .claimsAnswered(effects.claims.map { ClaimAnswer(entry: $0, verdict: .granted) }), at: t(1))
    let waiting = effects.compactMap { if case .noteWaiting(let waiting) = $0 { waiting } else { nil } }
    #expect(waiting.map(\.cause) == [.reaction] && waiting.map(\.entry.job) == [told])
    #expect(upstream != nil && waiting.map(\.upstream) == [upstream])

    // A reaction that is caused while the daemon waits for its last run is left to the next daemon too.
    var leaving = EngineState(jobs: jobs, startedAt: t(0))
    answer(leaving.handle(.wake, at: t(0)), &leaving, at: t(0))
    _ = leaving.handle(.leave, at: t(1))
    let last = leaving.handle(.attemptEnded(.number(1), failure), at: t(2))
    #expect(last.settled.map(\.outcome) == [.failed])
    #expect(
      last.contains {
        if case .noteWaiting(let waiting) = $0 { waiting.upstream == last.settled[0] } else { false }
      })
  }

  @Test func `nothing falls due after it, also after a clock step`() {
    var engine = engine { $0.overlap = .bufferOne }
    _ = engine.handle(.leave, at: t(11))
    #expect(engine.handle(.clockStepped(by: .minutes(1)), at: t(72)).settled.isEmpty)
    #expect(engine.handle(.wake, at: t(80)).settled.isEmpty && engine.nextDeadline == nil)
  }

  @Test func `leaves the waiting entries of a counted job to the next daemon`() {
    var engine = EngineState(
      jobs: [
        JobDefinition(
          name: a, schedule: every(.milliseconds(500), from: t(0)),
          policies: policies { $0.overlap = .bufferAll })
      ], startedAt: t(0))
    _ = engine.handle(.wake, at: t(0))
    for half in 1...4 { _ = engine.handle(.wake, at: t(0) + .milliseconds(500) * Int64(half)) }
    #expect(engine.waitingEntryCount == 4)
    #expect(engine.handle(.leave, at: t(3)).settled.isEmpty)
  }

  private func policies(_ adjust: (inout JobPolicies) -> Void) -> JobPolicies {
    var policies = JobPolicies()
    adjust(&policies)
    return policies
  }

  @Test func `can still be drained, which settles no entry that it left`() {
    var engine = engine { $0.overlap = .bufferOne }
    _ = engine.handle(.leave, at: t(11))
    let drained = engine.handle(.drain(patience: .zero), at: t(12))
    #expect(drained.settled.isEmpty)
    #expect(drained.contains(.askToStop(.number(1), .shutDown)))
  }

  @Test func `ends an entry that waits for a plugin host and was only counted before a reload`() {
    var engine = EngineState(jobs: [job("a", every(.milliseconds(500)))], startedAt: t(0))
    let run = engine.handle(.wake, at: t(0)).starts[0].run
    _ = engine.handle(.attemptWaits(run), at: t(0))
    _ = engine.handle(.reload([job("a", every(10, from: 5))]), at: t(1))
    #expect(engine.handle(.leave, at: t(1)).contains(.dequeue(run)))
    let ended = engine.handle(.attemptEnded(run, AttemptResult(status: .cancelled)), at: t(1))
    #expect(ended.settled.map(\.entry.nominal) == [t(0)])
    #expect(ended.settled.map(\.outcome) == [.shutDown])
  }
}
