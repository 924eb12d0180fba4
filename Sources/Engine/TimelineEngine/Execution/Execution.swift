import TimelineCore

/// The active runs, and the due entries that wait for room.
///
/// A due entry that may run here starts at once, waits, or is settled, by the overlap policy of its job. The end of a run
/// starts the entries that waited for it.
struct Execution: Sendable {
  /// Outcomes of entries, with the timetable of the jobs.
  var outcomes: Outcomes
  var runs: RunTable
  /// Limits of groups, and the jobs that wait for them.
  private(set) var groupGate = GroupGate()
  /// Cadence of the daemon, passed to runs.
  var cadence: Cadence

  /// Makes an execution without runs. The next run has a number greater than `last`.
  init(of timetable: Timetable, after last: RunID, cadence: Cadence) {
    outcomes = Outcomes(of: timetable)
    runs = RunTable(after: last)
    self.cadence = cadence
  }

  /// The jobs and the next entry of each.
  var timetable: Timetable {
    _read { yield outcomes.timetable }
    _modify { yield &outcomes.timetable }
  }
  var jobs: JobTable {
    _read { yield outcomes.timetable.jobs }
    _modify { yield &outcomes.timetable.jobs }
  }
  /// Whether the engine starts runs, drains, or has ended.
  var lifecycle: Lifecycle { timetable.lifecycle }
}

// Entries that may be run.
extension Execution {
  /// Starts the entry, queues it, or settles it, by the job's overlap policy.
  mutating func startOrQueue(
    _ index: Int, _ entry: DueEntry, _ now: WallInstant, _ effects: inout some EffectSink
  ) {
    assert(lifecycle.isRunning)
    if jobs[index].pause != nil, entry.cause.isOfSchedule { return hold(index, entry, now, &effects) }
    let hasRoom = jobs[index].hasRoom
    let decision = OverlapDecision(
      entry.cause == .backfill ? .bufferAll : jobs[index].definition.policies.overlap,
      isAskedFor: entry.isAskedFor, hasRoom: jobs[index].hasRoomOfItsOwn,
      mayStart: hasRoom && !jobs[index].isBuffering && groupGate.mayStart(index),
      waiting: jobs[index].waiting.reportedCount,
      waitingMax: jobs[index].definition.policies.waitingMax)
    switch decision {
    case .start:
      return start(index, entry, now, &effects)
    case .overlapped:
      return outcomes.settle(index, entry, .overlapped, overlapReason(index), now, &effects)
    case .alreadyWaiting:
      return outcomes.settle(index, entry, .overlapped, Reason.alreadyWaiting, now, &effects)
    case .limited:
      return outcomes.settleBeyondWaitingMax(index, entry, now, &effects)
    case .wait:
      letWait(index, entry, since: now, now, &effects)
    case .supersede(let stop):
      let former = jobs[index].waiting.takeReported()
      for waiting in former {
        outcomes.settle(index, waiting, .superseded, Reason.superseded, now, &effects)
      }
      // The job keeps its rank. Otherwise an entry that comes again and again would always be the newest.
      letWait(index, entry, since: former.first?.waitingSince ?? now, now, &effects)
      if let stop { return makeRoom(index, by: stop, now, &effects) }
    }
    // The entry waits only for its groups.
    if hasRoom { startWaiting(index, now, &effects) }
  }

  /// Queues an entry that had room but was not run. It waits for room ahead of the other entries of its job, or for the end of
  /// a pause. Its rank counts from `since`, for example the instant of its start.
  mutating func queueFirst(
    _ index: Int, _ entry: DueEntry, since: WallInstant, _ effects: inout some EffectSink
  ) {
    if jobs[index].pause != nil, entry.cause.isOfSchedule {
      jobs[index].waiting.hold(entry, isFirst: true)
      jobs.noteWaited(index)
      return outcomes.noteWaiting(index, entry, &effects)
    }
    jobs[index].waiting.awaitRoom(entry, since: since, isFirst: true)
    noteWait(index, entry, &effects)
    // The rank of the job is now earlier than before.
    requeueForGroups()
  }

  /// Holds a due entry until the pause of its job ends.
  private mutating func hold(
    _ index: Int, _ entry: DueEntry, _ now: WallInstant, _ effects: inout some EffectSink
  ) {
    guard jobs[index].mayWait(behind: jobs[index].waiting.held.count) else {
      return outcomes.settleBeyondWaitingMax(index, entry, now, &effects)
    }
    jobs[index].waiting.hold(entry)
    jobs.noteWaited(index)
    outcomes.noteWaiting(index, entry, &effects)
  }

  /// Queues the entry for room in its job and its groups. Its rank counts from `since`.
  private mutating func letWait(
    _ index: Int, _ entry: DueEntry, since: WallInstant, _ now: WallInstant, _ effects: inout some EffectSink
  ) {
    jobs[index].waiting.awaitRoom(entry, since: since)
    noteWait(index, entry, &effects)
    enqueueForGroups(index)
    if !groupGate.noteArrival(at: now) { requeueForGroups() }
  }

  private mutating func noteWait(_ index: Int, _ entry: DueEntry, _ effects: inout some EffectSink) {
    jobs.noteWaited(index)
    timetable.watchForLateness(index, entry.nominal, entry.cause)
    outcomes.noteWaiting(index, entry, &effects)
  }

  /// Returns the reason why an entry does not run beside the earlier runs of its job. All these runs may be waiting.
  func overlapReason(_ index: Int) -> String {
    guard runs.hostWaitCount + runs.backingOffCount > 0 else { return Reason.stillRunning }
    let own = runs.occupied.lazy.map { runs[$0] }.filter { $0.job == index }
    if own.contains(where: { !$0.isIdle }) { return Reason.stillRunning }
    return own.contains(where: \.waitsForHost) ? Reason.previousWaited : Reason.previousFailed
  }

  /// Stops the oldest runs, as many as necessary to make room for one more.
  private mutating func makeRoom(
    _ index: Int, by means: OverlapDecision.Stop, _ now: WallInstant, _ effects: inout some EffectSink
  ) {
    let own = runs.occupied.filter { slot in
      runs[slot].job == index && runs[slot].phase != .killed
        && !(means == .ask && runs[slot].phase == .stopping)
    }
    let bound = max(1, jobs[index].definition.policies.concurrency)
    for slot in own.prefix(max(0, own.count - bound + 1)) {
      runs[slot].supersede()
      switch means {
      case .ask: stop(slot, .cancel, now, &effects)
      case .kill: kill(slot, .cancel, now, &effects)
      }
    }
  }
}

// Starts of waiting entries.
extension Execution {
  /// Sets the limits, and counts the runs in each group again, because a reload may have changed jobs and groups.
  mutating func setGroups(_ limits: [GroupName: Int]) {
    groupGate.set(
      limits,
      members: limits.isEmpty
        ? [] : jobs.indices.map { (jobs[$0].definition.policies.groups, jobs[$0].runCount) })
    requeueForGroups()
  }

  /// Rebuilds the queue for groups, after ranks may have moved forwards.
  mutating func requeueForGroups() {
    groupGate.requeue(jobs.indices) { [jobs] in jobs[$0].groupRank }
  }

  /// Counts a run of the job that begins (1) or ends (-1), in the job and in its groups.
  mutating func countRun(_ change: Int, of index: Int) {
    jobs[index].countRun(change)
    groupGate.count(change, of: index)
    // The job was not in the queue while it had no room.
    if change < 0 { enqueueForGroups(index) }
  }

  /// Queues a job with an entry that waits for its groups, unless the job is queued.
  private mutating func enqueueForGroups(_ index: Int) {
    guard groupGate.isMember(index), let rank = jobs[index].groupRank else { return }
    groupGate.enqueue(index, rank: rank)
  }

  /// Starts waiting entries that may start now: entries of this job, or of any job whose groups have room.
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
