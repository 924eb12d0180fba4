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
    runs[slot].waitsForHost = true
    runs.hostWaitCount += 1
    guard runs[slot].phase == .running else { return }
    runs[slot].phase = .waiting
    if phase == .running { return setDeadlineWhileWaiting(slot) }
    removeDeadline(slot)
    effects.append(.dequeue(run))
  }

  /// Takes in that the plugin of the attempt in `slot` has been called at last.
  mutating func hostWaitEnded(_ slot: Int, _ now: WallInstant) {
    noteHostWaitEnd(slot)
    runs[slot].attemptStartedAt = now
    if runs[slot].attempts == 1 { runs[slot].startedAt = now }
    guard runs[slot].phase == .waiting else { return }
    runs[slot].phase = .running
    setDeadlineWhileRunning(slot)
  }

  /// Counts one attempt less that waits.
  mutating func noteHostWaitEnd(_ slot: Int) {
    runs[slot].waitsForHost = false
    runs.hostWaitCount -= 1
  }

  /// Queues what comes first of the bound on the wait and the end of the missed window.
  mutating func setDeadlineWhileWaiting(_ slot: Int) {
    assert(runs[slot].phase == .waiting)
    let policies = jobs[runs[slot].job].definition.policies
    var deadline = windowEnd(slot)
    if let bound = policies.waitingTimeout ?? policies.timeout {
      deadline = min(deadline ?? .max, runs[slot].attemptStartedAt + bound)
    }
    if let deadline { setDeadline(slot, deadline) } else { removeDeadline(slot) }
  }

  /// Instant from which the entry of the run in `slot` is too late to be started; `nil` for never.
  private func windowEnd(_ slot: Int) -> WallInstant? {
    let run = runs[slot]
    guard run.attempts == 1, run.cause.isOfSchedule, !jobs[run.job].isRetired,
      let window = jobs[run.job].definition.policies.missed.window
    else { return nil }
    return dueInstant(run.job, of: run.nominal) + window + .nanoseconds(1)
  }

  /// Has every attempt end that waits, because the daemon ends.
  mutating func dequeueWaitingRuns(_ effects: inout some EffectSink) {
    guard runs.hostWaitCount > 0 else { return }
    for slot in Array(runs.occupied) where runs[slot].phase == .waiting {
      removeDeadline(slot)
      effects.append(.dequeue(runs[slot].id))
    }
  }

  /// Ends the run in `slot` whose attempt has waited in vain.
  mutating func unstartedAttemptEnded(_ slot: Int, _ now: WallInstant, _ effects: inout some EffectSink) {
    if runs[slot].attempts > 1 { return furtherAttemptNotStarted(slot, now, &effects) }
    let (index, reason) = (runs[slot].job, runs[slot].stopReason)
    if reason == .cancel, runs[slot].isSuperseded {
      return endUnstarted(slot, .superseded, Reason.superseded, now, &effects)
    }
    if reason == .cancel {
      return endUnstarted(slot, .cancelled, "stopped before its plugin was called", now, &effects)
    }
    if reason != nil || phase != .running {
      // The ledger has taken the start back and keeps that the entry waits.
      if isLeaving, isKept(slot) { return forget(slot, now, &effects) }
      return endUnstarted(slot, .shutDown, Reason.stopping, now, &effects)
    }
    if jobs[index].isRetired { return endUnstarted(slot, .missed, Reason.removed, now, &effects) }
    if let end = windowEnd(slot), end <= now {
      return endUnstarted(
        slot, .missed, "no plugin host was free before it was later than the missed window allows", now,
        &effects)
    }
    endUnstarted(slot, .limited, noHostReason(index), now, &effects)
  }

  /// Ends a run whose first attempt failed and for whose next one there was no plugin host.
  private mutating func furtherAttemptNotStarted(
    _ slot: Int, _ now: WallInstant, _ effects: inout some EffectSink
  ) {
    runs[slot].attempts -= 1
    runs[slot].phase = .backingOff
    if let reason = runs[slot].stopReason {
      stop(slot, reason, now, &effects)
    } else if phase != .running {
      if isLeaving, isKept(slot) {
        effects.append(.noteRetry(runs[slot].id, key(runs[slot].job, runs[slot].nominal), at: now))
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
