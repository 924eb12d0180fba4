import TimelineCore

/// What becomes of an entry that is ours to run while its job has as many runs as it may have.
extension EngineState {
  /// Starts the entry, lets it wait for its groups, or does what the job's overlap policy says.
  ///
  /// The overlap policy is asked when the job has no room for another run of its own. When only a group is full the
  /// job is not in its own way, so even under `skip` its entry waits: one entry a job, and later ones are overlapped.
  mutating func admit(
    _ index: Int, _ entry: DueEntry, _ now: WallInstant, _ effects: inout some EffectSink
  ) {
    assert(lifetime == .running)
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
      settle(index, entry, .overlapped, Reason.stillRunning, now, &effects)
    case .skip, .bufferOne, .bufferAll:
      _ = queueUp(index, entry, now, &effects)
    case .cancelOther, .terminateOther:
      _ = queueUp(index, entry, now, &effects)
      makeRoom(index, now, &effects)
    case .allowAll:
      settle(index, entry, .limited, "too many runs were in flight", now, &effects)
    }
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
      guard jobs[index].buffered.count < EngineLimits.waitingEntriesMax else {
        settle(index, entry, .limited, "too many entries were already waiting", now, &effects)
        return false
      }
    case .cancelOther, .terminateOther:
      let former = jobs[index].buffered
      jobs[index].buffered = []
      // The place in the line is the job's: an entry that comes again and again must not always be the newest.
      if let first = former.first { entry.waitingSince = first.waitingSince }
      for waiting in former {
        settle(index, waiting, .superseded, "a later entry took its place", now, &effects)
      }
    }
    jobs[index].buffered.append(entry)
    noteWaited(index)
    noteWaiting(index, entry, &effects)
    noteWaiting(index)
    // Places only ever get later; a clock that went back by a little, which is no step, breaks that.
    if now < lastArrival { lineUpAnew() }
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
      if isGentle {
        stop(slot, .cancel, now, &effects)
      } else {
        kill(slot, .cancel, now, &effects)
      }
    }
  }
}
