import TimelineCore

/// Jobs that are to hear how the entries of other jobs end.
///
/// A record makes at most one run of the listener, also when it stands for many entries, and a reaction's own end
/// makes none: there are no loops. The run comes under the listener's own overlap policy, whose bounds on what
/// waits are the bound here too.
extension EngineState {
  /// Files the entry's one outcome, and remembers who is to hear of it.
  ///
  /// The parts that the brief leaves out make the record whole; nobody may ever ask for them.
  mutating func file(
    _ brief: EndBrief, cause: RunCause, reason: String, run: RunID? = nil, attempts: Int = 0,
    since first: WallInstant? = nil, _ effects: inout some EffectSink
  ) {
    // Most succeed as they did before, and nobody is to hear of that.
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
    if jobs[brief.job].isCounted, jobs[brief.job].isBuffering, cause.isOfSchedule {
      jobs[brief.job].settledWhileWaiting = max(jobs[brief.job].settledWhileWaiting, brief.nominal)
    }
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

  /// Takes in how an entry of the job ended, and gives who is to hear of it.
  private mutating func noteEnd(
    of index: Int, _ nominal: WallInstant, _ outcome: Outcome, _ cause: RunCause
  ) -> JobName? {
    if cause == .reaction {
      reactions[upstreamOf: jobs.key(index, nominal)] = nil
      return nil
    }
    let reactions = jobs[index].definition.policies.reactions
    let decision = ReactionDecision(reactions, outcome.kind, hasFailed: jobs[index].hasFailed)
    jobs[index].hasFailed = decision.hasFailed
    return decision.listener
  }

  /// Makes the runs that are to tell what this event has settled.
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
      take(index, entry, nil, now, &effects)
    }
  }
}
