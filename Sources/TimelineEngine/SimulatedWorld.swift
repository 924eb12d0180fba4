package import TimelineCore

/// What is not the engine in a simulation: how long attempts take, how they end, and what comes in between.
package protocol SimulatedWorld {
  /// How an attempt that starts now goes if it is left alone; `expected` is what the job's configuration says.
  mutating func course(of attempt: @autoclosure () -> Attempt, expected: ElapsedTime) -> SimulatedCourse

  /// How long an attempt goes on after it was asked to stop; `nil` when it takes no notice.
  mutating func delayAfterAsking(_ run: RunID, _ reason: StopReason) -> ElapsedTime?

  /// What the ledger says about a claim; it answers at once.
  mutating func verdict(on entry: EntryKey) -> ClaimAnswer.Verdict

  /// What comes in between next; `at` is elapsed time, ascending: the clock on the wall as if it never stepped.
  mutating func nextInterruption() -> (at: WallInstant, what: SimulatedInterruption)?
}

extension SimulatedWorld {
  /// It stops at once.
  package mutating func delayAfterAsking(_ run: RunID, _ reason: StopReason) -> ElapsedTime? { .zero }

  /// Nobody else is there.
  package mutating func verdict(on entry: EntryKey) -> ClaimAnswer.Verdict { .won }

  /// Nothing comes in between.
  package mutating func nextInterruption() -> (at: WallInstant, what: SimulatedInterruption)? { nil }
}

/// How one simulated attempt goes.
package struct SimulatedCourse: Sendable, Hashable {
  /// How long it lasts; `nil` when it goes on until it is stopped.
  package var duration: ElapsedTime?
  /// How it ends when nobody stops it.
  package var outcome: AttemptOutcome

  /// Makes a course.
  package init(lasting duration: ElapsedTime?, outcome: AttemptOutcome = AttemptOutcome(status: .succeeded)) {
    self.duration = duration
    self.outcome = outcome
  }
}

/// Something that happens to an engine in the middle of a simulation.
package enum SimulatedInterruption: Sendable, Equatable {
  /// The engine is handed this event.
  case event(EngineEvent)
  /// The clock on the wall is set by this much.
  case clockStep(ElapsedTime)
}

/// The world of a dry run: every attempt lasts what its job expects, and succeeds.
package struct ExpectedWorld: SimulatedWorld {
  /// Makes the world.
  package init() {}

  /// Success after the expected time.
  @inline(__always)
  package mutating func course(of attempt: @autoclosure () -> Attempt, expected: ElapsedTime)
    -> SimulatedCourse
  {
    SimulatedCourse(lasting: expected)
  }
}
