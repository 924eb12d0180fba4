package import TimelineCore
package import TimelineEngine

/// Environment of a simulated engine: the course of attempts, answers to claims, and interruptions.
package protocol SimulatedWorld {
  /// Returns the course of an attempt that starts now, if it is not stopped; `expected` is the expected
  /// duration by the job's configuration.
  mutating func course(of attempt: @autoclosure () -> Attempt, expected: ElapsedTime) -> SimulatedCourse

  /// Returns the time from a stop request to the end of the attempt; `nil` when the attempt ignores the request.
  mutating func delayAfterAsking(_ run: RunID, _ reason: StopReason) -> ElapsedTime?

  /// Returns the ledger's decision about a claim, without delay.
  mutating func verdict(on entry: EntryKey) -> ClaimAnswer.Verdict

  /// Returns the next interruption; `nil` for none. `at` is in elapsed time, ascending: the wall clock without its
  /// steps.
  mutating func nextInterruption() -> (at: WallInstant, what: SimulatedInterruption)?
}

extension SimulatedWorld {
  /// Returns zero: the attempt stops at once.
  package mutating func delayAfterAsking(_ run: RunID, _ reason: StopReason) -> ElapsedTime? { .zero }

  /// Grants every claim.
  package mutating func verdict(on entry: EntryKey) -> ClaimAnswer.Verdict { .granted }

  /// Returns no interruption.
  package mutating func nextInterruption() -> (at: WallInstant, what: SimulatedInterruption)? { nil }
}

/// Course of one simulated attempt.
package struct SimulatedCourse: Sendable, Equatable {
  /// Duration; `nil` for an attempt that continues until it is stopped.
  package var duration: ElapsedTime?
  /// Result of an attempt that is not stopped.
  package var outcome: AttemptResult

  package init(lasting duration: ElapsedTime?, outcome: AttemptResult = AttemptResult(status: .succeeded)) {
    self.duration = duration
    self.outcome = outcome
  }
}

/// An interruption of a simulation.
package enum SimulatedInterruption: Sendable, Equatable {
  /// The engine receives this event.
  case event(EngineEvent)
  /// The wall clock is set by this much.
  case clockStep(ElapsedTime)
}

/// The world of a dry run. Every attempt has its job's expected duration and succeeds. The mode changes at the given instants.
package struct ExpectedWorld: SimulatedWorld {
  /// Future changes of the mode, the next one last.
  private var modeChanges: [DryRunModeChange]

  /// Makes the world with some changes of the mode, in any order.
  package init(modeChanges: [DryRunModeChange] = []) {
    self.modeChanges = modeChanges.sorted { $0.at > $1.at }
  }

  /// Returns the next change of the mode.
  package mutating func nextInterruption() -> (at: WallInstant, what: SimulatedInterruption)? {
    modeChanges.popLast().map { ($0.at, .event(.mode($0.mode))) }
  }

  /// Returns success after the expected time.
  package mutating func course(of attempt: @autoclosure () -> Attempt, expected: ElapsedTime)
    -> SimulatedCourse
  {
    SimulatedCourse(lasting: expected)
  }
}
