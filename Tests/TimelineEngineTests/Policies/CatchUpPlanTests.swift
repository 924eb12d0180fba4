import Testing
import TimelineCore
import TimelineEngineTestSupport

@testable import TimelineEngine

@Suite struct `Entries that run at the end of a pause` {
  @Test(
    arguments: [
      (.skip, 3, 2, 0, [.skip, .skip]),
      (.latest, 3, 0, 1, []),
      (.latest, 0, 0, 0, []),
      (.latest, 3, 1, 0, [.latest]),
      (.latest, 3, 2, 0, [.skip, .latest]),
      (.all, 3, 2, 3, [.all, .all]),
    ] as [(MissedPolicy.Choice, Int, Int, Int, [MissedPolicy.Choice])])
  func `follow the operator's choice, for held entries and for those that fell due in it`(
    _ choice: MissedPolicy.Choice, _ held: Int, _ ranges: Int, _ heldThatRun: Int,
    _ choices: [MissedPolicy.Choice]
  ) {
    let plan = CatchUpPlan(choice, held: held, ranges: ranges)
    #expect(plan.heldCount == heldThatRun)
    #expect((0..<ranges).map { plan.choice(forRange: $0) } == choices)
  }
}

@Suite struct `Jobs that react to the end of an entry` {
  private static let reactions = Reactions(
    onFailure: name("f"), onMissed: name("m"), onRecovery: name("r"), onSuccess: name("s"),
    onOutput: name("o"))

  @Test(arguments: Outcome.allCases, [false, true])
  func `depend on its outcome, and on whether it is a recovery`(_ outcome: Outcome, _ hasFailed: Bool) {
    let decision = decide(Self.reactions, outcome, hasFailed: hasFailed)
    switch outcome {
    case .failed, .timedOut, .lost, .unknown:
      #expect(decision.names == [name("f")] && decision.hasFailed)
    case .missed, .overlapped, .limited:
      #expect(decision.names == [name("m")] && decision.hasFailed == hasFailed)
    case .succeeded:
      #expect(
        decision.names == (hasFailed ? [name("r"), name("s")] : [name("s")]) && !decision.hasFailed)
    case .cancelled, .superseded, .paused, .leftToCron, .excluded, .daylightSavingGap, .daylightSavingFold,
      .lowFrequency, .shutDown:
      #expect(decision.names.isEmpty && decision.hasFailed == hasFailed)
    }
  }

  @Test(arguments: Outcome.allCases)
  func `include one more job if the run has written something`(_ outcome: Outcome) {
    let silent = decide(Self.reactions, outcome, hasFailed: false)
    let talking = decide(Self.reactions, outcome, hasFailed: false, hasOutput: true)
    #expect(talking.names == silent.names + [name("o")])
  }

  @Test func `run once if they have several reasons`() {
    let mail = Reactions(
      onFailure: name("mail"), onRecovery: name("mail"), onSuccess: name("mail"), onOutput: name("mail"))
    for outcome in [Outcome.failed, .succeeded] {
      #expect(decide(mail, outcome, hasFailed: true, hasOutput: true).names == [name("mail")])
    }
  }

  private func decide(
    _ reactions: Reactions, _ outcome: Outcome, hasFailed: Bool, hasOutput: Bool = false
  ) -> ReactionDecision {
    let record = EntryRecord(
      entry: EntryKey(job: name("a"), nominal: t(0)), outcome: outcome, endedAt: t(0))
    return ReactionDecision(
      reactions, record, hasFailed: hasFailed, hasOutput: hasOutput, JobIncidents())
  }
}

extension ReactionDecision {
  fileprivate var names: [JobName] { listeners.map(\.name) }
}
