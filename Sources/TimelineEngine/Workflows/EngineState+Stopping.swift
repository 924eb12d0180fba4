import TimelineCore

// Runs that are asked to stop, and their ends.
extension EngineState {
  /// Stops a run on request; a run that is not active has nothing to stop.
  mutating func cancel(_ run: RunID, _ now: WallInstant, _ effects: inout some EffectSink) {
    guard let slot = runs.slot(of: run) else { return }
    stop(slot, .cancel, now, &effects)
  }

  /// Asks the run to stop and gives it its grace; a run between two attempts ends at once.
  mutating func stop(
    _ slot: Int, _ reason: StopReason, _ now: WallInstant, _ effects: inout some EffectSink
  ) {
    switch runs[slot].phase {
    case .waiting, .running:
      runs[slot].stop(reason)
      effects.append(.askToStop(runs[slot].id, reason))
      setDeadline(slot, now + max(.zero, jobs[runs[slot].job].definition.policies.grace))
    case .backingOff:
      runs[slot].stop(reason)
      endRun(slot, .cancelled, "stopped between two attempts", now, &effects)
    case .stopping, .killed:
      break
    }
  }

  /// Kills the run's attempt; its end is awaited like any other.
  mutating func kill(
    _ slot: Int, _ reason: StopReason, _ now: WallInstant, _ effects: inout some EffectSink
  ) {
    switch runs[slot].phase {
    case .waiting, .running, .stopping:
      let reason = runs[slot].kill(reason)
      deadlines.remove(.run(slot))
      effects.append(.kill(runs[slot].id, reason))
    case .backingOff:
      stop(slot, reason, now, &effects)
    case .killed:
      break
    }
  }

  /// Takes in that the run's attempt had ended before the run was asked to stop, which the daemon heard too late: it was away, or held.
  mutating func attemptEndedBeforeStop(_ run: RunID) {
    if let slot = runs.slot(of: run) { runs[slot].noteEndBeforeStop() }
  }

  /// Tells whether the run ends as its attempt did, although it was asked to stop: the request is then forgotten.
  mutating func withdrawStop(_ slot: Int, after outcome: AttemptResult) -> Bool {
    guard runs[slot].withdrawStop(after: outcome) else { return false }
    deadlines.remove(.run(slot))
    return true
  }

  /// Ends a run whose attempt ended after it was asked to stop.
  mutating func stoppedAttemptEnded(
    _ slot: Int, _ reason: StopReason, _ outcome: AttemptResult, _ now: WallInstant,
    _ effects: inout some EffectSink
  ) {
    jobs[runs[slot].job].previous?.status = .cancelled
    let end = RunEndDecision(
      stopped: reason, outcome, timeout: runs[slot].outlived, isLeftToRunAgain: isLeftToRunAgain(slot))
    switch end {
    case .settle(let outcome, let reason): endRun(slot, outcome, reason, now, &effects)
    case .leave: forget(slot, now, &effects)
    }
  }
}
