import TimelineCore

/// What becomes of an entry that is ours to run while its job may still be running.
///
/// Named groups with a limit across jobs find their place at the top of ``admit(_:_:_:_:)``: an entry that its
/// group has no room for waits in `buffered` like one that its own job has no room for.
extension EngineState {
  /// Starts the entry, or does what the job's overlap policy says.
  mutating func admit(
    _ index: Int, _ entry: DueEntry, _ now: WallInstant, _ effects: inout [EngineEffect]
  ) {
    assert(lifetime == .running)
    guard jobs[index].runCount > 0 else { return start(index, entry, now, &effects) }
    switch jobs[index].definition.policies.overlap {
    case .skip:
      settle(index, entry, .overlapped, Reason.stillRunning, now, &effects)
    case .bufferOne:
      guard jobs[index].buffered.isEmpty else {
        return settle(index, entry, .overlapped, "another entry was already waiting", now, &effects)
      }
      jobs[index].buffered.append(entry)
    case .bufferAll:
      guard jobs[index].buffered.count < EngineLimits.waitingEntriesMax else {
        return settle(index, entry, .limited, "too many entries were already waiting", now, &effects)
      }
      jobs[index].buffered.append(entry)
    case .cancelOther, .terminateOther:
      takeOver(index, entry, now, &effects)
    case .allowAll:
      guard jobs[index].runCount < EngineLimits.concurrentRunsMax else {
        return settle(index, entry, .limited, "too many runs were in flight", now, &effects)
      }
      start(index, entry, now, &effects)
    }
  }

  /// Stops what runs and lets the newest entry wait for the end of it.
  private mutating func takeOver(
    _ index: Int, _ entry: DueEntry, _ now: WallInstant, _ effects: inout [EngineEffect]
  ) {
    for waiting in jobs[index].buffered {
      settle(index, waiting, .superseded, "a later entry took its place", now, &effects)
    }
    jobs[index].buffered = [entry]
    let isGentle = jobs[index].definition.policies.overlap == .cancelOther
    for slot in Array(runs.occupied) where runs[slot].job == index {
      if isGentle {
        stop(slot, .cancel, now, &effects)
      } else {
        kill(slot, .cancel, now, &effects)
      }
    }
  }

  /// Starts the entry that has waited longest, if nothing runs any more.
  mutating func startBuffered(_ index: Int, _ now: WallInstant, _ effects: inout [EngineEffect]) {
    guard jobs[index].runCount == 0, !jobs[index].buffered.isEmpty else { return }
    assert(
      lifetime == .running && !jobs[index].isRetired, "what waits is settled when nothing may start any more")
    start(index, jobs[index].buffered.removeFirst(), now, &effects)
  }
}
