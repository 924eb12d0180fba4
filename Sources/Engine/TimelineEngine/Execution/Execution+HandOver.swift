import TimelineCore

/// Runs of a job that is handed over to another node.
extension Execution {
  /// Leaves a run whose plugin is not being called to the next owner of its job. A run whose plugin is called continues.
  mutating func handOver(_ slot: Int, _ now: WallInstant, _ effects: inout some EffectSink) {
    switch runs[slot].phase {
    case .backingOff:
      if isKnownHereAlone(slot) {
        giveUp(slot, because: "this node lost the job", now, &effects)
      } else {
        forget(slot, now, &effects)
      }
    case .waiting:
      runs[slot].handOver()
      dequeue(slot, &effects)
    case .running, .stopping, .killed:
      break
    }
  }

  /// Takes back a run whose job was handed over, because the next owner is this node. In between another node may have used a
  /// token that is higher than the run's token.
  mutating func takeBack(_ slot: Int, token: Int64?) {
    runs[slot].renewClaim(token)
    if !isKnownHereAlone(slot) { runs[slot].takeBack() }
  }

  /// Handles the end of the attempt in `slot`. Its job was handed over before its plugin was called.
  mutating func handedOverAttemptEnded(_ slot: Int, _ now: WallInstant, _ effects: inout some EffectSink) {
    let run = runs[slot]
    forgetMove(slot)
    if run.attempts > 1 {
      runs.revertAttempt(slot)
      if run.unstartedOwner == .hereAgain {
        setDeadline(slot, now)
      } else {
        handOver(slot, now, &effects)
      }
    } else if run.unstartedOwner == .hereAgain {
      startAgain(slot, now, &effects)
    } else if isKnownHereAlone(slot) || isGivenUpForGood(slot) {
      endUnstarted(slot, .missed, Reason.handedOver(run.cause), now, &effects)
    } else {
      forget(slot, now, &effects)
    }
  }

  /// Ends a run whose plugin was not called. Starts its entry again before the waiting entries, which came later. A daemon
  /// that stops leaves the entry to the next daemon, or settles it.
  private mutating func startAgain(_ slot: Int, _ now: WallInstant, _ effects: inout some EffectSink) {
    let run = runs[slot]
    let entry = DueEntry(
      nominal: run.nominal, cause: run.cause, entryCount: run.entryCount, token: run.token)
    guard lifecycle.isRunning else {
      forget(slot, now, &effects)
      if !lifecycle.isLeaving || !outcomes.isKept(entry, of: run.job) {
        outcomes.settle(run.job, entry, .shutDown, Reason.stopping, now, &effects)
      }
      return
    }
    remove(slot)
    if jobs[run.job].isClosedLoop { timetable.planClosedLoop(run.job, now) }
    queueFirst(run.job, entry, since: run.startedAt, &effects)
    startWaiting(run.job, now, &effects)
  }

  /// Whether the next owner of the job cannot get the entry of the run in `slot`: no schedule brings the entry, or it has no
  /// claim.
  private func isKnownHereAlone(_ slot: Int) -> Bool {
    let job = jobs[runs[slot].job]
    return !runs[slot].cause.isOfSchedule || job.isClosedLoop || job.isCounted || runs[slot].isCounted
  }

  /// Whether the claim of the run's entry in `slot` was given up, and no schedule brings the entry to the next owner of the
  /// job. The claim of an entry that is run again is not given up.
  private func isGivenUpForGood(_ slot: Int) -> Bool {
    let run = runs[slot]
    return jobs[run.job].isGivenUp && run.cause != .recovery
      && !comesAgain(DueEntry(nominal: run.nominal, cause: run.cause), of: run.job)
  }

  /// Whether the schedule brings a due entry again to an owner that goes on from the last settled entry.
  func comesAgain(_ entry: DueEntry, of index: Int) -> Bool {
    entry.cause.isOfSchedule && !jobs[index].isClosedLoop
      && entry.nominal > jobs[index].lastSettled && !runs.hasRun(of: index, after: entry.nominal)
  }
}
