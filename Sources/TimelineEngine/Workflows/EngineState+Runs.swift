import TimelineCore

/// The life of a run: start, timeout, grace, back-off, the end.
extension EngineState {
  /// Makes a run for the entry and starts its first attempt.
  mutating func start(
    _ index: Int, _ entry: DueEntry, _ now: WallInstant, _ effects: inout some EffectSink
  ) {
    precondition(lifecycle.isRunning, "nothing starts once the engine drains")
    // The ledger knows the catch-up of jobs that are claimed.
    if entry.nominal < attended.since, entry.cause.isOfSchedule, !isClaimed(index) {
      attended.include(entry.nominal)
    }
    if jobs[index].isClosedLoop {
      // A triggered run takes the loop's turn; the loop goes on when it has ended.
      jobs[index].beginLoop(at: now)
      if jobs[index].next != nil {
        withdrawNext(index)
        planNext(index, at: nil)
      }
    }
    countRun(1, of: index)
    let run = Run(
      runs.number(), of: entry, job: index, isCounted: jobs[index].isCounted && entry.cause.isOfSchedule,
      at: now)
    startAttempt(runs.insert(run), now, &effects)
  }

  private mutating func startAttempt(_ slot: Int, _ now: WallInstant, _ effects: inout some EffectSink) {
    let index = runs[slot].job
    runs[slot].startAttempt(at: now)
    updateDeadline(slot)
    let brief = StartBrief(
      run: runs[slot].id, job: index, number: runs[slot].attempts,
      expected: jobs[index].definition.policies.expect)
    effects.start(brief, attempt(in: slot, now))
  }

  /// The attempt that is to be started in `slot`.
  private func attempt(in slot: Int, _ now: WallInstant) -> Attempt {
    let index = runs[slot].job
    let entry = jobs.key(index, runs[slot].nominal)
    return Attempt(
      run: runs[slot].id, entry: entry, cause: runs[slot].cause, number: runs[slot].attempts, startedAt: now,
      deadline: timeoutAt(slot), cadence: cadence, mode: mode, entryCount: runs[slot].entryCount,
      previous: jobs[index].previous,
      upstream: runs[slot].cause == .reaction ? reactions[upstreamOf: entry] : nil)
  }

  /// Lets the timeout of an attempt count from when its plugin was called.
  mutating func attemptBegan(_ run: RunID, late delay: ElapsedTime, _ now: WallInstant) {
    guard let slot = runs.slot(of: run) else { return }
    if runs[slot].waitsForHost { return hostWaitEnded(slot, now) }
    guard delay > .zero, runs[slot].phase == .running else { return }
    runs[slot].delayAttempt(by: delay)
    updateDeadline(slot)
  }

  /// Returns the instant at which the attempt in `slot` exceeds its job's present timeout; `nil` for never.
  func timeoutAt(_ slot: Int) -> WallInstant? {
    RunDeadline(timeout: jobs[runs[slot].job].timeout).timeoutInstant(of: runs[slot])
  }

  /// Queues the deadline of a run that waits for a plugin host or whose plugin is called.
  mutating func updateDeadline(_ slot: Int) {
    assert(runs[slot].isPending)
    let rule = RunDeadline(
      timeout: jobs[runs[slot].job].timeout,
      waitingTimeout: jobs[runs[slot].job].definition.policies.waitingTimeout,
      patienceEnd: lifecycle.patienceEnd)
    let deadline = rule.deadline(of: runs[slot], windowEnd: windowEnd(slot))
    if let deadline { setDeadline(slot, deadline) } else { deadlines.remove(.run(slot)) }
  }

  /// Queues the run's one deadline.
  mutating func setDeadline(_ slot: Int, _ deadline: WallInstant) {
    let index = runs[slot].job
    deadlines.setRun(slot, at: deadline, tie: jobs[index].tie, order: index)
  }

  /// Does what the run's phase asks for when its deadline has come.
  mutating func runDeadlinePassed(_ slot: Int, _ now: WallInstant, _ effects: inout some EffectSink) {
    switch runs[slot].phase {
    case .waiting:
      deadlines.remove(.run(slot))
      effects.append(.dequeue(runs[slot].id))
    case .running:
      let isTimeout = timeoutAt(slot).map { $0 <= now } ?? false
      if isTimeout { runs[slot].outlive(jobs[runs[slot].job].timeout ?? .zero) }
      stop(slot, isTimeout ? .timeout : .shutDown, now, &effects)
    case .stopping:
      kill(slot, runs[slot].stopReason ?? .cancel, now, &effects)
    case .backingOff:
      startAttempt(slot, now, &effects)
    case .killed:
      preconditionFailure("a killed run has no deadline, its end is awaited")
    }
  }

  /// An attempt is over: the run ends, or backs off before the next attempt.
  ///
  /// A run that was asked to stop ends by the reason for that, whatever its host says: it may well have been
  /// about to succeed, but nobody waited for it any more. One whose attempt had ended before that ends as its attempt did.
  mutating func attemptEnded(
    _ run: RunID, _ outcome: AttemptResult, _ now: WallInstant, _ effects: inout some EffectSink
  ) {
    guard let slot = runs.slot(of: run), runs[slot].phase != .backingOff else { return }
    if runs[slot].waitsForHost {
      runs.endHostWait(slot)
      // A failure says why there cannot be a plugin host, and counts as one of the plugin's.
      if outcome.status != .failed { return unstartedAttemptEnded(slot, now, &effects) }
    }
    jobs[runs[slot].job].noteResult(outcome)
    if let reason = runs[slot].stopReason, !withdrawStop(slot, after: outcome) {
      stoppedAttemptEnded(slot, reason, outcome, now, &effects)
    } else if outcome.status == .succeeded {
      endRun(slot, .succeeded, outcome.message, now, &effects)
    } else if outcome.status == .failed, let backoff = backoffBeforeNextAttempt(slot, outcome) {
      runs[slot].backOff()
      runs[lastMessageIn: slot] = outcome.message
      setDeadline(slot, now + backoff)
      if isKept(slot) {
        let entry = jobs.key(runs[slot].job, runs[slot].nominal)
        effects.append(.noteRetry(run, entry, at: now + backoff))
      }
      if lifecycle.isLeaving { forget(slot, now, &effects) }
    } else {
      endRun(slot, outcome.status == .failed ? .failed : .cancelled, outcome.message, now, &effects)
    }
  }

  /// Returns the back-off before the next attempt; `nil` when there is to be none.
  private func backoffBeforeNextAttempt(_ slot: Int, _ outcome: AttemptResult) -> ElapsedTime? {
    let (index, entry) = (runs[slot].job, jobs.key(runs[slot].job, runs[slot].nominal))
    guard outcome.isWorthRetrying, lifecycle.isRunning || lifecycle.isLeaving && isKept(slot),
      !jobs[index].isRetired,
      // A reaction whose upstream a daemon did not live to write down has nothing more to tell.
      runs[slot].cause != .reaction || reactions[upstreamOf: entry] != nil
    else { return nil }
    return RetryPlan(jobs[index].definition.policies.retry).backoff(after: runs[slot].attempts, of: entry)
  }

  /// Ends a run whose attempt ended after it was asked to stop.
  mutating func stoppedAttemptEnded(
    _ slot: Int, _ reason: StopReason, _ outcome: AttemptResult, _ now: WallInstant,
    _ effects: inout some EffectSink
  ) {
    jobs[runs[slot].job].noteStop()
    let end = RunEndDecision(
      stopped: reason, outcome, timeout: runs[slot].outlived, isLeftToRunAgain: isLeftToRunAgain(slot))
    switch end {
    case .settle(let outcome, let reason): endRun(slot, outcome, reason, now, &effects)
    case .leave: forget(slot, now, &effects)
    }
  }

  /// Tells whether the run ends as its attempt did, although it was asked to stop: the request is then forgotten.
  mutating func withdrawStop(_ slot: Int, after outcome: AttemptResult) -> Bool {
    guard runs[slot].withdrawStop(after: outcome) else { return false }
    deadlines.remove(.run(slot))
    return true
  }

  /// Takes in that the run's attempt had ended before the run was asked to stop, which the daemon heard too late: it was away, or held.
  mutating func attemptEndedBeforeStop(_ run: RunID) {
    if let slot = runs.slot(of: run) { runs[slot].noteEndBeforeStop() }
  }

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

  /// Settles the run's entry and lets go on what waited for its end.
  mutating func endRun(
    _ slot: Int, _ outcome: Outcome, _ reason: String, _ now: WallInstant,
    _ effects: inout some EffectSink
  ) {
    assert(outcome.ran, "a run cannot end as if it had never been")
    let run = runs[slot]
    file(
      EndBrief(
        job: run.job, nominal: run.nominal, outcome: outcome, startedAt: run.startedAt, endedAt: now,
        entryCount: 1),
      cause: run.cause, reason: reason, run: run.id, attempts: run.attempts, &effects)
    forget(slot, now, &effects)
  }

  /// Takes out a run that is settled or left to the next daemon, and lets go on what waited for its end.
  mutating func forget(_ slot: Int, _ now: WallInstant, _ effects: inout some EffectSink) {
    let run = runs[slot]
    deadlines.remove(.run(slot))
    runs.remove(run.id)
    countRun(-1, of: run.job)
    startWaiting(run.job, now, &effects)
    if jobs[run.job].isClosedLoop { planClosedLoop(run.job, now) }
  }
}
