import TimelineCore

/// Start of due entries that may be run here, and the overlap policy for entries whose jobs have no room.
extension EngineState {
  /// Starts the entry, lets it wait, or settles it, as the job's overlap policy says.
  mutating func startOrQueue(
    _ index: Int, _ entry: DueEntry, _ now: WallInstant, _ effects: inout some EffectSink
  ) {
    assert(lifecycle.isRunning)
    if jobs[index].pause != nil, entry.cause.isOfSchedule { return hold(index, entry, now, &effects) }
    let hasRoom = jobs[index].hasRoom
    let decision = OverlapDecision(
      jobs[index].definition.policies.overlap, isAskedFor: entry.isAskedFor, hasRoom: hasRoom,
      mayStart: !jobs[index].isBuffering && groupGate.mayStart(index),
      waiting: jobs[index].waiting.buffered.count,
      waitingMax: jobs[index].definition.policies.waitingMax)
    switch decision {
    case .start:
      return start(index, entry, now, &effects)
    case .overlapped:
      return settle(index, entry, .overlapped, overlapReason(index), now, &effects)
    case .alreadyWaiting:
      return settle(index, entry, .overlapped, Reason.alreadyWaiting, now, &effects)
    case .limited:
      return settleBeyondWaitingMax(index, entry, now, &effects)
    case .wait:
      letWait(index, entry, since: now, now, &effects)
    case .supersede, .supersedeAndCancel, .supersedeAndKill:
      let former = jobs[index].waiting.takeBuffered()
      for waiting in former { settle(index, waiting, .superseded, Reason.superseded, now, &effects) }
      // The job keeps its rank: an entry that comes again and again must not always be the newest.
      letWait(index, entry, since: former.first?.waitingSince ?? now, now, &effects)
    }
    switch decision {
    case .supersedeAndCancel: makeRoom(index, isGentle: true, now, &effects)
    case .supersedeAndKill: makeRoom(index, isGentle: false, now, &effects)
    default: if hasRoom { startWaiting(index, now, &effects) }
    }
  }

  /// Lets the entry wait for room in its job and its groups; its rank counts `since` an instant.
  private mutating func letWait(
    _ index: Int, _ entry: DueEntry, since: WallInstant, _ now: WallInstant, _ effects: inout some EffectSink
  ) {
    var entry = entry
    entry.waitingSince = since
    jobs[index].waiting.buffered.append(entry)
    jobs.noteWaited(index)
    noteWaiting(index, entry, &effects)
    enqueueForGroups(index)
    if !groupGate.noteArrival(at: now) { requeueForGroups() }
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

  /// Stops the oldest runs, as many as are in the way of one more.
  private mutating func makeRoom(
    _ index: Int, isGentle: Bool, _ now: WallInstant, _ effects: inout some EffectSink
  ) {
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
