import TimelineCore

/// Outcomes of entries, and the reactions to them.
///
/// A record makes at most one run of each job that reacts, even if the record stands for many entries. The end of a reaction
/// makes no run, so there are no loops. The run is subject to the overlap policy of the reacting job. The limit of waiting
/// entries of this job applies, too.
struct Outcomes: Sendable {
  /// The jobs and the next entry of each.
  var timetable: Timetable
  /// Reactions to run after this event, and the upstream entries of reactions that wait or run.
  private var reactions = ReactionQueue()
  /// Reruns that wait or run.
  var reruns = Reruns()

  init(of timetable: Timetable) { self.timetable = timetable }

  private var jobs: JobTable {
    _read { yield timetable.jobs }
    _modify { yield &timetable.jobs }
  }
}

// Entries that are not run.
extension Outcomes {
  /// Settles a due entry that is not run.
  mutating func settle(
    _ index: Int, _ entry: DueEntry, _ outcome: Outcome, _ reason: String, _ now: WallInstant,
    _ effects: inout some EffectSink
  ) {
    settle(index, entry.nominal, outcome, reason, cause: entry.cause, count: 1, since: nil, now, &effects)
  }

  /// Settles `count` consecutive entries that are not run, from `since` to `nominal`, in one record.
  mutating func settle(
    _ index: Int, _ nominal: WallInstant, _ outcome: Outcome, _ reason: String,
    cause: RunCause = .schedule, count: Int, since: WallInstant?, _ now: WallInstant,
    _ effects: inout some EffectSink
  ) {
    assert(!outcome.ran || outcome == .unknown, "only a run ends like one")
    assert(count >= 1)
    file(
      EndBrief(job: index, nominal: nominal, outcome: outcome, endedAt: now, entryCount: count),
      cause: cause, reason: reason, since: since, &effects)
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

  /// Settles every due entry of the job that has not been started.
  mutating func settleWaiting(
    _ index: Int, _ outcome: Outcome, _ reason: String, _ now: WallInstant,
    _ effects: inout some EffectSink
  ) {
    for entry in jobs[index].waiting.takeAll() { settle(index, entry, outcome, reason, now, &effects) }
  }

  /// Settles each omission of the job's rule up to `end`, once.
  mutating func settleOmissions(
    _ index: Int, through end: WallInstant, _ now: WallInstant, _ effects: inout some EffectSink
  ) {
    let end = timetable.lastInstant(through: end)
    let origin = max(jobs[index].omissions.origin, end - EngineLimits.omissionsSpan)
    guard origin < end else { return }
    jobs[index].omissions.settle(through: end)
    for row in jobs[index].definition.schedule.omissions(after: origin, through: end) {
      assert(row.first > origin && row.last <= end && !row.outcome.ran)
      settle(
        index, row.last, row.outcome, row.reason, count: row.count, since: row.first, now, &effects)
    }
  }

  /// Settles the entries of a job before `end` that low-frequency mode has left out.
  mutating func settleLeftOut(
    _ index: Int, before end: WallInstant, _ now: WallInstant, _ effects: inout some EffectSink
  ) {
    guard let range = timetable.takeLeftOut(index, before: end) else { return }
    settle(
      index, range.latest, .lowFrequency, Reason.lowFrequency, count: range.count, since: range.first, now,
      &effects)
  }

  /// Settles the entries of all jobs before `end` that low-frequency mode has left out.
  mutating func settleAllLeftOut(
    before end: WallInstant, _ now: WallInstant, _ effects: inout some EffectSink
  ) {
    for index in jobs.indices { settleLeftOut(index, before: end, now, &effects) }
  }
}

// Records.
extension Outcomes {
  /// Files the outcome of an entry, and queues the reactions to it.
  ///
  /// The full record is built only if a reaction, an incident or the effect sink may need it.
  mutating func file(
    _ brief: EndBrief, cause: RunCause, reason: String, run: RunID? = nil, attempts: Int = 0,
    since first: WallInstant? = nil, hasOutput: Bool = false, _ effects: inout some EffectSink
  ) {
    func record() -> EntryRecord {
      var record = EntryRecord(
        entry: jobs.key(brief.job, brief.nominal), cause: cause, outcome: brief.outcome, reason: reason,
        run: run, startedAt: brief.startedAt, endedAt: brief.endedAt, attempts: attempts,
        entryCount: brief.entryCount, firstNominal: first)
      record.isAhead = cause.isOfSchedule && isAhead(brief.job, brief.nominal)
      return record
    }
    if cause.hasOrigin {
      return file(takeOrigin(of: record()), of: brief.job, hasOutput: hasOutput, &effects)
    }
    // Most outcomes are a success after a success, and need no note.
    let isNoNews =
      brief.outcome == .succeeded && !jobs[brief.job].failures.hasFailed
      && !jobs[brief.job].hasListener(toSuccessWithOutput: hasOutput)
    let notes = isNoNews ? [] : noteEnd(of: brief.job, record(), hasOutput: hasOutput)
    if cause.isOfSchedule { jobs[brief.job].noteSettled(brief.nominal) }
    effects.settle(brief, record())
    if !notes.isEmpty { effects.append(.noteIncidents(notes)) }
  }

  /// Returns the record of a reaction or a repetition with the entry that it reacts to or repeats, and forgets that entry.
  private mutating func takeOrigin(of record: EntryRecord) -> EntryRecord {
    var record = record
    if record.cause == .reaction {
      record.upstream = reactions[upstreamOf: record.entry]?.entry
      reactions[upstreamOf: record.entry] = nil
    } else {
      record.rerun = reruns[record.entry]
      reruns[record.entry] = nil
    }
    return record
  }

  /// Files the outcome of a reaction or a repetition, or of a record that an earlier daemon left. `index` is `nil` for a job that is
  /// not configured.
  mutating func file(
    _ record: EntryRecord, of index: Int?, hasOutput: Bool = false, _ effects: inout some EffectSink
  ) {
    var record = record
    record.isAhead = record.cause.isOfSchedule && index.map { isAhead($0, record.entry.nominal) } ?? false
    let brief = EndBrief(
      job: index ?? -1, nominal: record.entry.nominal, outcome: record.outcome,
      startedAt: record.startedAt, endedAt: record.endedAt, entryCount: record.entryCount)
    var notes: [IncidentNote] = []
    if let index { notes = noteEnd(of: index, record, hasOutput: hasOutput) }
    effects.settle(brief, record)
    if !notes.isEmpty { effects.append(.noteIncidents(notes)) }
  }

  /// Records how an entry of the job ended, and queues the reactions to it. Returns the changes of incidents.
  private mutating func noteEnd(of index: Int, _ record: EntryRecord, hasOutput: Bool) -> [IncidentNote] {
    if !record.cause.isReported { return [] }
    if record.cause == .reaction {
      reactions[upstreamOf: jobs.key(index, record.entry.nominal)] = nil
      return []
    }
    let former = jobs[index].failures.incidents
    let wasLate = timetable.isLate(index, record)
    for listener in jobs[index].noteOutcome(of: record, hasOutput: hasOutput, wasLate: wasLate) {
      reactions.append(record, for: listener)
    }
    return noteIncidents(of: index, since: former)
  }

  /// Plans the next reminder, and returns the changes of the job's incidents. Returns none for a job that was removed or
  /// handed over, because its incidents have ended here.
  private mutating func noteIncidents(of index: Int, since former: JobIncidents) -> [IncidentNote] {
    if jobs[index].isRetired || former.isEmpty && jobs[index].failures.incidents.isEmpty { return [] }
    let job = jobs[index]
    timetable.planReminder(index)
    return job.failures.incidents.changes(
      since: former, of: job.definition.name, isCounted: job.isCounted,
      by: job.definition.policies.reactions)
  }

  /// Whether the job still has undecided entries before this entry. This entry was decided while the clock was ahead.
  private func isAhead(_ index: Int, _ nominal: WallInstant) -> Bool {
    jobs[index].watermark.isAhead && timetable.isClaimed(index) && nominal > jobs[index].watermark.instant
  }
}

// Reactions.
extension Outcomes {
  /// Queues the reminders of the job's incidents that are due.
  mutating func remind(_ index: Int, _ now: WallInstant, _ effects: inout some EffectSink) {
    let former = jobs[index].failures.incidents
    for (listener, upstream) in jobs[index].remind(at: now) { reactions.append(upstream, for: listener) }
    let notes = noteIncidents(of: index, since: former)
    if !notes.isEmpty { effects.append(.noteIncidents(notes)) }
  }

  /// Counts late entries of the job, and queues the reactions to them.
  mutating func noteLate(
    _ index: Int, _ records: [EntryRecord], _ effects: inout some EffectSink
  ) {
    let former = jobs[index].failures.incidents
    for record in records {
      if let listener = jobs[index].noteLate(record) { reactions.append(record, for: listener) }
    }
    let notes = noteIncidents(of: index, since: former)
    if !notes.isEmpty { effects.append(.noteIncidents(notes)) }
  }

  /// Queues the reaction to the begin of a run of the job.
  mutating func noteBegin(of index: Int, _ record: EntryRecord) {
    guard let name = jobs[index].definition.policies.reactions.onStart else { return }
    reactions.append(record, for: Listener(name: name, report: nil))
  }

  /// Queues the reaction to a backfill that has ended with failures.
  mutating func report(_ backfill: EntryRecord) {
    guard let index = jobs.index(of: backfill.entry),
      let name = jobs[index].definition.policies.reactions.listener(to: .failure)
    else { return }
    reactions.append(backfill, for: Listener(name: name, report: backfill.incident))
  }

  /// Whether a reaction is to be run.
  var hasReactions: Bool { !reactions.isEmpty }

  /// Removes and returns the reactions to be run, in the order in which they were added.
  mutating func takeReactions() -> [(listener: JobName, upstream: EntryRecord)] { reactions.takeAll() }

  /// Ends the incidents of a job that its successor counts by another policy, or does not count.
  func dropIncidents(of index: Int, for successor: JobDefinition?, _ effects: inout some EffectSink) {
    let (definition, former) = (jobs[index].definition, jobs[index].failures.incidents)
    if former.isEmpty { return }
    var incidents = former
    let reactions = definition.policies.reactions
    incidents.keepOnly(from: reactions, to: successor?.policies.reactions ?? Reactions())
    let notes = incidents.changes(since: former, of: definition.name, isCounted: false, by: reactions)
    if !notes.isEmpty { effects.append(.noteIncidents(notes)) }
  }

  /// Upstream entry of a reaction that waits or runs; `nil` if unknown, or if the reaction has ended.
  subscript(upstreamOf entry: EntryKey) -> EntryRecord? {
    get { reactions[upstreamOf: entry] }
    set { reactions[upstreamOf: entry] = newValue }
  }
}

// Waits.
extension Outcomes {
  /// Whether the ledger records that the entry waits.
  func isKept(_ entry: DueEntry, of index: Int) -> Bool {
    timetable.hasLedger && !jobs[index].isRetired && !(jobs[index].isCounted && entry.cause.isOfSchedule)
  }

  /// Records in the ledger that the entry waits, if ``isKept(_:of:)`` is true.
  func noteWaiting(_ index: Int, _ entry: DueEntry, _ effects: inout some EffectSink) {
    guard isKept(entry, of: index) else { return }
    let key = jobs.key(index, entry.nominal)
    effects.append(
      .noteWaiting(
        WaitingEntry(
          entry: key, cause: entry.cause, isAskedFor: entry.isAskedFor,
          upstream: entry.cause == .reaction ? reactions[upstreamOf: key] : nil)))
  }
}
