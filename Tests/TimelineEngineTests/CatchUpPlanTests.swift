import Testing
import TimelineCore
import TimelineEngineTestSupport

@testable import TimelineEngine

@Suite struct `What runs at the end of a pause` {
  @Test(
    arguments: [
      (.skip, 3, 2, 0, [.skip, .skip]),
      (.latest, 3, 0, 1, []),
      (.latest, 0, 0, 0, []),
      (.latest, 3, 1, 0, [.latest]),
      (.latest, 3, 2, 0, [.skip, .latest]),
      (.all, 3, 2, 3, [.all, .all]),
    ] as [(MissedPolicy.Choice, Int, Int, Int, [MissedPolicy.Choice])])
  func `is what the operator chose, of what it held and of what fell due in it`(
    _ choice: MissedPolicy.Choice, _ held: Int, _ ranges: Int, _ heldThatRun: Int,
    _ choices: [MissedPolicy.Choice]
  ) {
    let plan = CatchUpPlan(choice, held: held, ranges: ranges)
    #expect(plan.heldCount == heldThatRun)
    #expect((0..<ranges).map { plan.choice(forRange: $0) } == choices)
  }
}

@Suite struct `Who reacts to the end of an entry` {
  @Test(arguments: Outcome.allCases, [false, true])
  func `depends on its outcome, and on whether it is a recovery`(_ outcome: Outcome, _ hasFailed: Bool) {
    let reactions = Reactions(onFailure: name("f"), onMissed: name("m"), onRecovery: name("r"))
    let decision = ReactionDecision(reactions, outcome.kind, hasFailed: hasFailed)
    switch outcome {
    case .failed, .timedOut, .lost, .unknown:
      #expect(decision.listener == name("f") && decision.hasFailed)
    case .missed, .overlapped, .limited:
      #expect(decision.listener == name("m") && decision.hasFailed == hasFailed)
    case .succeeded:
      #expect(decision.listener == (hasFailed ? name("r") : nil) && !decision.hasFailed)
    case .cancelled, .superseded, .paused, .excluded, .daylightSavingGap, .daylightSavingFold, .lowFrequency,
      .shutDown:
      #expect(decision.listener == nil && decision.hasFailed == hasFailed)
    }
  }
}
