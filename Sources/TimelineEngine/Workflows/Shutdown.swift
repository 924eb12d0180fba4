import TimelineCore

/// The end of a daemon that another one follows, at once or some day.
///
/// A stop keeps no less than a crash does: what waits, what falls due from now on and runs between two attempts are the next
/// daemon's, as far as the ledger knows of them.
struct Shutdown {
  /// Instant of the event.
  let now: WallInstant

  /// Starts nothing any more, and leaves open what the next daemon takes up from the ledger.
  ///
  /// Entries that the ledger does not know end as they do in a drain. Active runs go on; a drain may follow.
  func leave(_ dispatch: inout Dispatch, _ effects: inout some EffectSink) {
    dispatch.timetable.lifecycle.leave(at: now)
    dispatch.outcomes.settleAllLeftOut(before: now, now, &effects)
    for index in dispatch.jobs.indices {
      // Of these the ledger has not been told, and the schedule does not bring them.
      let isOwn = { [isLoop = dispatch.jobs[index].isClosedLoop] (entry: DueEntry) in
        isLoop || !entry.cause.isOfSchedule
      }
      let unasked = Set(dispatch.jobs[index].waiting.unclaimed.filter(isOwn).map(\.nominal))
      for entry in dispatch.jobs[index].waiting.takeAll()
      where unasked.contains(entry.nominal) || !isLeft(entry, of: index, dispatch) {
        dispatch.outcomes.settle(index, entry, .shutDown, Reason.stopping, now, &effects)
      }
      // One that its jitter puts off is not given up: something after its nominal instant may have been settled.
      if dispatch.jobs[index].next.map({ $0 > now }) ?? false { dispatch.timetable.withdrawNext(index) }
      dispatch.timetable.planNext(index, at: nil)
    }
    dispatch.execution.dequeueWaitingRuns(&effects)
    dispatch.execution.endBackOffs(now, &effects)
  }

  /// Starts nothing any more: what waits ends as `shut-down`, what runs has `patience` to end.
  func drain(_ patience: ElapsedTime?, _ dispatch: inout Dispatch, _ effects: inout some EffectSink) {
    dispatch.timetable.lifecycle.drain(patience, at: now)
    dispatch.outcomes.settleAllLeftOut(before: now, now, &effects)
    for index in dispatch.jobs.indices {
      dispatch.outcomes.settleWaiting(index, .shutDown, Reason.stopping, now, &effects)
    }
    dispatch.execution.dequeueWaitingRuns(&effects)
    dispatch.execution.updateDeadlines()
    dispatch.execution.endBackOffs(now, &effects)
  }

  /// Whether the next daemon finds the entry again, by what the ledger knows of it or by the schedule.
  private func isLeft(_ entry: DueEntry, of index: Int, _ dispatch: Dispatch) -> Bool {
    if dispatch.outcomes.isKept(entry, of: index) { return true }
    // Of entries that are counted the ledger keeps how far they have come.
    return dispatch.timetable.hasLedger && !dispatch.jobs[index].isRetired
      && dispatch.execution.comesAgain(entry, of: index)
  }
}
