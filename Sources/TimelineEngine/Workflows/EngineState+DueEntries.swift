import TimelineCore

/// Entries that have fallen due: what was missed, and whose they are.
extension EngineState {
  /// Deals with the first entry in the queue, and with all that passed since when the wake was late.
  mutating func entryFellDue(_ index: Int, _ now: WallInstant, _ effects: inout some EffectSink) {
    if jobs[index].mayOmit, let end = jobs[index].next ?? horizon {
      settleOmissions(index, through: now, now, &effects)
      guard planned(index) <= now else { return planOmission(index, before: end) }
    }
    let planned = planned(index)
    let former = jobs[index].watermark.instant
    let (nominal, claim) = jobs[index].decideNext()
    decideAnew(index, after: former, through: nominal, &effects)
    let cause = planned < attended.since ? RunCause.missed : .schedule
    if jobs[index].isClosedLoop {
      jobs[index].beginLoop(at: nominal)
      planNext(index, at: nil)
      resolve(index, DueEntry(nominal: nominal, cause: cause), claim, now, &effects)
      planClosedLoop(index, now)
      return
    }
    let following = undecided(
      index, from: lookahead?.known(after: nominal, of: index) ?? next(after: nominal, of: index))
    if let following, following <= now, !jobs[index].watermark.separates(nominal, from: following),
      jobs[index].dueInstant(seed, of: following) <= now,
      isBeforeHorizon(following), claim != .denied
    {
      resolveSeveral(index, first: nominal, claim, now, &effects)
    } else {
      planNext(index, at: following)
      resolve(index, DueEntry(nominal: nominal, cause: cause), claim, now, &effects)
    }
  }

  private mutating func next(after nominal: WallInstant, of index: Int) -> WallInstant? {
    let definition = jobs[index].definition
    guard lookahead != nil else { return definition.next(after: nominal) }
    return lookahead?.next(after: nominal, of: index, definition.schedule)
  }

  /// Decides about several entries of one job that passed before this wake; never O(how many).
  private mutating func resolveSeveral(
    _ index: Int, first: WallInstant, _ claim: ClaimState, _ now: WallInstant,
    _ effects: inout some EffectSink
  ) {
    let schedule = jobs[index].definition.schedule
    var end = lastInstant(through: now)
    // What was decided while the clock was ahead is no part of it.
    if let span = jobs[index].watermark.ahead.first(where: { $0.lowerBound > first }) {
      end = min(end, span.lowerBound - .nanoseconds(1))
    }
    guard let latest = jobs[index].lastDue(seed, through: end, at: now), latest > first else {
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
      resolveAll(index, range, claim, .missed, now, &effects)
    case .runLatest:
      let jumped = schedule.latest(atOrBefore: latest - .nanoseconds(1)) ?? first
      let reason = missed == .skip ? Reason.skipped : "a later entry had passed too"
      settle(index, jumped, .missed, reason, count: total - 1, since: first, now, &effects)
      // Of several that passed at once even the latest one counts as missed: the wake was that late.
      let entry = DueEntry(nominal: latest, cause: .missed, entryCount: total)
      resolve(index, entry, nil, now, &effects)
    }
    // Last, so that claims are asked for in the order of their entries.
    planNext(index, at: schedule.next(after: latest))
  }

  /// Runs every entry of the range, oldest first; those beyond the bound on catch-up are settled as one record.
  mutating func resolveAll(
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
      resolve(index, entry, nominal == range.first ? claim : nil, now, &effects)
      upcoming = schedule.next(after: nominal)
    }
  }

  /// Decides about one due entry by what its claim says; called again when the claim is answered.
  ///
  /// `claim` is `nil` when it has not been asked for yet, which it is only if the entry is to be run at all.
  mutating func resolve(
    _ index: Int, _ entry: DueEntry, _ claim: ClaimState?, _ now: WallInstant,
    _ effects: inout some EffectSink
  ) {
    // Another daemon records its outcome; one from here would be its second.
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
      lateness: now - jobs[index].dueInstant(seed, of: entry.nominal))
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
      jobs[index].waiting.awaitClaim(entry)
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

  /// Takes in what the ledger said; answers about entries that were given up meanwhile are ignored.
  ///
  /// Entries that have waited for their answers are dealt with in the order in which they fell due, which the ledger does not know.
  mutating func claimsAnswered(
    _ answers: [ClaimAnswer], _ now: WallInstant, _ effects: inout some EffectSink
  ) {
    var due: [(index: Int, entry: DueEntry, claim: ClaimState)] = []
    for answer in answers {
      guard let index = jobs.index(of: answer.entry) else { continue }
      let nominal = answer.entry.nominal
      if let entry = jobs[index].waiting.takeUnclaimed(at: nominal) {
        due.append((index, entry, ClaimState(answer.verdict)))
      } else {
        jobs[index].noteAnswer(ClaimState(answer.verdict), to: nominal)
      }
    }
    if due.count > 1 { due.sort { node($0.index, $0.entry).precedes(node($1.index, $1.entry)) } }
    for (index, entry, claim) in due {
      resolve(index, entry, claim, now, &effects)
      if jobs[index].isClosedLoop { planClosedLoop(index, now) }
    }
  }

  /// Returns the node by which the queue orders an entry of a job.
  private func node(_ index: Int, _ entry: DueEntry) -> DeadlineHeap.Node {
    DeadlineHeap.Node(
      deadline: jobs[index].dueInstant(seed, of: entry.nominal), tie: jobs[index].tie, order: index,
      owner: .init(.job(index)))
  }

  /// Settles each thing that the job's rule left out up to `end`, once.
  mutating func settleOmissions(
    _ index: Int, through end: WallInstant, _ now: WallInstant, _ effects: inout some EffectSink
  ) {
    let end = lastInstant(through: end)
    let origin = max(jobs[index].omissions.origin, end - EngineLimits.omissionsSpan)
    guard origin < end else { return }
    jobs[index].omissions.settle(through: end)
    for row in jobs[index].definition.schedule.omissions(after: origin, through: end) {
      assert(row.first > origin && row.last <= end && !row.outcome.ran)
      settle(
        index, row.last, row.outcome, row.reason, count: row.count, since: row.first, now, &effects)
    }
  }
}
