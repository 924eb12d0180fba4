import TimelineCore

/// Start of due entries that may be run here, and the overlap policy for entries whose jobs have no room.
extension EngineState {
  /// Starts the entry, lets it wait for its groups, or does what the job's overlap policy says.
  ///
  /// The overlap policy is asked when the job has no room for another run of its own. When only a group is full the
  /// job is not in its own way, so even under `skip` its entry waits: one entry a job, and later ones are overlapped.
  mutating func startOrQueue(
    _ index: Int, _ entry: DueEntry, _ now: WallInstant, _ effects: inout some EffectSink
  ) {
    assert(phase == .running)
    if jobs[index].pause != nil, entry.cause.isOfSchedule { return hold(index, entry, now, &effects) }
    guard jobs[index].hasRoom else { return overlap(index, entry, now, &effects) }
    if mayStart(index) { return start(index, entry, now, &effects) }
    let isInLine = queueUp(index, entry, now, &effects)
    if isInLine { startWaiting(index, now, &effects) }
  }

  /// Does what the overlap policy says about an entry whose job has no room.
  private mutating func overlap(
    _ index: Int, _ entry: DueEntry, _ now: WallInstant, _ effects: inout some EffectSink
  ) {
    switch jobs[index].definition.policies.overlap {
    case .skip where !entry.isAskedFor:
      settle(index, entry, .overlapped, overlapReason(index), now, &effects)
    case .skip, .bufferOne, .bufferAll, .allowAll:
      _ = queueUp(index, entry, now, &effects)
    case .cancelOther, .terminateOther:
      _ = queueUp(index, entry, now, &effects)
      makeRoom(index, now, &effects)
    }
  }

  /// Reason why an entry is not run beside those before it: not all of these need be running.
  func overlapReason(_ index: Int) -> String {
    guard runs.hostWaitCount > 0 else { return Reason.stillRunning }
    let isRunning = runs.occupied.contains { runs[$0].job == index && !runs[$0].waitsForHost }
    return isRunning ? Reason.stillRunning : Reason.previousWaited
  }

  /// Whether one more entry of the job may wait, behind `count` others.
  func mayWait(_ index: Int, behind count: Int) -> Bool {
    count < jobs[index].definition.policies.waitingMax
  }

  /// Settles an entry for which there is no room to wait.
  mutating func settleBeyondWaitingMax(
    _ index: Int, _ entry: DueEntry, _ now: WallInstant, _ effects: inout some EffectSink
  ) {
    let bound = jobs[index].definition.policies.waitingMax
    settle(
      index, entry, .limited,
      "as many entries waited as `waiting-max` allows (\(bound)): raise it, or have the job run less often",
      now, &effects)
  }

  /// Lets the entry wait for room as the overlap policy allows; `false` when it was settled instead.
  private mutating func queueUp(
    _ index: Int, _ entry: DueEntry, _ now: WallInstant, _ effects: inout some EffectSink
  ) -> Bool {
    var entry = entry
    entry.waitingSince = now
    switch jobs[index].definition.policies.overlap {
    // What somebody asked for at the end of a pause is run one after the other, and not dropped for what came before it.
    case .skip where !entry.isAskedFor, .bufferOne where !entry.isAskedFor:
      guard jobs[index].buffered.isEmpty else {
        settle(index, entry, .overlapped, Reason.alreadyWaiting, now, &effects)
        return false
      }
    case .skip, .bufferOne, .bufferAll, .allowAll:
      guard mayWait(index, behind: jobs[index].buffered.count) else {
        settleBeyondWaitingMax(index, entry, now, &effects)
        return false
      }
    case .cancelOther, .terminateOther:
      let former = jobs[index].buffered
      jobs[index].buffered = []
      // The place in the line is the job's: an entry that comes again and again must not always be the newest.
      if let first = former.first { entry.waitingSince = first.waitingSince }
      for waiting in former {
        settle(index, waiting, .superseded, Reason.superseded, now, &effects)
      }
    }
    jobs[index].buffered.append(entry)
    noteWaited(index)
    noteWaiting(index, entry, &effects)
    noteWaiting(index)
    // Places only ever get later; a clock that went back by a little, which is no step, breaks that.
    if now < lastArrival { rebuildGroupQueues() }
    lastArrival = now
    return true
  }

  /// Stops the oldest runs, as many as are in the way of one more.
  private mutating func makeRoom(_ index: Int, _ now: WallInstant, _ effects: inout some EffectSink) {
    let isGentle = jobs[index].definition.policies.overlap == .cancelOther
    let own = runs.occupied.filter { slot in
      runs[slot].job == index && runs[slot].phase != .killed && !(isGentle && runs[slot].phase == .stopping)
    }
    let bound = max(1, jobs[index].definition.policies.concurrency)
    for slot in own.prefix(max(0, own.count - bound + 1)) {
      runs[slot].isSuperseded = true
      if isGentle {
        stop(slot, .cancel, now, &effects)
      } else {
        kill(slot, .cancel, now, &effects)
      }
    }
  }
}
