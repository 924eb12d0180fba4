import TimelineCore

/// Runs whose plugin host is alive, runs that died with the daemon, and entries that were not started.
extension Takeover {
  /// Takes over the open runs. A run whose host is alive is active. A run that gets another attempt waits for this attempt.
  ///
  /// A run that is to have another attempt counts as between two attempts. It therefore keeps its places in its job and its
  /// groups, and comes before new entries.
  mutating func takeOverRuns(_ execution: inout Execution) {
    var lastTaken = RunID(number: 0)
    for run in open.sorted(by: { ($0.run, $0.entry.nominal) < ($1.run, $1.entry.nominal) })
    where run.attempts > 0 {
      let isDuplicate = run.node == nil && run.run <= lastTaken
      lastTaken = run.run
      execution.runs.skipNumbers(through: run.run)
      let index = execution.jobs.index(named: run.entry.job)
      let policies = index.map { execution.jobs[$0].definition.policies }
      switch (DeliveryDecision(run, isDuplicate: isDuplicate, policies, now), index) {
      case (.adopt, _):
        let index = index ?? retiredIndex(run.entry.job, &execution.jobs)
        execution.adopt(run, index, now)
        noteDecided(run, index, &execution.timetable)
      case (.retry(at: let instant), let index?):
        execution.recover(run, index, at: instant)
        noteDecided(run, index, &execution.timetable)
      case (.runAgain, let index?) where run.node != nil:
        queueAgain(run, index)
        noteDecided(run, index, &execution.timetable)
      case (.runAgain, let index?):
        execution.recover(run, index, at: now)
        noteDecided(run, index, &execution.timetable)
      case (.end(let outcome, let reason), _):
        if let index { noteDecided(run, index, &execution.timetable) }
        var record = EntryRecord(
          entry: execution.jobs.key(index, of: run.entry), cause: run.cause, outcome: outcome,
          reason: reason, run: run.node == nil ? run.run : nil,
          startedAt: run.node == nil ? run.startedAt : nil, endedAt: now,
          attempts: run.node == nil ? run.attempts : 0)
        (record.upstream, record.rerun) = (run.upstream?.entry, run.rerun)
        inherited.append(record)
      case (.retry, nil), (.runAgain, nil): preconditionFailure("only a configured job has policies")
      }
    }
  }

  /// Queues an entry again that another node may have started. Only one of several entries of a job can have run there, so
  /// the entries run one after the other, like entries that an operator requested.
  private mutating func queueAgain(_ run: OpenRun, _ index: Int) {
    let entry = DueEntry(
      nominal: run.entry.nominal, cause: .recovery, entryCount: run.entryCount, isAskedFor: true,
      token: run.token)
    inherited.append(InheritedWork.Entry(job: index, entry: entry, goesOn: true, hasWaited: false))
  }

  /// Returns the index for the run of a job that is no longer configured.
  private func retiredIndex(_ name: JobName, _ jobs: inout JobTable) -> Int {
    if let index = jobs.retiredIndex(named: name) { return index }
    let definition = JobDefinition(name: name, schedule: .explicit(ExplicitSchedule()))
    return jobs.appendRetired(JobState(definition, at: now, decided: nil))
  }

  /// Takes over an entry that was not started. `hostsLiveOn` is true if runs of the earlier daemon go on.
  mutating func takeOverEntry(_ run: OpenRun, _ hostsLiveOn: Bool, _ execution: inout Execution) {
    let nominal = run.entry.nominal
    let index = execution.jobs.index(named: run.entry.job)
    let key = execution.jobs.key(index, of: run.entry)
    let facts = index.map { InheritedEntryDecision.Facts(execution.jobs[$0], nominal) }
    switch (InheritedEntryDecision(run, facts, hostsLiveOn: hostsLiveOn, now), index) {
    case (.end(let cause, let reason), _):
      end(run, key, cause, reason)
    case (.endOwn(let cause, let reason), let index?):
      noteTaken(nominal, index, &execution.timetable)
      end(run, key, cause, reason)
    case (.endAhead, let index?):
      execution.jobs[index].watermark.decide(nominal)
      cutFromRecords(index, nominal, execution.timetable)
      end(run, key, .missed, Reason.setBack)
    case (.waitOn, let index?):
      noteTaken(nominal, index, &execution.timetable)
      execution.outcomes[upstreamOf: key] = run.upstream
      execution.outcomes.reruns[key] = run.rerun
      let entry = DueEntry(nominal: nominal, cause: run.cause, token: run.token)
      inherited.append(InheritedWork.Entry(job: index, entry: entry, goesOn: true, hasWaited: true))
    case (.resume(let cause, let goesOn), let index?):
      execution.jobs[index].watermark.advance(to: nominal)
      cutFromRecords(index, nominal, execution.timetable)
      let entry = DueEntry(
        nominal: nominal, cause: cause, entryCount: run.entryCount, isAskedFor: run.isAskedFor,
        token: run.token)
      inherited.append(
        InheritedWork.Entry(job: index, entry: entry, goesOn: goesOn, hasWaited: run.hasWaited))
    case (.drop, _): break
    case (.endOwn, nil), (.endAhead, nil), (.waitOn, nil), (.resume, nil):
      preconditionFailure("only a configured job has facts")
    }
  }

  /// Ends an entry that was not started and will not be started.
  private mutating func end(_ run: OpenRun, _ entry: EntryKey, _ cause: RunCause, _ reason: String) {
    var record = EntryRecord(entry: entry, cause: cause, outcome: .missed, reason: reason, endedAt: now)
    (record.upstream, record.rerun) = (run.upstream?.entry, run.rerun)
    inherited.append(record)
  }

  /// Records that the entry of a run of an earlier daemon is decided.
  private mutating func noteDecided(_ run: OpenRun, _ index: Int, _ timetable: inout Timetable) {
    guard !timetable.jobs[index].isRetired else { return }
    timetable.jobs[index].noteFormerStart(run.startedAt, now)
    let nominal = run.entry.nominal
    guard run.cause.isOfSchedule else { return noteTaken(nominal, index, &timetable) }
    cutFromRecords(index, nominal, timetable)
    timetable.noteDecided(nominal, of: index)
  }

  /// Records that an earlier daemon had an entry outside the schedule at `nominal`, so that no other entry has this instant.
  private func noteTaken(_ nominal: WallInstant, _ index: Int, _ timetable: inout Timetable) {
    timetable.jobs[index].noteTaken(nominal)
    guard nominal > now else { return }
    let definition = timetable.jobs[index].definition
    timetable.taken.insert([nominal], of: definition.name)
    if !definition.schedule.isClosedLoop, definition.hasEntry(at: nominal) {
      timetable.jobs[index].watermark.decide(nominal)
    }
  }

  /// Removes an entry from the record of several entries that may cover it. The entry was decided again, and the daemon died
  /// before the ledger recorded this.
  private mutating func cutFromRecords(_ index: Int, _ nominal: WallInstant, _ timetable: Timetable) {
    guard timetable.isClaimed(index) else { return }
    let definition = timetable.jobs[index].definition
    inherited.append(
      RangeCut(
        job: definition.name, after: nominal - .nanoseconds(1), through: nominal,
        schedule: definition.schedule))
  }
}

// Runs of an earlier daemon.
extension Execution {
  /// Adds a run of the earlier daemon whose plugin host is alive.
  fileprivate mutating func adopt(_ open: OpenRun, _ index: Int, _ now: WallInstant) {
    let run = Run(
      adopting: open, job: index, isCounted: jobs[index].isCounted && open.cause.isOfSchedule, at: now)
    countRun(1, of: index)
    if open.cause == .backfill { jobs[index].countBackfilled(1) }
    updateDeadline(runs.insert(run))
    outcomes[upstreamOf: jobs.key(index, open.entry.nominal)] = open.upstream
    outcomes.reruns[jobs.key(index, open.entry.nominal)] = open.rerun
  }

  /// Adds a run of the earlier daemon whose next attempt is due at `instant`.
  fileprivate mutating func recover(_ open: OpenRun, _ index: Int, at instant: WallInstant) {
    let hasFailed = open.retryAt != nil
    let run = Run(
      resuming: open, job: index, isCounted: jobs[index].isCounted && open.cause.isOfSchedule)
    countRun(1, of: index)
    if open.cause == .backfill { jobs[index].countBackfilled(1) }
    let slot = runs.insert(run)
    runs[lastMessageIn: slot] = hasFailed ? open.message : Reason.daemonDied
    if hasFailed, open.cause.isReported {
      jobs[index].noteResult(AttemptResult(status: .failed, isWorthRetrying: true, message: open.message))
    }
    setDeadline(slot, instant)
    outcomes[upstreamOf: jobs.key(index, open.entry.nominal)] = open.upstream
    outcomes.reruns[jobs.key(index, open.entry.nominal)] = open.rerun
  }
}
