package import TimelineCore

/// The end of a daemon that another one follows, at once or some day.
///
/// A stop keeps no less than a crash does: what waits, what falls due from now on and runs between two attempts are the next
/// daemon's, as far as the ledger knows of them.
extension EngineState {
  /// Starts nothing any more, and leaves open what the next daemon takes up from the ledger.
  ///
  /// Entries that the ledger does not know end as they do in a drain. Active runs go on; a drain may follow.
  mutating func leave(_ now: WallInstant, _ effects: inout some EffectSink) {
    lifecycle.leave(at: now)
    for index in jobs.indices {
      // Of these the ledger has not been told, and the schedule does not bring them.
      let isOwn = { [isLoop = jobs[index].isClosedLoop] (entry: DueEntry) in
        isLoop || !entry.cause.isOfSchedule
      }
      let unasked = Set(jobs[index].waiting.unclaimed.filter(isOwn).map(\.nominal))
      for entry in jobs[index].waiting.takeAll()
      where unasked.contains(entry.nominal) || !isLeft(entry, of: index) {
        settle(index, entry, .shutDown, Reason.stopping, now, &effects)
      }
      // One that its jitter puts off is not given up: something after its nominal instant may have been settled.
      if jobs[index].next.map({ $0 > now }) ?? false { withdrawNext(index) }
      planNext(index, at: nil)
    }
    dequeueWaitingRuns(&effects)
    for slot in Array(runs.occupied) where runs[slot].phase == .backingOff {
      endBetweenAttempts(slot, now, &effects)
    }
  }

  /// Starts nothing any more: what waits ends as `shut-down`, what runs has `patience` to end.
  mutating func drain(_ patience: ElapsedTime?, _ now: WallInstant, _ effects: inout some EffectSink) {
    lifecycle.drain(patience, at: now)
    for index in jobs.indices {
      settleWaiting(index, .shutDown, Reason.stopping, now, &effects)
    }
    dequeueWaitingRuns(&effects)
    for slot in Array(runs.occupied) {
      switch runs[slot].phase {
      case .running: updateDeadline(slot)
      case .backingOff: endBetweenAttempts(slot, now, &effects)
      case .waiting, .stopping, .killed: break
      }
    }
  }

  /// Settles every due entry of the job that has not been started.
  mutating func settleWaiting(
    _ index: Int, _ outcome: Outcome, _ reason: String, _ now: WallInstant,
    _ effects: inout some EffectSink
  ) {
    for entry in jobs[index].waiting.takeAll() { settle(index, entry, outcome, reason, now, &effects) }
  }

  /// Ends a run between two attempts because the daemon ends, or leaves it to the next one.
  mutating func endBetweenAttempts(_ slot: Int, _ now: WallInstant, _ effects: inout some EffectSink) {
    if lifecycle.isLeaving, isKept(slot) {
      forget(slot, now, &effects)
    } else {
      endRun(slot, .failed, runs[lastMessageIn: slot], now, &effects)
    }
  }

  /// Whether the next daemon finds the entry again, by what the ledger knows of it or by the schedule.
  private func isLeft(_ entry: DueEntry, of index: Int) -> Bool {
    if isKept(entry, of: index) { return true }
    // Of entries that are counted the ledger keeps how far they have come.
    return claims.hasLedger && !jobs[index].isRetired && entry.cause.isOfSchedule && !jobs[index].isClosedLoop
      && entry.nominal > jobs[index].settledWhileWaiting
      && !runs.occupied.contains {
        runs[$0].job == index && runs[$0].cause.isOfSchedule && runs[$0].nominal > entry.nominal
      }
  }

  /// Whether the ledger keeps that the entry waits.
  func isKept(_ entry: DueEntry, of index: Int) -> Bool {
    claims.hasLedger && !jobs[index].isRetired && !(jobs[index].isCounted && entry.cause.isOfSchedule)
  }

  /// Whether the ledger keeps when the run's next attempt is due.
  func isKept(_ slot: Int) -> Bool {
    let (index, cause) = (runs[slot].job, runs[slot].cause)
    // A reload may have changed the schedule since the run was started.
    let isCounted = runs[slot].isCounted || jobs[index].isCounted && cause.isOfSchedule
    return claims.hasLedger && !jobs[index].isRetired && !isCounted
      && (cause != .reaction || reactions[upstreamOf: jobs.key(index, runs[slot].nominal)] != nil)
  }

  /// Has the ledger keep that the entry waits, where it does that.
  func noteWaiting(_ index: Int, _ entry: DueEntry, _ effects: inout some EffectSink) {
    guard isKept(entry, of: index) else { return }
    let key = jobs.key(index, entry.nominal)
    effects.append(
      .noteWaiting(
        WaitingEntry(
          entry: key, cause: entry.cause, isAskedFor: entry.isAskedFor,
          upstream: entry.cause == .reaction ? reactions[upstreamOf: key] : nil)))
  }

  /// Whether the next daemon starts the run again, for it is promised that even if this daemon had died.
  func isLeftToRunAgain(_ slot: Int) -> Bool {
    guard lifecycle.isLeaving, isKept(slot) else { return false }
    let policies = jobs[runs[slot].job].definition.policies
    return policies.delivery == .atLeastOnce && runs[slot].attempts < RetryPlan(policies.retry).startsMax
  }

  /// Last instant at which what falls due is decided here.
  package var attendedThrough: WallInstant { lifecycle.leftAt ?? lastSeen }
}
