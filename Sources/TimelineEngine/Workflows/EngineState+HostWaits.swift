import TimelineCore

/// Attempts that wait for a plugin host.
///
/// A run holds its places in its job and its groups from when it was decided on. Its plugin is called when there is a plugin
/// host for it. Until then it has not started: its timeout does not run, it ends without a start, and its entry counts as
/// never run.
extension EngineState {
  /// Takes in that the plugin of the run's attempt has not been called, as there is no plugin host.
  mutating func attemptWaits(_ run: RunID, _ effects: inout some EffectSink) {
    guard let slot = runs.slot(of: run), runs[slot].phase != .backingOff, !runs[slot].waitsForHost else {
      return
    }
    runs.beginHostWait(slot)
    guard runs[slot].phase == .waiting else { return }
    if lifecycle.isRunning { return updateDeadline(slot) }
    deadlines.remove(.run(slot))
    effects.append(.dequeue(run))
  }

  /// Takes in that the plugin of the attempt in `slot` has been called at last.
  mutating func hostWaitEnded(_ slot: Int, _ now: WallInstant) {
    runs.endHostWait(slot)
    runs[slot].callPlugin(at: now)
    if runs[slot].phase == .running { updateDeadline(slot) }
  }

  /// Instant from which the entry of the run in `slot` is too late to be started; `nil` for never.
  func windowEnd(_ slot: Int) -> WallInstant? {
    let run = runs[slot]
    guard run.attempts == 1, run.cause.isOfSchedule, !jobs[run.job].isRetired,
      let window = jobs[run.job].definition.policies.missed.window
    else { return nil }
    return jobs[run.job].dueInstant(seed, of: run.nominal) + window + .nanoseconds(1)
  }

  /// Has every attempt end that waits, because the daemon ends.
  mutating func dequeueWaitingRuns(_ effects: inout some EffectSink) {
    guard runs.hostWaitCount > 0 else { return }
    for slot in Array(runs.occupied) where runs[slot].phase == .waiting {
      deadlines.remove(.run(slot))
      effects.append(.dequeue(runs[slot].id))
    }
  }

  /// Ends the run in `slot` whose attempt has waited in vain.
  mutating func unstartedAttemptEnded(_ slot: Int, _ now: WallInstant, _ effects: inout some EffectSink) {
    if runs[slot].attempts > 1 { return furtherAttemptNotStarted(slot, now, &effects) }
    let index = runs[slot].job
    // The ledger has taken the start back and keeps that the entry waits.
    let isLeft = lifecycle.isLeaving && isKept(slot)
    let end = RunEndDecision(
      unstarted: runs[slot].stopReason, isSuperseded: runs[slot].isSuperseded,
      isStopping: !lifecycle.isRunning, isLeft: isLeft, isRetired: jobs[index].isRetired,
      isTooLate: windowEnd(slot).map { $0 <= now } ?? false, noHost: noHostReason(index))
    switch end {
    case .settle(let outcome, let reason): endUnstarted(slot, outcome, reason, now, &effects)
    case .leave: forget(slot, now, &effects)
    }
  }

  /// Ends a run whose first attempt failed and for whose next one there was no plugin host.
  private mutating func furtherAttemptNotStarted(
    _ slot: Int, _ now: WallInstant, _ effects: inout some EffectSink
  ) {
    runs[slot].revertAttempt()
    if let reason = runs[slot].stopReason {
      stop(slot, reason, now, &effects)
    } else if !lifecycle.isRunning {
      if lifecycle.isLeaving, isKept(slot) {
        effects.append(.noteRetry(runs[slot].id, jobs.key(runs[slot].job, runs[slot].nominal), at: now))
      }
      endBetweenAttempts(slot, now, &effects)
    } else {
      let last = runs[lastMessageIn: slot]
      let words = "it was not tried again: \(noHostReason(runs[slot].job))"
      endRun(slot, .failed, last.isEmpty ? words : "\(last); \(words)", now, &effects)
    }
  }

  private func noHostReason(_ index: Int) -> String {
    let policies = jobs[index].definition.policies
    let (key, bound) =
      policies.waitingTimeout.map { ("waiting-timeout", $0) } ?? ("timeout", policies.timeout ?? .zero)
    return
      "no plugin host was free within `\(key)` of \(bound): raise `plugin-hosts-max`, or the job's `waiting-timeout`"
  }

  /// Settles the entry of a run whose plugin was never called.
  private mutating func endUnstarted(
    _ slot: Int, _ outcome: Outcome, _ reason: String, _ now: WallInstant,
    _ effects: inout some EffectSink
  ) {
    let run = runs[slot]
    file(
      EndBrief(job: run.job, nominal: run.nominal, outcome: outcome, endedAt: now, entryCount: 1),
      cause: run.cause, reason: reason, run: run.id, &effects)
    forget(slot, now, &effects)
  }
}
