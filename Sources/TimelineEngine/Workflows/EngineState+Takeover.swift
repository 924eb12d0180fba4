import TimelineCore

/// Takeover from an earlier daemon: runs whose plugin host is alive, runs that died with the daemon, and entries that waited.
extension EngineState {
  /// Takes the open runs over: what lives is active, what is to be run again is about to be.
  ///
  /// A run that is to have another attempt counts as being between two attempts, so it holds its places in its job and
  /// its groups as it did before, and comes before anything new.
  mutating func takeOver(_ open: [OpenRun], _ remembered: [JobName: WallInstant], _ now: WallInstant) {
    var lastTaken = RunID(number: 0)
    for run in open.sorted(by: { $0.run < $1.run }) where run.attempts > 0 {
      let isDuplicate = run.run <= lastTaken
      lastTaken = run.run
      runs.skipNumbers(through: run.run)
      let index = jobs.index(named: run.entry.job)
      let policies = index.map { jobs[$0].definition.policies }
      switch (DeliveryDecision(run, isDuplicate: isDuplicate, policies, now), index) {
      case (.adopt, _): adopt(run, index ?? appendRetired(run.entry.job, now), now)
      case (.retry(at: let instant), let index?): recover(run, index, at: instant)
      case (.runAgain, let index?): recover(run, index, at: now)
      case (.end(let outcome, let reason), _):
        if let index { noteDecided(run, index) }
        inherited.append(record(of: run, index, outcome, reason, now))
      case (.retry, nil), (.runAgain, nil): preconditionFailure("only a configured job has policies")
      }
    }
    settleGaps(open, remembered, now)
    let hostsLiveOn = open.contains(where: \.isAlive)
    for run in open where run.attempts == 0 { takeOverEntry(run, hostsLiveOn, now) }
    inherited.sort()
  }

  /// Has a job begin after what an earlier daemon decided: entries since then fell due while nobody was there.
  mutating func begin(
    _ index: Int, since remembered: WallInstant?, pausedSince: WallInstant?, _ now: WallInstant
  ) {
    var since = remembered ?? now
    if let pausedSince {
      jobs[index].beginPause(since: pausedSince, holdingAfter: since - .nanoseconds(1))
    } else if jobs[index].watermark.instant > now {
      // One at this very instant is run. Of what is counted, entries were missed since earlier daemons were there last.
      let last = isClaimed(index) ? nil : attended.last(before: now)
      let origin = last ?? now - .nanoseconds(1)
      goBackWithClock(index, origin)
      reconcileInherited(index, now)
      since = min(since, origin + .nanoseconds(1))
    }
    replan(index, since: since, now)
  }

  /// Takes over what the job had decided before the clock was set back, as the ledger has kept it.
  mutating func noteRepeated(
    _ index: Int, _ repeated: RepeatedTime, of paused: [JobName: WallInstant], _ now: WallInstant
  ) {
    let name = jobs[index].definition.name
    noteDecidedAhead(index, repeated.decided, now)
    guard let furthest = repeated.furthest[name], isClaimed(index) else { return }
    // The end of a pause decides about all that fell due in it.
    if furthest > now || paused[name] != nil {
      jobs[index].watermark.setFormer(furthest)
    } else {
      // The clock has come past it: what it did not show again keeps the outcome that it has.
      for span in repeated.ranges[name] ?? [] where jobs[index].definition.hasEntries(atEndsOf: span) {
        jobs[index].watermark.decide(span)
      }
    }
  }

  /// Has what an earlier daemon left of a job that goes on be decided in one place: here, or where the schedule brings it again.
  mutating func reconcileInherited(_ index: Int, _ now: WallInstant) {
    // The schedule of a closed loop brings nothing again.
    if jobs[index].isClosedLoop { return }
    let name = jobs[index].definition.name
    for record in inherited.interrupted where record.entry.job == name && record.cause.isOfSchedule {
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
      let isDecided = jobs[index].watermark.contains(nominal)
      if isDecided, nominal > now {
        // As after a step: it would start after entries that come later.
        inherited.append(
          EntryRecord(
            entry: jobs.key(index, nominal), cause: .missed, outcome: .missed, reason: Reason.setBack,
            endedAt: now))
      } else if isDecided {
        inherited.append(left)
      } else if left.hasWaited, nominal <= now,
        undecided(index, from: jobs[index].definition.schedule.next(after: decided)) == nominal
      {
        // Nothing is undecided before it, so that it can go on waiting.
        jobs[index].watermark.move(to: nominal)
        inherited.append(left)
      }
    }
  }

  /// Takes over an entry that was not started; `hostsLiveOn` tells whether runs of the earlier daemon go on.
  private mutating func takeOverEntry(_ run: OpenRun, _ hostsLiveOn: Bool, _ now: WallInstant) {
    let nominal = run.entry.nominal
    let index = jobs.index(named: run.entry.job)
    let facts = index.map { InheritedEntryDecision.Facts(jobs[$0], nominal) }
    switch (InheritedEntryDecision(run, facts, hostsLiveOn: hostsLiveOn, now), index) {
    case (.end(let cause, let reason), _):
      endInherited(run, index, cause, reason, now)
    case (.endOwn(let cause, let reason), let index?):
      jobs[index].noteTaken(nominal)
      endInherited(run, index, cause, reason, now)
    case (.endAhead, let index?):
      jobs[index].watermark.decide(nominal)
      endInherited(run, index, .missed, Reason.setBack, now)
    case (.waitOn, let index?):
      jobs[index].noteTaken(nominal)
      reactions[upstreamOf: jobs.key(index, nominal)] = run.upstream
      let entry = DueEntry(nominal: nominal, cause: run.cause)
      inherited.append(InheritedWork.Entry(job: index, entry: entry, goesOn: true, hasWaited: true))
    case (.resume(let cause, let goesOn), let index?):
      jobs[index].watermark.advance(to: nominal)
      cutFromRecords(index, nominal)
      let entry = DueEntry(
        nominal: nominal, cause: cause, entryCount: run.entryCount, isAskedFor: run.isAskedFor)
      inherited.append(
        InheritedWork.Entry(job: index, entry: entry, goesOn: goesOn, hasWaited: run.hasWaited))
    case (.drop, _): break
    case (.endOwn, nil), (.endAhead, nil), (.waitOn, nil), (.resume, nil):
      preconditionFailure("only a configured job has facts")
    }
  }

  /// Has an entry end that was not started and will not be.
  private mutating func endInherited(
    _ run: OpenRun, _ index: Int?, _ cause: RunCause, _ reason: String, _ now: WallInstant
  ) {
    inherited.append(
      EntryRecord(
        entry: key(of: run, index), cause: cause, outcome: .missed, reason: reason, endedAt: now))
  }

  /// Adds a run of the earlier daemon whose plugin host is alive.
  private mutating func adopt(_ open: OpenRun, _ index: Int, _ now: WallInstant) {
    let run = Run(
      adopting: open, job: index, isCounted: jobs[index].isCounted && open.cause.isOfSchedule, at: now)
    countRun(1, of: index)
    let slot = runs.insert(run)
    updateDeadline(slot)
    noteDecided(open, index)
    reactions[upstreamOf: jobs.key(index, open.entry.nominal)] = open.upstream
  }

  /// Adds a run of the earlier daemon whose next attempt is due at `instant`.
  private mutating func recover(_ open: OpenRun, _ index: Int, at instant: WallInstant) {
    let hasFailed = open.retryAt != nil
    let run = Run(
      resuming: open, job: index, isCounted: jobs[index].isCounted && open.cause.isOfSchedule)
    countRun(1, of: index)
    let slot = runs.insert(run)
    runs[lastMessageIn: slot] = hasFailed ? open.message : Reason.daemonDied
    if hasFailed {
      jobs[index].noteResult(AttemptResult(status: .failed, isWorthRetrying: true, message: open.message))
    }
    setDeadline(slot, instant)
    noteDecided(open, index)
    reactions[upstreamOf: jobs.key(index, open.entry.nominal)] = open.upstream
  }

  /// Returns the record of a run that does not go on.
  private func record(
    of run: OpenRun, _ index: Int?, _ outcome: Outcome, _ reason: String, _ now: WallInstant
  ) -> EntryRecord {
    EntryRecord(
      entry: key(of: run, index), cause: run.cause, outcome: outcome, reason: reason, run: run.run,
      startedAt: run.startedAt,
      endedAt: now, attempts: run.attempts)
  }

  /// Returns the key of the run's entry; `index` is `nil` for a job that is not configured.
  private func key(of run: OpenRun, _ index: Int?) -> EntryKey {
    let nominal = run.entry.nominal
    return index.map { jobs.key($0, nominal) } ?? EntryKey(job: run.entry.job, nominal: nominal)
  }

  /// Takes in that the entry of a run of an earlier daemon is decided.
  private mutating func noteDecided(_ run: OpenRun, _ index: Int) {
    guard !jobs[index].isRetired else { return }
    let nominal = run.entry.nominal
    guard run.cause.isOfSchedule else { return jobs[index].noteTaken(nominal) }
    cutFromRecords(index, nominal)
    if isClaimed(index), nominal > attended.since {
      jobs[index].watermark.decide(nominal)
    } else {
      jobs[index].watermark.advance(to: nominal)
    }
  }

  /// Takes an entry out of the record of several that may stand for it: it was decided anew, and the daemon died before the ledger
  /// heard of that.
  private mutating func cutFromRecords(_ index: Int, _ nominal: WallInstant) {
    guard isClaimed(index) else { return }
    let definition = jobs[index].definition
    inherited.append(
      RangeCut(
        job: definition.name, after: nominal - .nanoseconds(1), through: nominal,
        schedule: definition.schedule))
  }

  /// Entries before a run that was started had been decided, but the daemon died before their end was filed.
  private mutating func settleGaps(
    _ open: [OpenRun], _ remembered: [JobName: WallInstant], _ now: WallInstant
  ) {
    let byJob = Dictionary(grouping: open.filter(\.cause.isOfSchedule), by: \.entry.job)
    for (name, runs) in byJob.sorted(by: { $0.key < $1.key }) {
      guard let index = jobs.index(named: name), !jobs[index].isClosedLoop, var origin = remembered[name]
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

  /// Makes a place for the run of a job that is not configured any more.
  private mutating func appendRetired(_ name: JobName, _ now: WallInstant) -> Int {
    if let index = jobs.retiredIndex(named: name) { return index }
    let definition = JobDefinition(name: name, schedule: .explicit(ExplicitSchedule()))
    return jobs.appendRetired(JobState(definition, at: now, decided: nil))
  }

  /// Settles what cannot be run any more and takes up what waited; the first thing that is done.
  mutating func settleInheritedEntries(_ now: WallInstant, _ effects: inout some EffectSink) {
    watermarks.flush(&effects)
    let (interrupted, entries) = inherited.takeAll(&effects)
    for var record in interrupted {
      record.endedAt = now
      file(record, of: jobs.index(named: record.entry.job), &effects)
    }
    for inherited in entries {
      let (index, entry) = (inherited.job, inherited.entry)
      if inherited.goesOn {
        startOrQueue(index, entry, now, &effects)
        // A loop that waits has nothing else to come to.
        if jobs[index].isClosedLoop, jobs[index].waitingEntries > 0, jobs[index].next != nil {
          withdrawNext(index)
          planNext(index, at: nil)
        }
      } else {
        resolve(index, entry, .granted, now, &effects)
      }
    }
  }
}
