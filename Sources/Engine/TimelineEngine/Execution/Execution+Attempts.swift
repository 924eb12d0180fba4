import TimelineCore

/// Runs up to their end: attempts, their waits for a plugin host, their deadlines, and stops.
///
/// A run counts as active in its job and its groups from the decision to start it. Its plugin is called as soon as a plugin
/// host is available. Before the call, the run has not started, and its timeout does not count. If the run ends before the
/// call, it has no start, and its entry counts as never run.
extension Execution {
  /// Makes a run for the entry and starts its first attempt.
  mutating func start(
    _ index: Int, _ entry: DueEntry, _ now: WallInstant, _ effects: inout some EffectSink
  ) {
    precondition(lifecycle.isRunning, "nothing starts once the engine drains")
    // Claimed jobs need no mark here: the ledger has rows for their catch-up, and for their runs ahead of a clock that was set
    // back.
    let isAttended = timetable.attended.since <= entry.nominal && entry.nominal <= now
    if !isAttended, entry.cause.isOfSchedule, !timetable.isClaimed(index) {
      timetable.attended.include(entry.nominal)
    }
    if jobs[index].isClosedLoop {
      outcomes.settleLeftOut(index, before: now, now, &effects)
      // A triggered run replaces the next run of the loop. The loop goes on after the triggered run.
      jobs[index].beginLoop(at: now)
      if jobs[index].next != nil { timetable.unplan(index) }
    }
    countRun(1, of: index)
    if entry.cause == .backfill { jobs[index].countBackfilled(1) }
    let run = Run(
      runs.number(), of: entry, job: index, isCounted: jobs[index].isCounted && entry.cause.isOfSchedule,
      at: now)
    startAttempt(runs.insert(run), now, &effects)
  }

  private mutating func startAttempt(_ slot: Int, _ now: WallInstant, _ effects: inout some EffectSink) {
    let index = runs[slot].job
    runs.startAttempt(slot, at: now)
    updateDeadline(slot)
    let reportsCall = reportsCall(slot)
    let brief = StartBrief(
      run: runs[slot].id, job: index, number: runs[slot].attempts,
      expected: jobs[index].definition.policies.expect, reportsCall: reportsCall)
    if jobs[index].movesEntries || runs[slot].cause.repeatsEntry {
      return effects.start(brief, rareAttempt(in: slot, now, reportsCall: reportsCall))
    }
    effects.start(brief, attempt(in: slot, now, reportsCall: reportsCall))
  }

  /// Returns the attempt to be started in `slot` of an entry that may have moved, or of a repetition.
  private mutating func rareAttempt(in slot: Int, _ now: WallInstant, reportsCall: Bool) -> Attempt {
    var attempt = attempt(in: slot, now, reportsCall: reportsCall)
    attempt.movedFrom = noteMove(slot, now)
    attempt.rerun = outcomes.reruns[attempt.entry]
    return attempt
  }

  /// Returns the instants from which the run's entry has moved. Records them with the first attempt, because a reload may change the
  /// schedule.
  private mutating func noteMove(_ slot: Int, _ now: WallInstant) -> [WallInstant] {
    let index = runs[slot].job
    guard jobs[index].movesEntries, runs[slot].cause.isOfSchedule else { return [] }
    let nominal = runs[slot].nominal
    if let known = jobs[index].moves.origins(of: nominal) { return known }
    let origins = jobs[index].definition.schedule.origins(of: nominal)
    if !origins.isEmpty { jobs[index].moves.insert(MovedEntry(nominal: nominal, origins: origins), at: now) }
    return origins
  }

  /// Returns the attempt to be started in `slot`.
  private func attempt(in slot: Int, _ now: WallInstant, reportsCall: Bool) -> Attempt {
    let index = runs[slot].job
    let entry = jobs.key(index, runs[slot].nominal)
    return Attempt(
      run: runs[slot].id, entry: entry, cause: runs[slot].cause, number: runs[slot].attempts, startedAt: now,
      deadline: timeoutAt(slot), cadence: cadence, mode: timetable.mode, entryCount: runs[slot].entryCount,
      previous: jobs[index].previous,
      upstream: runs[slot].cause == .reaction ? outcomes[upstreamOf: entry] : nil, token: runs[slot].token,
      reportsCall: reportsCall)
  }

  /// Records that the run's attempt waits for a plugin host. Its plugin has not been called.
  mutating func attemptWaits(_ run: RunID, _ now: WallInstant, _ effects: inout some EffectSink) {
    guard let slot = runs.slot(of: run), runs[slot].phase != .backingOff, !runs[slot].waitsForHost else {
      return
    }
    runs.beginHostWait(slot)
    guard runs[slot].phase == .waiting else { return }
    if jobs[runs[slot].job].isHandedOver { return handOver(slot, now, &effects) }
    guard lifecycle.isRunning else { return dequeue(slot, &effects) }
    updateDeadline(slot)
    if runs[slot].attempts == 1 {
      timetable.watchForLateness(runs[slot].job, runs[slot].nominal, runs[slot].cause)
    }
  }

  /// Records the call of an attempt's plugin. The timeout counts from the call.
  mutating func attemptBegan(_ run: RunID, late delay: ElapsedTime, _ now: WallInstant) {
    guard let slot = runs.slot(of: run) else { return }
    let hasWaited = runs[slot].waitsForHost
    if reportsCall(slot) { tellBegin(slot, at: hasWaited ? now : runs[slot].startedAt + delay, now) }
    if hasWaited {
      runs.endHostWait(slot)
      runs[slot].callPlugin(at: now)
    } else {
      guard delay > .zero, runs[slot].phase == .running else { return }
      runs[slot].delayAttempt(by: delay)
    }
    if runs[slot].phase == .running { updateDeadline(slot) }
  }

  /// Ends every attempt that waits for a plugin host, because the daemon stops.
  mutating func dequeueWaitingRuns(_ effects: inout some EffectSink) {
    guard runs.hostWaitCount > 0 else { return }
    for slot in Array(runs.occupied) where runs[slot].phase == .waiting { dequeue(slot, &effects) }
  }

  /// Ends the waiting attempt in `slot`.
  mutating func dequeue(_ slot: Int, _ effects: inout some EffectSink) {
    timetable.removeDeadline(of: .run(slot))
    effects.append(.dequeue(runs[slot].id))
  }
}

// Deadlines.
extension Execution {
  /// Returns the instant at which the attempt in `slot` exceeds its job's present timeout; `nil` for never.
  func timeoutAt(_ slot: Int) -> WallInstant? {
    RunDeadline(timeout: jobs[runs[slot].job].timeout).timeoutInstant(of: runs[slot])
  }

  /// Returns the instant from which on the entry of the run in `slot` is too late to be started; `nil` for never.
  func windowEnd(_ slot: Int) -> WallInstant? {
    let run = runs[slot]
    guard run.attempts == 1, run.cause.isOfSchedule, !jobs[run.job].isRetired,
      let window = jobs[run.job].definition.policies.missed.window
    else { return nil }
    return timetable.dueInstant(run.job, of: run.nominal) + window + .nanoseconds(1)
  }

  /// Queues the deadline of a run that waits for a plugin host or has called its plugin.
  mutating func updateDeadline(_ slot: Int) {
    assert(runs[slot].isPending)
    let rule = RunDeadline(
      timeout: jobs[runs[slot].job].timeout,
      waitingTimeout: jobs[runs[slot].job].definition.policies.waitingTimeout,
      patienceEnd: lifecycle.patienceEnd)
    let deadline = rule.deadline(of: runs[slot], windowEnd: windowEnd(slot))
    if let deadline { setDeadline(slot, deadline) } else { timetable.removeDeadline(of: .run(slot)) }
  }

  /// Queues the deadlines of all runs that have called their plugins again, because the engine drains.
  mutating func updateDeadlines() {
    for slot in Array(runs.occupied) where runs[slot].phase == .running { updateDeadline(slot) }
  }

  /// Queues the deadlines of all runs again after their jobs have moved in the table. `moved` has the new index of each job.
  mutating func moveRuns(_ moved: [Int], _ former: [(slot: Int, deadline: WallInstant?)]) {
    for (slot, deadline) in former {
      runs[slot].job = moved[runs[slot].job]
      precondition(runs[slot].job >= 0, "a job with an active run is kept")
      if runs[slot].isPending {
        updateDeadline(slot)
      } else if let deadline {
        setDeadline(slot, deadline)
      }
    }
  }

  /// Queues the deadline of the run in `slot`. Replaces its former deadline.
  mutating func setDeadline(_ slot: Int, _ deadline: WallInstant) {
    timetable.setDeadline(ofRun: slot, of: runs[slot].job, deadline)
  }

  /// Handles the deadline of the run in `slot`, by the phase of the run.
  mutating func runDeadlinePassed(_ slot: Int, _ now: WallInstant, _ effects: inout some EffectSink) {
    switch runs[slot].phase {
    case .waiting:
      dequeue(slot, &effects)
    case .running:
      let isTimeout = timeoutAt(slot).map { $0 <= now } ?? false
      if isTimeout { runs[slot].outlive(jobs[runs[slot].job].timeout ?? .zero) }
      stop(slot, isTimeout ? .timeout : .shutDown, now, &effects)
    case .stopping:
      kill(slot, runs[slot].stopReason ?? .cancel, now, &effects)
    case .backingOff where isHeld(slot):
      timetable.removeDeadline(of: .run(slot))
      // If the last attempt ended with its daemon, the ledger has no record of the next attempt yet.
      if isKept(slot) { noteRetry(slot, at: now, &effects) }
    case .backingOff:
      startAttempt(slot, now, &effects)
    case .killed:
      preconditionFailure("a killed run has no deadline, its end is awaited")
    }
  }

  /// Whether the next attempt of the run waits for the end of its job's pause. Runs of operators do not wait, because they also
  /// start in a pause.
  private func isHeld(_ slot: Int) -> Bool {
    jobs[runs[slot].job].pause != nil && !runs[slot].cause.isOfOperator
  }

  /// Starts the attempts of a job's runs that fell due in a pause, oldest first.
  mutating func startHeldAttempts(_ index: Int, _ now: WallInstant, _ effects: inout some EffectSink) {
    guard runs.backingOffCount > 0 else { return }
    for slot in Array(runs.occupied) where runs[slot].job == index && runs[slot].phase == .backingOff {
      if timetable.deadline(of: .run(slot)) == nil { startAttempt(slot, now, &effects) }
    }
  }

  /// Moves the timeouts, graces and back-offs of all runs by a clock step of `length`. `now` is the time after the step.
  mutating func clockStepped(by length: ElapsedTime, _ now: WallInstant) {
    for slot in Array(runs.occupied) {
      let policies = jobs[runs[slot].job].definition.policies
      runs[slot].clockStepped(by: length, now)
      let deadline = timetable.deadline(of: .run(slot))
      switch (runs[slot].phase, deadline) {
      case (.waiting, _), (.running, _): updateDeadline(slot)
      case (.stopping, let deadline?): setDeadline(slot, min(deadline + length, now + policies.grace))
      case (.backingOff, let deadline?):
        setDeadline(slot, min(deadline + length, now + RetryPlan(policies.retry).longestBackoff))
      case (.stopping, nil), (.backingOff, nil), (.killed, _): break
      }
    }
  }
}

// Stops.
extension Execution {
  /// Stops a run on request. Does nothing if the run is not active.
  mutating func cancel(_ run: RunID, _ now: WallInstant, _ effects: inout some EffectSink) {
    guard let slot = runs.slot(of: run) else { return }
    stop(slot, .cancel, now, &effects)
  }

  /// Asks the run to stop, and begins its grace period. A run between two attempts ends at once.
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

  /// Kills the run's attempt. The end of the attempt is still awaited.
  mutating func kill(
    _ slot: Int, _ reason: StopReason, _ now: WallInstant, _ effects: inout some EffectSink
  ) {
    switch runs[slot].phase {
    case .waiting, .running, .stopping:
      let reason = runs[slot].kill(reason)
      timetable.removeDeadline(of: .run(slot))
      effects.append(.kill(runs[slot].id, reason))
    case .backingOff:
      stop(slot, reason, now, &effects)
    case .killed:
      break
    }
  }
}
