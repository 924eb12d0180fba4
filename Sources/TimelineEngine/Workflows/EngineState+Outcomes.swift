package import TimelineCore

/// Outcomes of entries, and entries that are of no schedule: manual triggers and reactions to outcomes.
///
/// A record makes at most one run of the job that reacts, also when it stands for many entries, and a reaction's own end
/// makes none: there are no loops. The run comes under the reacting job's own overlap policy, whose bounds on what
/// waits are the bound here too.
extension EngineState {
  /// Settles a due entry that is not run.
  mutating func settle(
    _ index: Int, _ entry: DueEntry, _ outcome: Outcome, _ reason: String, _ now: WallInstant,
    _ effects: inout some EffectSink
  ) {
    settle(index, entry.nominal, outcome, reason, cause: entry.cause, count: 1, since: nil, now, &effects)
  }

  /// Settles `count` entries in a row that are not run, from `since` to `nominal`, in one record.
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

  /// Files the outcome of an entry, and queues the reaction to it.
  ///
  /// The full record is built only if a reaction or the effect sink needs it.
  mutating func file(
    _ brief: EndBrief, cause: RunCause, reason: String, run: RunID? = nil, attempts: Int = 0,
    since first: WallInstant? = nil, _ effects: inout some EffectSink
  ) {
    // A success after a success triggers no reaction.
    let isNoNews = brief.outcome == .succeeded && cause != .reaction && !jobs[brief.job].hasFailed
    let listener = isNoNews ? nil : noteEnd(of: brief.job, brief.nominal, brief.outcome, cause)
    func record() -> EntryRecord {
      var record = EntryRecord(
        entry: jobs.key(brief.job, brief.nominal), cause: cause, outcome: brief.outcome, reason: reason,
        run: run, startedAt: brief.startedAt, endedAt: brief.endedAt, attempts: attempts,
        entryCount: brief.entryCount, firstNominal: first)
      record.isAhead = cause.isOfSchedule && isAhead(brief.job, brief.nominal)
      return record
    }
    if let listener { reactions.append(record(), for: listener) }
    if cause.isOfSchedule { jobs[brief.job].noteSettled(brief.nominal) }
    effects.settle(brief, record())
  }

  /// Files an outcome of which an earlier daemon left the record; `index` is `nil` for a job that is not configured.
  mutating func file(_ record: EntryRecord, of index: Int?, _ effects: inout some EffectSink) {
    var record = record
    record.isAhead = record.cause.isOfSchedule && index.map { isAhead($0, record.entry.nominal) } ?? false
    let brief = EndBrief(
      job: index ?? -1, nominal: record.entry.nominal, outcome: record.outcome,
      startedAt: record.startedAt, endedAt: record.endedAt, entryCount: record.entryCount)
    if let index, let listener = noteEnd(of: index, brief.nominal, brief.outcome, record.cause) {
      reactions.append(record, for: listener)
    }
    effects.settle(brief, record)
  }

  /// Notes how an entry of the job ended, and returns the job that reacts to it.
  private mutating func noteEnd(
    of index: Int, _ nominal: WallInstant, _ outcome: Outcome, _ cause: RunCause
  ) -> JobName? {
    if cause == .reaction {
      reactions[upstreamOf: jobs.key(index, nominal)] = nil
      return nil
    }
    return jobs[index].noteOutcome(outcome.kind)
  }

  /// Whether the job has undecided entries before this one of its own, which it had decided while the clock was ahead.
  func isAhead(_ index: Int, _ nominal: WallInstant) -> Bool {
    jobs[index].watermark.isAhead && isClaimed(index) && nominal > jobs[index].watermark.instant
  }

  /// Runs the reactions to what this event has settled.
  mutating func react(_ now: WallInstant, _ effects: inout some EffectSink) {
    for (listener, upstream) in reactions.takeAll() {
      // A listener that is not configured any more cannot be told.
      guard let index = jobs.index(named: listener) else { continue }
      let entry = DueEntry(nominal: uniqueTriggerInstant(index, now), cause: .reaction)
      guard jobs[index].pause == nil else {
        settle(index, entry, .paused, Reason.paused, now, &effects)
        continue
      }
      reactions[upstreamOf: jobs.key(index, entry.nominal)] = upstream
      resolve(index, entry, nil, now, &effects)
    }
  }

  /// Makes an entry of its own for a run that somebody asked for; an unknown job has none.
  ///
  /// Its nominal instant is now, moved on by nanoseconds as long as another entry of the job has that instant.
  mutating func trigger(_ name: JobName, _ now: WallInstant, _ effects: inout some EffectSink) {
    guard let index = jobs.index(named: name) else { return }
    doDueWork(now, &effects)
    resolve(index, DueEntry(nominal: uniqueTriggerInstant(index, now), cause: .trigger), nil, now, &effects)
  }

  /// A nominal instant for an entry that is not of the job's schedule.
  mutating func uniqueTriggerInstant(_ index: Int, _ now: WallInstant) -> WallInstant {
    var nominal = jobs[index].freeTriggerInstant(at: now)
    if jobs[index].hasEntry(at: nominal) { nominal = nominal + .nanoseconds(1) }
    jobs[index].lastTrigger = nominal
    return nominal
  }

  /// The entry that a job's last trigger or reaction made; `nil` when there is no such job or was none.
  package func latestOfItsOwn(_ name: JobName) -> EntryKey? {
    guard let index = jobs.index(named: name), let nominal = jobs[index].lastTrigger else { return nil }
    return jobs.key(index, nominal)
  }
}
