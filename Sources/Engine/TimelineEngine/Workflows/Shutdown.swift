import TimelineCore

/// The end of a daemon that is followed by another one, at once or later.
///
/// A stop keeps at least as much as a crash. Waiting entries, entries that fall due from now on, and runs between two attempts
/// are left to the next daemon if the ledger has them.
struct Shutdown {
  let now: WallInstant

  /// Stops all starts. Leaves open the work that the next daemon takes up from the ledger.
  ///
  /// Entries that the ledger does not have end as in a drain. Active runs go on. A drain may follow.
  func leave(_ dispatch: inout Dispatch, _ effects: inout some EffectSink) {
    dispatch.timetable.lifecycle.leave(at: now)
    dispatch.outcomes.settleAllLeftOut(before: now, now, &effects)
    for index in dispatch.jobs.indices {
      // The ledger has no record of these entries, and the schedule does not bring them.
      let isOwn = { [isLoop = dispatch.jobs[index].isClosedLoop] (entry: DueEntry) in
        isLoop || !entry.cause.isOfSchedule
      }
      let unasked = Set(dispatch.jobs[index].waiting.unclaimed.filter(isOwn).map(\.nominal))
      for entry in dispatch.jobs[index].waiting.takeAll()
      where unasked.contains(entry.nominal) || !isLeft(entry, of: index, dispatch) {
        dispatch.outcomes.settle(index, entry, .shutDown, Reason.stopping, now, &effects)
      }
      // An entry that jitter delays is not given up: an entry after its nominal instant may have been settled.
      if dispatch.jobs[index].next.map({ $0 > now }) ?? false { dispatch.timetable.withdrawNext(index) }
      dispatch.timetable.planNext(index, at: nil)
    }
    dispatch.execution.dequeueWaitingRuns(&effects)
    dispatch.execution.endBackOffs(now, &effects)
  }

  /// Stops all starts: waiting entries end as `shut-down`, and active runs have `patience` to end.
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

  /// Whether the next daemon finds the entry again, in the ledger or through the schedule.
  private func isLeft(_ entry: DueEntry, of index: Int, _ dispatch: Dispatch) -> Bool {
    if dispatch.outcomes.isKept(entry, of: index) { return true }
    // For counted entries the ledger keeps the instant up to which they are decided.
    return dispatch.timetable.hasLedger && !dispatch.jobs[index].isRetired
      && dispatch.execution.comesAgain(entry, of: index)
  }
}
