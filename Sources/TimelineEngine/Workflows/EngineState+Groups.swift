import TimelineCore

// Starts of entries that waited for room in their job or its groups.
extension EngineState {
  /// Takes over the limits, and counts anew who is in which group: a reload may have altered jobs and groups alike.
  mutating func setGroups(_ limits: [GroupName: Int]) {
    groupGate.set(
      limits,
      members: limits.isEmpty
        ? [] : jobs.indices.map { (jobs[$0].definition.policies.groups, jobs[$0].runCount) })
    requeueForGroups()
  }

  /// Makes the queue for groups from nothing, after ranks may have moved forwards in it.
  mutating func requeueForGroups() {
    groupGate.requeue(jobs.indices) { [jobs] in jobs[$0].groupRank }
  }

  /// Counts a run of the job that begins (1) or ends (-1), in the job and in its groups.
  mutating func countRun(_ change: Int, of index: Int) {
    jobs[index].runCount += change
    assert(jobs[index].runCount >= 0)
    groupGate.count(change, of: index)
    // Without room in the job itself it was not in the deadlines.
    if change < 0 { enqueueForGroups(index) }
  }

  /// Queues a job of which an entry waits for its groups, unless it is queued.
  mutating func enqueueForGroups(_ index: Int) {
    guard groupGate.isMember(index), let rank = jobs[index].groupRank else { return }
    groupGate.enqueue(index, rank: rank)
  }

  /// Starts what waits and may start now: entries of this job, or of any whose groups have room.
  mutating func startWaiting(_ index: Int, _ now: WallInstant, _ effects: inout some EffectSink) {
    assert(lifecycle.isRunning || !jobs[index].isBuffering, "what waits is settled in a drain")
    if groupGate.isMember(index) { return startWaitingInGroups(now, &effects) }
    while jobs[index].isBuffering, jobs[index].hasRoom {
      start(index, jobs[index].waiting.takeFirstBuffered(), now, &effects)
    }
  }

  /// Starts the entries that wait for groups, in their order, as far as there is room.
  mutating func startWaitingInGroups(_ now: WallInstant, _ effects: inout some EffectSink) {
    guard !groupGate.isIdle else { return }
    groupGate.beginSearch()
    while let index = groupGate.first(rank: { [jobs] in jobs[$0].groupRank }) {
      if groupGate.admitOrReserve(index) {
        start(index, jobs[index].waiting.takeFirstBuffered(), now, &effects)
      }
    }
  }
}
