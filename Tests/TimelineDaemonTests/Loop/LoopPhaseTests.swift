import Testing
import TimelineCore
import TimelineEngine

@testable import TimelineDaemon

/// Phases of a loop iteration, and the steps from one to another.
@Suite struct LoopPhaseTests {
  /// Every possible step; all others are mistakes of the program.
  static let steps: [(from: LoopPhase, step: LoopPhase.Step, to: LoopPhase)] = [
    (.sleeping, .event, .deciding),
    (.deciding, .effects, .performing),
    (.performing, .performed, .recording),
    (.recording, .recorded, .deciding),
    (.deciding, .inboxEmptied, .ending),
    (.ending, .event, .deciding),
    (.ending, .turnEnded, .sleeping),
  ]

  @Test func `each step leads to one phase, and no other step is possible`() {
    for phase in LoopPhase.allCases {
      for step in LoopPhase.Step.allCases {
        let expected = Self.steps.first { $0.from == phase && $0.step == step }?.to
        #expect(phase.after(step) == expected, "\(step) while \(phase)")
      }
    }
  }

  /// Handling of an event and of a report in each phase.
  static let rows: [(phase: LoopPhase, takesEvents: Bool, keepsReports: Bool)] = [
    (.sleeping, true, false),
    (.deciding, false, false),
    (.performing, false, true),
    (.recording, false, false),
    (.ending, true, false),
  ]

  @Test(arguments: rows)
  func `events wait while others are handled, and reports while effects are performed`(
    phase: LoopPhase, takesEvents: Bool, keepsReports: Bool
  ) {
    #expect(phase.takesEvents == takesEvents && phase.keepsReports == keepsReports)
  }

  @Test func `an iteration with two events ends once, and then the loop sleeps`() {
    var iteration = LoopIteration()
    let steps: [LoopPhase.Step] = [
      .event, .effects, .performed, .recorded, .effects, .performed, .recorded, .inboxEmptied, .turnEnded,
    ]
    var phases: [LoopPhase] = []
    for step in steps {
      iteration.move(step)
      phases.append(iteration.phase)
    }
    let event: [LoopPhase] = [.performing, .recording, .deciding]
    #expect(phases == [.deciding] + event + event + [.ending, .sleeping])
  }

  @Test func `a job is handed over before waiting events, and after changes of the engine's jobs`() throws {
    var iteration = LoopIteration()
    let job = try #require(JobName("a"))
    let handOver = EngineEvent.handOver([job], isGivenUp: false)
    iteration.add(.wake)
    iteration.add(handOver)
    iteration.add(.takeOver([], among: []))
    iteration.add(.attemptWaits(RunID(number: 1)))
    iteration.add(handOver)
    var order = [iteration.takeHandOver()].compactMap(\.self)
    #expect(iteration.takeHandOver() == nil, "another event is next")
    while let event = iteration.inbox.popFirst() { order.append(event) }
    let expected: [EngineEvent] = [
      handOver, .wake, .takeOver([], among: []), handOver, .attemptWaits(RunID(number: 1)),
    ]
    #expect(order == expected)
  }
}
