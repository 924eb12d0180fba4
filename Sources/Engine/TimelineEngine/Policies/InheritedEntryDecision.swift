import TimelineCore

/// Decision about an entry that an earlier daemon had claimed but not started.
enum InheritedEntryDecision: Sendable, Hashable {
  /// Nothing is done: the schedule brings the entry again, or the entry is decided.
  case drop
  /// The entry is outside the schedule (a manual trigger, a reaction or an entry of a closed loop). It keeps waiting.
  case waitOn
  /// The entry is of the schedule. It is decided again with this cause, or starts in any case if `goesOn`.
  case resume(RunCause, goesOn: Bool)
  /// The entry is missed.
  case end(RunCause, reason: String)
  /// The entry is missed. It is outside the schedule, so no other entry may have its instant.
  case endOwn(RunCause, reason: String)
  /// The entry is missed because the clock was set back: it would start after later entries, or it would have no
  /// outcome if the clock is corrected before the schedule brings it again.
  case endAhead

  /// Facts about the job of the entry.
  struct Facts: Sendable {
    /// Whether the next entry depends on the end of the last run.
    var isClosedLoop = false
    /// Whether the schedule has this entry.
    var isOfSchedule = true
    /// Whether the entry is decided ahead of the watermark.
    var isDecidedAhead = false
    /// Instant up to which entries are decided; `nil` if nothing is known.
    var watermark: WallInstant?
    /// Whether all entries between the watermark and the entry are decided.
    var isNext = false
    /// Whether the job had passed the entry before the clock was set back.
    var wasPassed = false
  }

  /// Decides by facts about the job; `nil` for a job that is not configured. `hostsLiveOn` is true if runs of the earlier
  /// daemon go on.
  ///
  /// Live runs mean a short absence. Entries that waited behind these runs keep waiting, even if they are very late.
  init(_ run: OpenRun, _ facts: Facts?, hostsLiveOn: Bool, _ now: WallInstant) {
    guard let facts else {
      self =
        run.hasWaited ? .end(run.cause, reason: "its job was removed before the entry could start") : .drop
      return
    }
    if run.hasWaited, !run.cause.isOfSchedule || facts.isClosedLoop {
      self =
        switch run.cause {
        case .reaction where run.upstream == nil:
          .endOwn(run.cause, reason: "what it was to react to is not known any more")
        case .rerun where run.rerun == nil, .backfill where run.rerun == nil:
          .endOwn(run.cause, reason: "the entry that it was to repeat is not known any more")
        case .schedule, .missed, .trigger, .rerun, .backfill, .reaction, .recovery: .waitOn
        }
    } else if run.hasWaited, !facts.isOfSchedule {
      self = .end(run.cause, reason: "its schedule changed before the entry could start")
    } else if facts.isClosedLoop || !facts.isOfSchedule || run.cause.repeatsEntry {
      // A claim does not record its cause. An entry outside the schedule was triggered, and its caller no longer waits.
      let reason = run.node.map(Reason.silent) ?? "the daemon died before it could start"
      self = .endOwn(run.cause.repeatsEntry ? run.cause : .trigger, reason: reason)
    } else if run.hasWaited, run.entry.nominal > now || facts.wasPassed && Self.comesAgain(run, facts) {
      self = .endAhead
    } else if facts.isDecidedAhead && !(run.hasWaited && facts.wasPassed) || Self.comesAgain(run, facts) {
      // An entry that waited after the clock was set back was decided again, even if a record of several entries still covers
      // it.
      self = .drop
    } else {
      let goesOn = run.isAskedFor || hostsLiveOn && run.entryCount == 1
      // An entry that waited fell due while a daemon ran, so it was not missed. Its lateness is checked later.
      self = .resume(run.hasWaited ? run.cause : goesOn ? .schedule : .missed, goesOn: goesOn)
    }
  }

  /// Whether the schedule brings the entry again, as a missed entry.
  private static func comesAgain(_ run: OpenRun, _ facts: Facts) -> Bool {
    guard let watermark = facts.watermark else { return true }
    return run.entry.nominal > watermark && !(run.hasWaited && facts.isNext)
  }
}

extension InheritedEntryDecision.Facts {
  /// The facts about a job and one entry.
  init(_ job: JobState, _ nominal: WallInstant) {
    let schedule = job.definition.schedule
    isClosedLoop = job.isClosedLoop
    isOfSchedule = schedule.latest(atOrBefore: nominal) == nominal
    isDecidedAhead = job.watermark.contains(nominal)
    watermark = job.watermark.decided
    isNext = job.isNext(nominal)
    wasPassed = nominal <= job.watermark.former
  }
}
