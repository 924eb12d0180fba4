import TimelineCore

/// Takeover from an earlier daemon, or from an earlier owner of jobs: what these had decided, runs that it left open, and entries that
/// waited.
struct Takeover {
  /// The nominal instant of each job's last settled entry.
  let watermarks: [JobName: WallInstant]
  /// Entries that jobs had decided before the clock was set back.
  let repeated: RepeatedTime
  /// Runs that an earlier daemon left open, and entries that it left unstarted.
  let open: [OpenRun]
  /// Instants since which jobs are paused.
  let paused: [JobName: WallInstant]
  /// The jobs whose last run failed.
  let failing: Set<JobName>
  /// Incidents of an earlier daemon, or owner.
  let incidents: [IncidentNote]
  /// Instant at which the engine is made, or becomes the owner.
  let now: WallInstant
  /// Whether another node may have owned the jobs. A watermark later than now is then that of a clock that is ahead, and holds.
  let isOfCluster: Bool
  /// Work that is decided with the first event.
  var inherited = InheritedWork()

  /// A takeover that has not been performed.
  init(
    watermarks: [JobName: WallInstant], repeated: RepeatedTime, open: [OpenRun],
    paused: [JobName: WallInstant], failing: Set<JobName>, incidents: [IncidentNote] = [],
    at now: WallInstant, isOfCluster: Bool = false
  ) {
    (self.watermarks, self.repeated, self.open) = (watermarks, repeated, open)
    (self.paused, self.failing, self.now) = (paused, failing, now)
    (self.incidents, self.isOfCluster) = (incidents, isOfCluster)
  }

  /// Takes some jobs over, plans the first entry of each, and returns the work that is decided next.
  mutating func perform(_ execution: inout Execution, of indices: some Sequence<Int>) -> InheritedWork {
    for index in indices { noteRepeated(index, &execution) }
    takeOverRuns(&execution)
    settleGaps(execution.jobs)
    let hostsLiveOn = open.contains(where: \.isAlive)
    for run in open where run.attempts == 0 { takeOverEntry(run, hostsLiveOn, &execution) }
    inherited.sort()
    for index in indices {
      if failing.contains(execution.jobs[index].definition.name) {
        execution.jobs[index].failures.noteFormerFailure()
      }
      begin(index, &execution)
    }
    for note in incidents { takeOver(note, &execution) }
    return inherited
  }

  /// Has a job go on with its incident, unless it counts failures in another way now.
  private mutating func takeOver(_ note: IncidentNote, _ execution: inout Execution) {
    guard let incident = note.incident, let index = execution.jobs.index(named: note.job),
      execution.jobs[index].definition.policies.reactions.policy(of: note.kind) == note.policy
    else { return inherited.drop(note) }
    execution.jobs[index].failures.restore(incident, of: note.kind, at: now)
    execution.timetable.planReminder(index)
  }

  /// Takes over what the job had decided before the clock was set back, as the ledger has kept it.
  private func noteRepeated(_ index: Int, _ execution: inout Execution) {
    let definition = execution.jobs[index].definition
    execution.timetable.noteDecidedAhead(index, repeated.decided, execution.runs, now)
    guard let furthest = repeated.furthest[definition.name], execution.timetable.isClaimed(index) else {
      return
    }
    let spans = (repeated.ranges[definition.name] ?? []).filter(definition.hasEntries(atEndsOf:))
    // Records stand for entries up to there, also if the clock has come past it: it may be set back once more.
    execution.jobs[index].watermark.setFormer(furthest, sharing: spans)
    // The end of a pause decides about all that fell due in it.
    guard furthest <= now, paused[definition.name] == nil else { return }
    // What the clock did not show again keeps the outcome that it has.
    for span in spans { execution.jobs[index].watermark.decide(span) }
  }

  /// Has a job begin after what an earlier daemon decided: entries since then fell due while nobody was there.
  private mutating func begin(_ index: Int, _ execution: inout Execution) {
    let name = execution.jobs[index].definition.name
    var since = watermarks[name] ?? now
    if let start = paused[name] {
      execution.jobs[index].beginPause(since: start, holdingAfter: since - .nanoseconds(1))
    } else if !isOfCluster, execution.jobs[index].watermark.instant > now {
      // One at this very instant is run. Of what is counted, entries were missed since earlier daemons were there last.
      let isClaimed = execution.timetable.isClaimed(index)
      let last = isClaimed ? nil : execution.timetable.attended.last(before: now)
      let origin = last ?? now - .nanoseconds(1)
      execution.timetable.goBackWithClock(index, execution.runs, origin)
      reconcileInherited(index, &execution.jobs)
      since = min(since, origin + .nanoseconds(1))
    }
    execution.timetable.replan(index, since: since, now)
  }

  /// Has what an earlier daemon left of a job that goes on be decided in one place: here, or where the schedule brings it again.
  private mutating func reconcileInherited(_ index: Int, _ jobs: inout JobTable) {
    // The schedule of a closed loop brings nothing again.
    if jobs[index].isClosedLoop { return }
    let definition = jobs[index].definition
    for record in inherited.interrupted
    where record.entry.job == definition.name && record.cause.isOfSchedule {
      jobs[index].watermark.decide(record.firstNominal...record.entry.nominal)
    }
    for left in inherited.takeEntries() {
      let nominal = left.entry.nominal
      guard left.job == index, left.entry.cause.isOfSchedule, let decided = jobs[index].watermark.decided,
        nominal > decided
      else {
        inherited.append(left)
        continue
      }
      if nominal > now {
        // As after a step: it would start after entries that come later, or have no outcome if the clock is set right before it.
        jobs[index].watermark.decide(nominal)
        inherited.append(
          EntryRecord(
            entry: jobs.key(index, nominal), cause: .missed, outcome: .missed, reason: Reason.setBack,
            endedAt: now))
      } else if jobs[index].watermark.contains(nominal) {
        inherited.append(left)
      } else if jobs[index].isNext(nominal) {
        // Nothing is undecided before it, so that it can go on.
        jobs[index].watermark.move(to: nominal)
        inherited.append(left)
      }
    }
  }

  /// Entries before a run that was started had been decided, but the daemon died before their end was filed.
  private mutating func settleGaps(_ jobs: JobTable) {
    let byJob = Dictionary(grouping: open.filter(\.cause.isOfSchedule), by: \.entry.job)
    for (name, runs) in byJob.sorted(by: { $0.key < $1.key }) {
      guard let index = jobs.index(named: name), !jobs[index].isClosedLoop, var origin = watermarks[name]
      else {
        continue
      }
      for nominal in runs.map(\.entry.nominal).sorted() where nominal > origin && nominal <= now {
        guard nominal <= jobs[index].watermark.instant else { break }
        for range in jobs[index].undecided(after: origin, through: nominal - .nanoseconds(1)) {
          inherited.append(
            EntryRecord(
              entry: jobs.key(index, range.latest), outcome: .missed,
              reason: "a later entry had already been started",
              endedAt: now, entryCount: range.count, firstNominal: range.first))
          inherited.append(
            RangeCut(
              job: name, after: range.first - .nanoseconds(1), through: range.latest,
              schedule: jobs[index].definition.schedule))
        }
        origin = nominal
      }
    }
  }
}

extension InheritedWork {
  /// Settles what cannot be run any more and takes up what waited; the first thing that is done.
  mutating func settle(_ dispatch: inout Dispatch, _ now: WallInstant, _ effects: inout some EffectSink) {
    let (interrupted, entries) = takeAll(&effects)
    for var record in interrupted {
      record.endedAt = now
      dispatch.outcomes.file(record, of: dispatch.jobs.index(named: record.entry.job), &effects)
    }
    for inherited in entries {
      let (index, entry) = (inherited.job, inherited.entry)
      let isLoop = dispatch.jobs[index].isClosedLoop
      // A loop with an entry to be decided has left nothing out until now.
      if isLoop { _ = dispatch.timetable.takeLeftOut(index, before: .min) }
      if inherited.goesOn {
        dispatch.execution.startOrQueue(index, entry, now, &effects)
        // While it waits it has no next entry.
        let job = dispatch.jobs[index]
        if isLoop, job.waitingEntries > 0, job.next != nil { dispatch.timetable.unplan(index) }
      } else {
        dispatch.resolve(index, entry, .granted, now, &effects)
      }
      if isLoop { dispatch.timetable.planClosedLoop(index, now) }
    }
  }
}
