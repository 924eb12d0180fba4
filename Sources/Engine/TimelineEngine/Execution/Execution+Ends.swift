import TimelineCore

/// Ends of attempts and of runs.
extension Execution {
  /// Handles the end of an attempt: the run ends, or backs off before the next attempt.
  ///
  /// A run that was asked to stop ends with the reason of the request, regardless of its host's result: even a success then
  /// comes too late. A run whose attempt had ended before the request ends like its attempt.
  mutating func attemptEnded(
    _ run: RunID, _ result: AttemptResult, _ now: WallInstant, _ effects: inout some EffectSink
  ) {
    guard let slot = runs.slot(of: run), runs[slot].phase != .backingOff else { return }
    if runs[slot].waitsForHost {
      runs.endHostWait(slot)
      if result.isUncalled, !jobs[runs[slot].job].isRetired { runs[slot].decideAnew() }
      // A failed result means that no plugin host can be started. It has the reason, and counts as a failure of the plugin.
      if result.status != .failed || runs[slot].unstartedOwner == .next {
        return unstartedAttemptEnded(slot, now, &effects)
      }
    }
    if runs[slot].cause.isReported { jobs[runs[slot].job].noteResult(result) }
    if result.hasOutput { runs[slot].noteOutput() }
    if let reason = runs[slot].stopReason, !withdrawStop(slot, after: result) {
      stoppedAttemptEnded(slot, reason, result, now, &effects)
    } else if result.status == .succeeded {
      endRun(slot, .succeeded, result.message, now, &effects)
    } else if result.status == .failed, let backoff = backoffBeforeNextAttempt(slot, result) {
      runs.backOff(slot)
      runs[lastMessageIn: slot] = result.message
      setDeadline(slot, now + backoff)
      if isKept(slot) { noteRetry(slot, at: now + backoff, &effects) }
      if lifecycle.isLeaving { forget(slot, now, &effects) }
    } else {
      endRun(slot, result.status == .failed ? .failed : .cancelled, result.message, now, &effects)
    }
  }

  /// Returns the back-off before the next attempt; `nil` if there is no next attempt.
  private func backoffBeforeNextAttempt(_ slot: Int, _ result: AttemptResult) -> ElapsedTime? {
    let (index, entry) = (runs[slot].job, jobs.key(runs[slot].job, runs[slot].nominal))
    guard result.isWorthRetrying, lifecycle.isRunning || lifecycle.isLeaving && isKept(slot),
      !jobs[index].isRetired,
      // A reaction has nothing to report if its daemon died before it recorded the upstream.
      isRepeatable(slot)
    else { return nil }
    return RetryPlan(jobs[index].definition.policies.retry).backoff(after: runs[slot].attempts, of: entry)
  }

  /// Drops the stop request if the run ends like its attempt. Returns whether the request was dropped.
  private mutating func withdrawStop(_ slot: Int, after result: AttemptResult) -> Bool {
    guard runs[slot].withdrawStop(after: result) else { return false }
    timetable.removeDeadline(of: .run(slot))
    return true
  }

  /// Ends a run whose attempt ended after it was asked to stop.
  private mutating func stoppedAttemptEnded(
    _ slot: Int, _ reason: StopReason, _ result: AttemptResult, _ now: WallInstant,
    _ effects: inout some EffectSink
  ) {
    if runs[slot].cause.isReported { jobs[runs[slot].job].noteStop() }
    let end = RunEndDecision(
      stopped: reason, isSuperseded: runs[slot].isSuperseded, result, timeout: runs[slot].outlived,
      isLeftToRunAgain: isLeftToRunAgain(slot))
    switch end {
    case .settle(let outcome, let reason): endRun(slot, outcome, reason, now, &effects)
    case .leave: forget(slot, now, &effects)
    }
  }
}

// Attempts that waited for a plugin host and were not started.
extension Execution {
  /// Ends the run in `slot`, whose attempt waited for a plugin host and was not started.
  private mutating func unstartedAttemptEnded(
    _ slot: Int, _ now: WallInstant, _ effects: inout some EffectSink
  ) {
    // A run that was asked to stop before ends as requested.
    if runs[slot].unstartedOwner != .here, runs[slot].stopReason == nil {
      return handedOverAttemptEnded(slot, now, &effects)
    }
    if runs[slot].attempts > 1 { return furtherAttemptNotStarted(slot, now, &effects) }
    let index = runs[slot].job
    // The ledger has withdrawn the start, and records that the entry waits.
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

  /// Ends a run that failed before, because there was no plugin host for its next attempt.
  private mutating func furtherAttemptNotStarted(
    _ slot: Int, _ now: WallInstant, _ effects: inout some EffectSink
  ) {
    runs.revertAttempt(slot)
    if let reason = runs[slot].stopReason {
      stop(slot, reason, now, &effects)
    } else if !lifecycle.isRunning {
      if lifecycle.isLeaving, isKept(slot) { noteRetry(slot, at: now, &effects) }
      endBetweenAttempts(slot, now, &effects)
    } else {
      giveUp(slot, because: noHostReason(runs[slot].job), now, &effects)
    }
  }

  private func noHostReason(_ index: Int) -> String {
    let policies = jobs[index].definition.policies
    let (key, bound) =
      policies.waitingTimeout.map { ("waiting-timeout", $0) } ?? ("timeout", policies.timeout ?? .zero)
    return
      "no plugin host was free within `\(key)` of \(bound): raise `plugin-hosts-max`, or the job's `waiting-timeout`"
  }

  /// Forgets from where the entry of a run had moved, because its plugin was never called.
  mutating func forgetMove(_ slot: Int) {
    let run = runs[slot]
    if run.attempts == 1, run.cause.isOfSchedule { jobs[run.job].moves.remove(run.nominal) }
  }

  /// Settles the entry of a run whose plugin was never called.
  mutating func endUnstarted(
    _ slot: Int, _ outcome: Outcome, _ reason: String, _ now: WallInstant,
    _ effects: inout some EffectSink
  ) {
    let run = runs[slot]
    forgetMove(slot)
    outcomes.file(
      EndBrief(job: run.job, nominal: run.nominal, outcome: outcome, endedAt: now, entryCount: 1),
      cause: run.cause, reason: reason, run: run.id, &effects)
    forget(slot, now, &effects)
  }
}

// Runs.
extension Execution {
  /// Settles the run's entry and starts the entries that waited for its end.
  mutating func endRun(
    _ slot: Int, _ outcome: Outcome, _ reason: String, _ now: WallInstant,
    _ effects: inout some EffectSink
  ) {
    assert(outcome.ran, "a run cannot end as if it had never been")
    let run = runs[slot]
    outcomes.file(
      EndBrief(
        job: run.job, nominal: run.nominal, outcome: outcome, startedAt: run.startedAt, endedAt: now,
        entryCount: 1),
      cause: run.cause, reason: reason, run: run.id, attempts: run.attempts, hasOutput: run.hasOutput,
      &effects)
    forget(slot, now, &effects)
  }

  /// Removes a run that is settled or left to the next daemon, and starts the entries that waited for its end.
  mutating func forget(_ slot: Int, _ now: WallInstant, _ effects: inout some EffectSink) {
    let index = runs[slot].job
    remove(slot)
    startWaiting(index, now, &effects)
    if jobs[index].isClosedLoop { timetable.planClosedLoop(index, now) }
  }

  /// Removes a run. The caller starts the entries that wait for its place.
  mutating func remove(_ slot: Int) {
    let run = runs[slot]
    timetable.removeDeadline(of: .run(slot))
    runs.remove(run.id)
    if run.cause == .backfill { jobs[run.job].countBackfilled(-1) }
    countRun(-1, of: run.job)
  }

  /// Ends every run that is between two attempts, or leaves it to the next daemon. Called when this daemon ends.
  mutating func endBackOffs(_ now: WallInstant, _ effects: inout some EffectSink) {
    for slot in Array(runs.occupied) where runs[slot].phase == .backingOff {
      endBetweenAttempts(slot, now, &effects)
    }
  }

  /// Ends the run in `slot`, whose job was removed and for which no plugin is called.
  mutating func endIdle(_ slot: Int, _ now: WallInstant, _ effects: inout some EffectSink) {
    if runs[slot].phase == .waiting {
      effects.append(.dequeue(runs[slot].id))
    } else {
      // No attempt follows the back-off, and until its end the run would occupy its groups.
      giveUp(slot, because: "the job was removed", now, &effects)
    }
  }

  /// Ends a run that failed and has attempts left. Adds to its message why the run is not tried again.
  mutating func giveUp(
    _ slot: Int, because reason: String, _ now: WallInstant, _ effects: inout some EffectSink
  ) {
    let (last, words) = (runs[lastMessageIn: slot], "it was not tried again: \(reason)")
    endRun(slot, .failed, last.isEmpty ? words : "\(last); \(words)", now, &effects)
  }

  private mutating func endBetweenAttempts(_ slot: Int, _ now: WallInstant, _ effects: inout some EffectSink)
  {
    if lifecycle.isLeaving, isKept(slot) {
      forget(slot, now, &effects)
    } else {
      giveUp(slot, because: Reason.stopping, now, &effects)
    }
  }

  /// Records in the ledger when the run's next attempt is due.
  func noteRetry(_ slot: Int, at instant: WallInstant, _ effects: inout some EffectSink) {
    let entry = jobs.key(runs[slot].job, runs[slot].nominal)
    effects.append(.noteRetry(runs[slot].id, entry, at: instant))
  }

  /// Whether the ledger records when the run's next attempt is due.
  func isKept(_ slot: Int) -> Bool {
    let (index, cause) = (runs[slot].job, runs[slot].cause)
    // A reload may have changed the schedule since the run was started.
    let isCounted = runs[slot].isCounted || jobs[index].isCounted && cause.isOfSchedule
    return timetable.hasLedger && !jobs[index].isRetired && !isCounted && isRepeatable(slot)
  }

  /// Whether the next daemon starts the run again. The job's delivery policy guarantees this even after a crash of this
  /// daemon.
  private func isLeftToRunAgain(_ slot: Int) -> Bool {
    guard lifecycle.isLeaving, isKept(slot) else { return false }
    let policies = jobs[runs[slot].job].definition.policies
    return policies.delivery == .atLeastOnce && runs[slot].attempts < RetryPlan(policies.retry).startsMax
  }
}
