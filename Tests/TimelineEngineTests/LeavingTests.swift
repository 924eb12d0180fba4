import Testing
import TimelineCore
import TimelineEngine

@Suite struct `A daemon that leaves to another` {
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
        .claimsAnswered(keys.map { ClaimAnswer(entry: $0, verdict: .won) }), at: now)
    }
  }

  @Test func `leaves open what waits and what is to come, and runs go on`() {
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

    // The ledger has the last end and what waited.
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
        ], startedAt: t(25), remembered: [a: t(0)], open: [waiting], lastRun: .number(1),
        claims: .takeAsWon)
      var nominals = next.handle(.wake, at: t(25)).starts.map(\.entry.nominal)
      if let last = next.status(of: a, at: t(25))?.runs.last {
        nominals += next.handle(.attemptEnded(last, success), at: t(26)).starts.map(\.entry.nominal)
      }
      #expect(nominals == started, "\(choice)")
    }
  }

  @Test(arguments: [(DeliveryPolicy.atLeastOnce, false), (.atMostOnce, true)])
  func `leaves a run between two attempts where another is promised`(
    _ delivery: DeliveryPolicy, _ isSettled: Bool
  ) {
    var engine = engine {
      $0.delivery = delivery
      $0.retry = RetryPolicy(attempts: 3, backoffFrom: .minutes(1), backoffTo: .minutes(1))
    }
    let outcome = AttemptOutcome(status: .failed, isWorthRetrying: true, message: "the disk is away")
    #expect(engine.handle(.attemptEnded(.number(1), outcome), at: t(11)).settled.isEmpty)
    let left = engine.handle(.leave, at: t(12))
    #expect(left.settled.map(\.disposition) == (isSettled ? [.failed] : []))
    #expect(left.last == .drained && engine.runCount == 0)
  }

  @Test
  func `settles what no ledger has: what was asked for by hand, and everything where nothing is claimed`() {
    var byHand = engine { $0.overlap = .bufferAll }
    answer(byHand.handle(.trigger(a), at: t(11)), &byHand, at: t(11))
    #expect(byHand.status(of: a, at: t(11))?.waitingEntries == 2)
    let left = byHand.handle(.leave, at: t(12)).settled
    #expect(left.map(\.cause) == [.trigger] && left.map(\.disposition) == [.shutDown])

    var unclaimed = engine(.takeAsWon) { $0.overlap = .bufferOne }
    #expect(unclaimed.handle(.leave, at: t(12)).settled.map(\.disposition) == [.shutDown])
  }

  @Test func `can still be drained, which settles nothing that it left`() {
    var engine = engine { $0.overlap = .bufferOne }
    _ = engine.handle(.leave, at: t(11))
    let drained = engine.handle(.drain(patience: .zero), at: t(12))
    #expect(drained.settled.isEmpty)
    #expect(drained.contains(.askToStop(.number(1), .shutDown)))
  }
}
