import TimelineCore

/// From a job's schedule to entries that are due: planning, lateness, and what was missed.
///
/// The queue holds the instant at which an entry falls due, jitter and accuracy included; the job keeps the nominal one
/// beside it, which names the entry. As an entry falls due before the next one's nominal instant, of those whose nominal
/// instants have passed only the last can still be to come.
extension EngineState {
  /// Makes `nominal` the job's next entry, or leaves it without one.
  mutating func planNext(_ index: Int, at nominal: WallInstant?) {
    let nominal = undecided(index, from: nominal)
    // What falls due when a daemon has begun to leave is the next one's.
    guard let nominal, !lifecycle.isLeaving, until.map({ nominal < $0 }) ?? true else {
      jobs[index].setNext(nil)
      deadlines.remove(.job(index))
      // What is left out after the last entry of a timeline that ends is on it all the same.
      if let until, jobs[index].mayOmit { planOmission(index, before: until) }
      return
    }
    assert(!jobs[index].isRetired && jobs[index].pause == nil, "a removed or paused job has no entries")
    let due = dueInstant(index, of: nominal)
    let claim = lifecycle.isRunning ? askForClaim(index, nominal) : .granted
    jobs[index].setNext(nominal, claim)
    deadlines.setEntry(index, at: due, tie: jobs[index].tie)
    if jobs[index].mayOmit { planOmission(index, before: nominal) }
  }

  /// Returns the instant at which the entry at `nominal` falls due.
  func dueInstant(_ index: Int, of nominal: WallInstant) -> WallInstant {
    jobs[index].isExact ? nominal : jobs[index].definition.dueInstant(of: nominal, seed)
  }

  /// Returns the instant at which the job's next entry falls due: its nominal time plus the delay by jitter and accuracy; `.max` for none.
  ///
  /// The job does not store it. The queue has it, except for a job whose rule leaves instants out: there the
  /// queue may hold the next omission.
  func planned(_ index: Int) -> WallInstant {
    guard let nominal = jobs[index].next else { return .max }
    if jobs[index].isExact { return nominal }
    if !jobs[index].mayOmit, let deadline = deadlines.deadline(of: .job(index)) { return deadline }
    return dueInstant(index, of: nominal)
  }

  /// The last entry of the schedule with a nominal instant up to `end` that has fallen due at `now`.
  func lastDue(_ index: Int, through end: WallInstant, _ now: WallInstant) -> WallInstant? {
    let schedule = jobs[index].definition.schedule
    let latest = schedule.latest(atOrBefore: end)
    guard let latest, dueInstant(index, of: latest) > now else { return latest }
    return schedule.latest(atOrBefore: latest - .nanoseconds(1))
  }

  /// Plans the first entry at or after `since` that has not been decided, in place of what was planned.
  mutating func replan(_ index: Int, since: WallInstant, _ now: WallInstant) {
    // What came before is not lost because the clock went on, or the job changed, before it was settled.
    jobs[index].omissions.begin(at: since)
    if jobs[index].pause != nil { return }
    if jobs[index].isClosedLoop {
      withdrawNext(index)
      planNext(index, at: nil)
      planClosedLoop(index, now)
    } else {
      let origin = max(jobs[index].watermark.instant, since - .nanoseconds(1))
      let next = undecided(index, from: jobs[index].definition.schedule.next(after: origin))
      guard next != jobs[index].next else { return }
      withdrawNext(index)
      planNext(index, at: next)
    }
  }

  /// Plans the next start of a closed loop, unless something of the job still runs or waits to.
  mutating func planClosedLoop(_ index: Int, _ now: WallInstant) {
    guard mode == .normal, lifecycle.isRunning, !jobs[index].isRetired, jobs[index].next == nil,
      jobs[index].runCount == 0, jobs[index].waitingEntries == 0, !jobs[index].isStoppedLoop
    else { return }
    planNext(index, at: jobs[index].freeInstant(at: max(now, jobs[index].earliestStart)))
  }

  /// Deals with the first entry in the queue, and with all that passed since when the wake was late.
  mutating func entryFellDue(_ index: Int, _ now: WallInstant, _ effects: inout some EffectSink) {
    if jobs[index].mayOmit, let end = jobs[index].next ?? until {
      settleOmissions(index, through: now, now, &effects)
      guard planned(index) <= now else { return planOmission(index, before: end) }
    }
    let planned = planned(index)
    let former = jobs[index].watermark.instant
    let (nominal, claim) = jobs[index].decideNext()
    decideAnew(index, after: former, through: nominal, &effects)
    let cause = planned < missedBefore ? RunCause.missed : .schedule
    if jobs[index].isClosedLoop {
      jobs[index].earliestStart = nominal + jobs[index].loopInterval
      planNext(index, at: nil)
      take(index, DueEntry(nominal: nominal, cause: cause), claim, now, &effects)
      planClosedLoop(index, now)
      return
    }
    let following = undecided(
      index, from: ahead?.known(after: nominal, of: index) ?? next(after: nominal, of: index))
    if let following, following <= now, !jobs[index].watermark.separates(nominal, from: following),
      dueInstant(index, of: following) <= now,
      until.map({ following < $0 }) ?? true, claim != .denied
    {
      severalPassed(index, first: nominal, claim, now, &effects)
    } else {
      planNext(index, at: following)
      take(index, DueEntry(nominal: nominal, cause: cause), claim, now, &effects)
    }
  }

  @inline(never)
  private mutating func next(after nominal: WallInstant, of index: Int) -> WallInstant? {
    let definition = jobs[index].definition
    guard ahead != nil else { return definition.next(after: nominal) }
    return ahead?.next(after: nominal, of: index, definition.schedule)
  }

  /// Decides about several entries of one job that passed before this wake; never O(how many).
  private mutating func severalPassed(
    _ index: Int, first: WallInstant, _ claim: ClaimState, _ now: WallInstant,
    _ effects: inout some EffectSink
  ) {
    let schedule = jobs[index].definition.schedule
    var end = until.map { min(now, $0 - .nanoseconds(1)) } ?? now
    // What was decided while the clock was ahead is no part of it.
    if let span = jobs[index].watermark.ahead.first(where: { $0.lowerBound > first }) {
      end = min(end, span.lowerBound - .nanoseconds(1))
    }
    guard let latest = lastDue(index, through: end, now), latest > first else {
      preconditionFailure("a schedule whose next(after:) passed has a latest(atOrBefore:)")
    }
    let total = schedule.count(after: first, through: latest) + 1
    jobs[index].watermark.move(to: latest)
    decideAnew(index, after: first, through: latest, &effects)
    let missed = jobs[index].definition.policies.missed.choice
    let decision = MissedRangeDecision(
      missed, jobs[index].definition.policies.overlap, isRunning: lifecycle.isRunning,
      hasRoom: jobs[index].hasRoom)
    if !decision.runsFirst(of: total) { leaveUnasked(index, first) }
    switch decision {
    case .shutDown:
      settle(index, latest, .shutDown, Reason.stopping, count: total, since: first, now, &effects)
    case .overlapped:
      settle(index, latest, .overlapped, overlapReason(index), count: total, since: first, now, &effects)
    case .runAll:
      let range = MissedRange(first: first, latest: latest, count: total)
      takeAll(index, range, claim, .missed, now, &effects)
    case .runLatest:
      let jumped = schedule.latest(atOrBefore: latest - .nanoseconds(1)) ?? first
      let reason = missed == .skip ? Reason.skipped : "a later entry had passed too"
      settle(index, jumped, .missed, reason, count: total - 1, since: first, now, &effects)
      // Of several that passed at once even the latest one counts as missed: the wake was that late.
      let entry = DueEntry(nominal: latest, cause: .missed, entryCount: total)
      take(index, entry, nil, now, &effects)
    }
    // Last, so that claims are asked for in the order of their entries.
    planNext(index, at: schedule.next(after: latest))
  }

  /// Makes up for every entry of the range, oldest first; what is beyond the bound is settled as one record.
  mutating func takeAll(
    _ index: Int, _ range: MissedRange, _ claim: ClaimState?, _ outcome: Outcome, _ now: WallInstant,
    _ effects: inout some EffectSink
  ) {
    let schedule = jobs[index].definition.schedule
    let count = min(range.count, EngineLimits.missedRunsMax)
    var oldest = range.latest
    for _ in 1..<count { oldest = schedule.latest(atOrBefore: oldest - .nanoseconds(1)) ?? range.first }
    if count < range.count {
      let last = schedule.latest(atOrBefore: oldest - .nanoseconds(1)) ?? range.first
      settle(
        index, last, outcome, "more were missed than the catch-up runs", count: range.count - count,
        since: range.first, now, &effects)
    }
    var upcoming: WallInstant? = oldest
    while let nominal = upcoming, nominal <= range.latest {
      let entry = DueEntry(nominal: nominal, cause: .missed, isAskedFor: outcome == .paused)
      take(index, entry, nominal == range.first ? claim : nil, now, &effects)
      upcoming = schedule.next(after: nominal)
    }
  }

  /// Decides about one due entry by what its claim says; called again when the claim is answered.
  ///
  /// `claim` is `nil` when it has not been asked for yet, which it is only if the entry is to be run at all.
  mutating func take(
    _ index: Int, _ entry: DueEntry, _ claim: ClaimState?, _ now: WallInstant,
    _ effects: inout some EffectSink
  ) {
    // Whoever won the entry records its outcome; one from here would be its second.
    if claim == .denied {
      if entry.cause == .reaction { reactions[upstreamOf: jobs.key(index, entry.nominal)] = nil }
      return
    }
    guard lifecycle.isRunning else {
      if lifecycle.isLeaving, !entry.cause.isOfSchedule, isKept(entry, of: index) {
        return noteWaiting(index, entry, &effects)
      }
      return settle(index, entry, .shutDown, Reason.stopping, now, &effects)
    }
    switch MissedDecision(
      entry, jobs[index].definition.policies.missed, isPaused: jobs[index].pause != nil,
      lateness: now - dueInstant(index, of: entry.nominal))
    {
    case .run: break
    case .tooLate: return settle(index, entry, .missed, Reason.tooLate, now, &effects)
    case .pausedTooLong: return settle(index, entry, .paused, Reason.pausedTooLong, now, &effects)
    case .skipped: return settle(index, entry, .missed, Reason.skipped, now, &effects)
    }
    switch claim ?? askForClaim(index, entry.nominal) {
    case .granted:
      startOrQueue(index, entry, now, &effects)
    case .asked:
      guard mayWait(index, behind: jobs[index].waiting.unclaimed.count) else {
        return settleBeyondWaitingMax(index, entry, now, &effects)
      }
      jobs[index].waiting.unclaimed.append(entry)
      jobs.noteWaited(index)
    case .denied:
      preconditionFailure("dealt with above")
    case .unknown:
      switch jobs[index].definition.policies.delivery {
      case .atLeastOnce: startOrQueue(index, entry, now, &effects)
      case .atMostOnce:
        settle(index, entry, .unknown, "the ledger could not say whether it had run", now, &effects)
      }
    }
  }
}

extension JobState {
  /// The shortest time between two starts of a closed loop.
  var loopInterval: ElapsedTime {
    guard case .animation(let schedule) = definition.schedule else { return .zero }
    return schedule.interval
  }

  /// Whether a closed loop stands still.
  var isStoppedLoop: Bool {
    if pause != nil { return true }
    guard case .animation(let schedule) = definition.schedule else { return false }
    return schedule.isPaused
  }
}
