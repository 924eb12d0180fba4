import TimelineCore

/// Due work: deadlines that have come, answers to claims, manual triggers and reactions.
///
/// Each due entry is decided here once: it belongs to another daemon, is missed, is shut down, or may run.
struct Dispatch: Sendable {
  var execution: Execution

  var outcomes: Outcomes {
    _read { yield execution.outcomes }
    _modify { yield &execution.outcomes }
  }
  /// The jobs and the next entry of each.
  var timetable: Timetable {
    _read { yield execution.outcomes.timetable }
    _modify { yield &execution.outcomes.timetable }
  }
  var jobs: JobTable {
    _read { yield execution.outcomes.timetable.jobs }
    _modify { yield &execution.outcomes.timetable.jobs }
  }
  /// Whether the engine starts runs, drains, or has ended.
  var lifecycle: Lifecycle { timetable.lifecycle }

  /// Handles every deadline that has passed, in the order (deadline, priority, order of configuration).
  mutating func doDueWork(_ now: WallInstant, _ effects: inout some EffectSink) {
    while let head = timetable.firstDeadline, head.deadline <= now {
      if head.handle.isRun {
        execution.runDeadlinePassed(head.handle.index, now, &effects)
      } else {
        entryFellDue(head.handle.index, now, &effects)
      }
    }
  }

  /// Queues the due reminders, and the reactions to late entries.
  mutating func doReminders(_ now: WallInstant, _ effects: inout some EffectSink) {
    while let head = timetable.firstReminder, head.deadline <= now {
      execution.checkLateness(head.handle.index, now, &effects)
      outcomes.remind(head.handle.index, now, &effects)
      timetable.planReminder(head.handle.index)
    }
  }
}

// Deadlines of entries.
extension Dispatch {
  /// Handles the first entry in the queue. If the wake-up was late, also handles all entries that have passed since.
  mutating func entryFellDue(_ index: Int, _ now: WallInstant, _ effects: inout some EffectSink) {
    if jobs[index].leftOutSince != nil {
      return outcomes.settleLeftOut(index, before: now + .nanoseconds(1), now, &effects)
    }
    if jobs[index].mayOmit, let end = jobs[index].next ?? timetable.horizon {
      outcomes.settleOmissions(index, through: now, now, &effects)
      guard timetable.planned(index) <= now else { return timetable.planOmission(index, before: end) }
    }
    let planned = timetable.planned(index)
    let former = jobs[index].watermark.instant
    let (nominal, claim, token) = jobs[index].decideNext()
    timetable.decideAnew(index, after: former, through: nominal, &effects)
    let cause = planned < timetable.missedBefore(index) ? RunCause.missed : .schedule
    let entry = DueEntry(nominal: nominal, cause: cause, token: token)
    if jobs[index].isClosedLoop {
      jobs[index].beginLoop(at: nominal)
      timetable.planNext(index, at: nil)
      resolve(index, entry, claim, now, &effects)
      timetable.planClosedLoop(index, now)
      return
    }
    let following = timetable.undecided(index, after: nominal)
    if let following, following <= now, !jobs[index].watermark.separates(nominal, from: following),
      timetable.dueInstant(index, of: following) <= now,
      timetable.isBeforeHorizon(following), claim != .denied
    {
      resolveSeveral(index, first: entry, claim, now, &effects)
    } else {
      timetable.planNext(index, at: following)
      resolve(index, entry, claim, now, &effects)
    }
  }

  /// Decides about several entries of one job that passed before this wake-up, without a pass over each of them.
  private mutating func resolveSeveral(
    _ index: Int, first entry: DueEntry, _ claim: ClaimState, _ now: WallInstant,
    _ effects: inout some EffectSink
  ) {
    let (schedule, first) = (jobs[index].definition.schedule, entry.nominal)
    var end = timetable.lastInstant(through: now)
    // Entries that were decided while the clock was ahead are not part of the range.
    if let span = jobs[index].watermark.ahead.first(where: { $0.lowerBound > first }) {
      end = min(end, span.lowerBound - .nanoseconds(1))
    }
    guard let latest = timetable.lastDue(index, through: end, at: now), latest > first else {
      preconditionFailure("a schedule whose next(after:) passed has a latest(atOrBefore:)")
    }
    let total = schedule.count(after: first, through: latest) + 1
    jobs[index].watermark.move(to: latest)
    timetable.decideAnew(index, after: first, through: latest, &effects)
    let missed = jobs[index].definition.policies.missed.choice
    let decision = MissedRangeDecision(
      missed, jobs[index].definition.policies.overlap, isRunning: lifecycle.isRunning,
      hasRoom: jobs[index].hasRoomOfItsOwn)
    if !decision.runsFirst(of: total) { timetable.leaveUnasked(index, first) }
    switch decision {
    case .shutDown:
      outcomes.settle(index, latest, .shutDown, Reason.stopping, count: total, since: first, now, &effects)
    case .overlapped:
      let reason = execution.overlapReason(index)
      outcomes.settle(index, latest, .overlapped, reason, count: total, since: first, now, &effects)
    case .runAll:
      let range = MissedRange(first: first, latest: latest, count: total)
      resolveAll(index, range, (claim, entry.token), .missed, now, &effects)
    case .runLatest:
      let jumped = schedule.latest(atOrBefore: latest - .nanoseconds(1)) ?? first
      let reason = missed == .skip ? Reason.skipped : "a later entry had passed too"
      outcomes.settle(index, jumped, .missed, reason, count: total - 1, since: first, now, &effects)
      // If several passed at once, even the latest one counts as missed, because the wake-up was late.
      let entry = DueEntry(nominal: latest, cause: .missed, entryCount: total)
      resolve(index, entry, nil, now, &effects)
    }
    // Last, so that claims are requested in the order of their entries.
    timetable.planNext(index, at: schedule.next(after: latest))
  }

  /// Runs the entries of the range, oldest first. Entries beyond the limit of catch-up are settled as one record. `first` is
  /// the claim to the first entry; `nil` for none.
  mutating func resolveAll(
    _ index: Int, _ range: MissedRange, _ first: (claim: ClaimState, token: Int64?)?, _ outcome: Outcome,
    _ now: WallInstant, _ effects: inout some EffectSink
  ) {
    let schedule = jobs[index].definition.schedule
    let count = min(range.count, EngineLimits.missedRunsMax)
    var oldest = range.latest
    for _ in 1..<count { oldest = schedule.latest(atOrBefore: oldest - .nanoseconds(1)) ?? range.first }
    if count < range.count {
      let last = schedule.latest(atOrBefore: oldest - .nanoseconds(1)) ?? range.first
      outcomes.settle(
        index, last, outcome, "more were missed than the catch-up runs", count: range.count - count,
        since: range.first, now, &effects)
    }
    var upcoming: WallInstant? = oldest
    while let nominal = upcoming, nominal <= range.latest {
      let first = nominal == range.first ? first : nil
      let entry = DueEntry(
        nominal: nominal, cause: .missed, isAskedFor: outcome == .paused, token: first?.token)
      resolve(index, entry, first?.claim, now, &effects)
      upcoming = schedule.next(after: nominal)
    }
  }
}
