import TimelineCore

/// Takeover from an earlier daemon, or from an earlier owner of jobs: its decisions, the runs that it left open, and the
/// entries that waited.
struct Takeover {
  /// Nominal instant of each job's last settled entry.
  let watermarks: [JobName: WallInstant]
  /// Entries that jobs had decided before the clock was set back.
  let repeated: RepeatedTime
  /// Runs that an earlier daemon left open, and entries that it left unstarted.
  let open: [OpenRun]
  /// Instants since which jobs are paused.
  let paused: [JobName: WallInstant]
  /// Jobs whose last run failed.
  let failing: Set<JobName>
  /// Incidents of an earlier daemon or owner.
  let incidents: [IncidentNote]
  /// Instant at which the engine is made, or becomes the owner.
  let now: WallInstant
  /// Whether another node may have owned the jobs. A watermark later than now then comes from a clock that is ahead, and is
  /// kept.
  let isOfCluster: Bool
  /// Work that is decided with the first event.
  var inherited = InheritedWork()

  init(
    watermarks: [JobName: WallInstant], repeated: RepeatedTime, open: [OpenRun],
    paused: [JobName: WallInstant], failing: Set<JobName>, incidents: [IncidentNote] = [],
    at now: WallInstant, isOfCluster: Bool = false
  ) {
    (self.watermarks, self.repeated, self.open) = (watermarks, repeated, open)
    (self.paused, self.failing, self.now) = (paused, failing, now)
    (self.incidents, self.isOfCluster) = (incidents, isOfCluster)
  }

  /// Takes some jobs over, and plans the first entry of each job. Returns the work that is decided next.
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

  /// Continues the incident of a job, unless the job counts failures by another policy now.
  private mutating func takeOver(_ note: IncidentNote, _ execution: inout Execution) {
    guard let incident = note.incident, let index = execution.jobs.index(named: note.job),
      execution.jobs[index].definition.policies.reactions.policy(of: note.kind) == note.policy
    else { return inherited.drop(note) }
    execution.jobs[index].failures.restore(incident, of: note.kind, at: now)
    execution.timetable.planReminder(index)
  }

  /// Takes over the decisions of the job from before the clock was set back, as the ledger has kept them.
  private func noteRepeated(_ index: Int, _ execution: inout Execution) {
    let definition = execution.jobs[index].definition
    execution.timetable.noteDecidedAhead(index, repeated.decided, execution.runs, now)
    for entry in repeated.moved[definition.name] ?? [] {
      execution.jobs[index].moves.insert(entry, at: now)
    }
    execution.timetable.noteMovedAhead(index)
    guard let furthest = repeated.furthest[definition.name], execution.timetable.isClaimed(index) else {
      return
    }
    let spans = (repeated.ranges[definition.name] ?? []).filter(definition.hasEntries(atEndsOf:))
    // Records cover entries up to this instant, even if the clock has passed it. The clock may be set back once more.
    execution.jobs[index].watermark.setFormer(furthest, sharing: spans)
    // The end of a pause decides about all entries that fell due in it.
    guard furthest <= now, paused[definition.name] == nil else { return }
    // Entries that the clock did not show again keep their outcomes.
    for span in spans { execution.jobs[index].watermark.decide(span) }
  }

  /// Plans a job from the last decision of an earlier daemon on, or continues its pause. Entries since this decision fell due
  /// while no daemon ran.
  private mutating func begin(_ index: Int, _ execution: inout Execution) {
    let name = execution.jobs[index].definition.name
    var since = watermarks[name] ?? now
    if let start = paused[name] {
      execution.jobs[index].beginPause(since: start, holdingAfter: since - .nanoseconds(1))
    } else if !isOfCluster, execution.jobs[index].watermark.instant > now {
      // An entry at exactly this instant is run. Counted entries were missed since daemons last attended.
      let isClaimed = execution.timetable.isClaimed(index)
      let last = isClaimed ? nil : execution.timetable.attended.last(before: now)
      let origin = last ?? now - .nanoseconds(1)
      execution.timetable.goBackWithClock(index, execution.runs, origin)
      reconcileInherited(index, &execution.jobs)
      since = min(since, origin + .nanoseconds(1))
    }
    execution.timetable.replan(index, since: since, now)
  }

  /// Makes sure that each inherited entry of a continuing job is decided only once: here, or when the schedule brings the
  /// entry again.
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
        // As after a clock step: the entry would start after later entries, or have no outcome if the clock is corrected
        // before it.
        jobs[index].watermark.decide(nominal)
        inherited.append(
          EntryRecord(
            entry: jobs.key(index, nominal), cause: .missed, outcome: .missed, reason: Reason.setBack,
            endedAt: now))
      } else if jobs[index].watermark.contains(nominal) {
        inherited.append(left)
      } else if jobs[index].isNext(nominal) {
        // All entries before this entry are decided, so the entry can go on.
        jobs[index].watermark.move(to: nominal)
        inherited.append(left)
      }
    }
  }

  /// Settles the entries before a run that was started. These entries had been decided, but the daemon died before it recorded
  /// their outcomes.
  ///
  /// This needs no question to the store of a cluster. An entry that another node has run either has an outcome there, which
  /// ``Acquisition`` has marked as decided, so that it lies in no range; or it has a claim, and is one of the runs.
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
  /// Settles entries that can no longer be run, and takes up entries that waited, before any other work.
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
        // While the entry of the loop waits, the loop has no next entry.
        let job = dispatch.jobs[index]
        if isLoop, job.waitingEntries > 0, job.next != nil { dispatch.timetable.unplan(index) }
      } else {
        dispatch.resolve(index, entry, .granted, now, &effects)
      }
      if isLoop { dispatch.timetable.planClosedLoop(index, now) }
    }
  }
}
