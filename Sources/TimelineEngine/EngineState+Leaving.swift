import TimelineCore

/// The end of a daemon that another one follows at once.
extension EngineState {
  /// Starts nothing any more, and leaves open what the next daemon takes up from the ledger.
  ///
  /// That is what waits, what falls due from now on, and runs between two attempts that may be run again after a
  /// daemon's end. What the ledger does not tell, or could only tell as dead, ends as it does in a drain. Runs in
  /// flight go on; a drain may follow.
  mutating func leave(_ now: WallInstant, _ effects: inout some EffectSink) {
    lifetime = .draining
    for index in jobs.indices {
      let waiting = jobs[index].unclaimed + jobs[index].held + jobs[index].buffered
      jobs[index].unclaimed = []
      jobs[index].held = []
      jobs[index].buffered = []
      for entry in waiting where !isLeft(entry, of: index) {
        settle(index, entry, .shutDown, Reason.stopping, now, &effects)
      }
      withdrawNext(index)
      planNext(index, at: nil)
    }
    for slot in Array(runs.occupied) where runs[slot].phase == .pausing {
      if mayRunAgain(slot) {
        let (run, index) = (runs[slot].id, runs[slot].job)
        removeDeadline(slot)
        runs.remove(run)
        take(-1, ofGroupsOf: index)
      } else {
        endRun(slot, .failed, runs[lastMessageIn: slot], now, &effects)
      }
    }
  }

  /// Whether the next daemon finds the entry again, by its claim or by the schedule.
  private func isLeft(_ entry: DueEntry, of index: Int) -> Bool {
    entry.cause.isOfSchedule && isClaimed(index) && !jobs[index].isClosedLoop && !jobs[index].isRetired
  }

  /// Whether the next daemon starts the run's next attempt, for it is promised one even if this daemon had died.
  private func mayRunAgain(_ slot: Int) -> Bool {
    let index = runs[slot].job
    return isClaimed(index) && !jobs[index].isRetired && runs[slot].cause != .reaction
      && jobs[index].definition.policies.delivery == .atLeastOnce
  }
}
