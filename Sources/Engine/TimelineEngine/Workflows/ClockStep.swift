import TimelineCore

/// A step of the system clock. Every deadline is computed again.
///
/// Lengths of time (timeouts, grace, back-offs, the interval of a closed loop) move with the clock. Entries are dates and do
/// not move: entries that a step forwards jumped over are missed, and the missed policy applies. After a step backwards, an
/// entry that was decided when it fell due is never run again, and entries that had been jumped over come at their time.
/// ``JobStatus/settledThrough`` shows until when a job starts no entry.
struct ClockStep {
  /// Length by which the wall clock moved relative to elapsed time.
  let length: ElapsedTime
  /// Entries later than now that have a run or an outcome of their own in the ledger, also outside schedules.
  let decided: DecidedEntries
  /// Instant that the clock shows after the step.
  let now: WallInstant

  /// Moves all lengths of time, and plans the next entry of each job again.
  func perform(_ dispatch: inout Dispatch, _ effects: inout some EffectSink) {
    // Until just before the step, as far as its length is known.
    dispatch.outcomes.settleAllLeftOut(before: max(dispatch.timetable.lastSeen, now - length), now, &effects)
    dispatch.timetable.attended.step(from: dispatch.timetable.attendedThrough, to: now)
    dispatch.timetable.lastSeen = now
    // A step forwards brings no list, and the former list still applies.
    if !decided.isEmpty { dispatch.timetable.taken = TakenInstants(decided) }
    dispatch.timetable.lifecycle.clockStepped(by: length)
    dispatch.execution.clockStepped(by: length, now)
    for index in dispatch.jobs.indices { replan(index, &dispatch, &effects) }
    dispatch.timetable.watermarks.flush(&effects)
    dispatch.execution.requeueForGroups()
    // The entries settled above may have blocked others.
    if dispatch.lifecycle.isRunning { dispatch.execution.startWaitingInGroups(now, &effects) }
  }

  private func replan(_ index: Int, _ dispatch: inout Dispatch, _ effects: inout some EffectSink) {
    dispatch.timetable.noteDecidedAhead(index, decided, dispatch.execution.runs, now)
    if dispatch.jobs[index].pause == nil { dispatch.settleWaitingAhead(index, now, &effects) }
    dispatch.timetable.goBackWithClock(index, dispatch.execution.runs, now)
    let awaySince = dispatch.timetable.restoreFormerWatermark(index, now)
    dispatch.timetable.noteMovedAhead(index)
    dispatch.jobs[index].clockStepped(by: length, now)
    if !dispatch.jobs[index].failures.incidents.isEmpty { dispatch.timetable.planReminder(index) }
    if dispatch.jobs[index].isClosedLoop {
      dispatch.timetable.replan(index, since: now, now)
    } else if awaySince != nil
      || dispatch.jobs[index].next.map({ $0 > now }) ?? !dispatch.jobs[index].isRetired
    {
      dispatch.timetable.replan(index, since: awaySince ?? now, now)
    }
  }
}

extension Dispatch {
  /// Settles the waiting entries ahead of the clock of a job that is about to go on. These entries would start after entries
  /// that come later.
  mutating func settleWaitingAhead(_ index: Int, _ now: WallInstant, _ effects: inout some EffectSink) {
    guard jobs[index].watermark.instant > now, !jobs[index].isClosedLoop, !jobs[index].isRetired,
      jobs[index].waitingEntries > 0
    else { return }
    for entry in jobs[index].waiting.takeAhead(of: now) {
      timetable.leaveUnasked(index, entry.nominal)
      jobs[index].watermark.decide(entry.nominal)
      // For a claimed job, the ledger has the entry.
      if !timetable.isClaimed(index) { timetable.attended.include(entry.nominal) }
      outcomes.settle(index, entry, .missed, Reason.setBack, now, &effects)
    }
  }
}
