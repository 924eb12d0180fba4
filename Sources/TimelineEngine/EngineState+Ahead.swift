package import TimelineCore

/// Jobs that have decided entries ahead of the clock, because it was set back.
///
/// By up to ``EngineLimits/decidedAheadMax`` a job waits until the clock has passed its last decision. Beyond that it goes on at once: an
/// entry that was decided as it fell due does not come again, and all others do in their time.
extension EngineState {
  /// Settles what waits of a job that is about to go on and lies ahead of the clock: it would start after entries that come later.
  mutating func settleWaitingAhead(_ index: Int, _ now: WallInstant, _ effects: inout some EffectSink) {
    guard jobs[index].decidedThrough ?? .min > now + EngineLimits.decidedAheadMax, jobs[index].pause == nil,
      !jobs[index].isClosedLoop, !jobs[index].isRetired, jobs[index].waitingEntries > 0
    else { return }
    let isAhead = { (entry: DueEntry) in entry.cause.isOfSchedule && entry.nominal > now }
    let waiting = (jobs[index].unclaimed + jobs[index].buffered).filter(isAhead)
    jobs[index].unclaimed.removeAll(where: isAhead)
    jobs[index].buffered.removeAll(where: isAhead)
    for entry in waiting {
      leaveUnasked(index, entry.nominal)
      jobs[index].decidedAhead = jobs[index].decidedAhead.merging(entry.nominal...entry.nominal)
      settle(index, entry, .missed, Reason.setBack, now, &effects)
    }
  }

  /// Lets the job go on at `now` if it has decided entries further ahead than that.
  mutating func goOnBeforeDecided(_ index: Int, _ now: WallInstant, atLeast ahead: ElapsedTime) {
    guard let decided = jobs[index].decidedThrough, decided > now + ahead, jobs[index].pause == nil,
      !jobs[index].isClosedLoop, !jobs[index].isRetired
    else { return }
    var spans = jobs[index].decidedAhead.merging(decided...decided)
    for span in attended.spans(after: now, through: decided, last: lastSeen) { spans = spans.merging(span) }
    for slot in runs.occupied where runs[slot].job == index && runs[slot].cause.isOfSchedule {
      if runs[slot].nominal > now { spans = spans.merging(runs[slot].nominal...runs[slot].nominal) }
    }
    // What goes on waiting has been decided too, although nobody may have been there as it fell due.
    let waiting = (jobs[index].unclaimed + jobs[index].buffered).filter(\.cause.isOfSchedule)
    for entry in waiting where entry.nominal > now { spans = spans.merging(entry.nominal...entry.nominal) }
    jobs[index].decidedAhead = spans
    jobs[index].decidedThrough = now
  }

  /// Has what an earlier daemon left of a job that goes on be decided in one place: here, or where the schedule brings it again.
  mutating func keepToWhatWasLeft(_ index: Int, _ now: WallInstant) {
    let name = jobs[index].definition.name
    for record in leftOpen where record.entry.job == name && record.cause.isOfSchedule {
      jobs[index].decidedAhead = jobs[index].decidedAhead.merging(record.firstNominal...record.entry.nominal)
    }
    let waiting = leftWaiting
    leftWaiting = []
    for left in waiting {
      let nominal = left.entry.nominal
      guard left.index == index, left.entry.cause.isOfSchedule, let decided = jobs[index].decidedThrough,
        nominal > decided
      else {
        leftWaiting.append(left)
        continue
      }
      let isDecided = jobs[index].decidedAhead.contains { $0.contains(nominal) }
      if isDecided, nominal > now {
        // As after a step: it would start after entries that come later.
        leftOpen.append(
          EntryRecord(
            entry: key(index, nominal), cause: .missed, disposition: .missed, reason: Reason.setBack,
            endedAt: now))
      } else if isDecided {
        leftWaiting.append(left)
      } else if left.hasWaited, nominal <= now,
        undecided(index, from: jobs[index].definition.schedule.next(after: decided)) == nominal
      {
        // Nothing is undecided before it, so that it can go on waiting.
        jobs[index].decidedThrough = nominal
        leftWaiting.append(left)
      }
    }
  }

  /// Keeps to what was decided ahead once the clock is set to after it; gives up to when that was. What came before it and has not
  /// been decided was jumped over while the clock was wrong.
  mutating func comeToDecided(_ index: Int, _ now: WallInstant) -> WallInstant? {
    guard let passed = jobs[index].decidedAhead.last(where: { $0.upperBound <= now })?.upperBound else {
      return nil
    }
    jobs[index].decidedAhead.removeAll { $0.upperBound <= now }
    guard !jobs[index].isRetired, passed > jobs[index].decidedThrough ?? .min else { return nil }
    jobs[index].decidedThrough = passed
    jobs[index].omittedThrough = max(jobs[index].omittedThrough ?? passed, passed)
    return passed
  }

  /// The first entry from `nominal` on, which is one, that was not decided while the clock was ahead.
  @inline(__always)
  mutating func undecided(_ index: Int, from nominal: WallInstant?) -> WallInstant? {
    guard jobs[index].hasDecidedAhead, let nominal else { return nominal }
    return skipDecided(index, from: nominal)
  }

  @inline(never)
  private mutating func skipDecided(_ index: Int, from nominal: WallInstant) -> WallInstant? {
    if let decided = jobs[index].decidedThrough {
      jobs[index].decidedAhead.removeAll { $0.upperBound <= decided }
    }
    var next: WallInstant? = nominal
    for span in jobs[index].decidedAhead {
      if let nominal = next, span.contains(nominal) {
        next = jobs[index].definition.schedule.next(after: span.upperBound)
      }
    }
    return next
  }

  /// Whether entries that were decided while the clock was ahead lie between two that were not.
  @inline(__always)
  func isBeyondDecided(_ following: WallInstant, after nominal: WallInstant, _ index: Int) -> Bool {
    jobs[index].hasDecidedAhead
      && jobs[index].decidedAhead.contains { nominal < $0.lowerBound && $0.upperBound < following }
  }

  /// Forgets what the job has decided ahead of the clock, so that its next entry is the schedule's; must be known to the ledger before.
  mutating func release(_ name: JobName, _ now: WallInstant, _ effects: inout some EffectSink) {
    guard let index = index(named: name) else { return }
    doDueWork(now, &effects)
    jobs[index].decidedAhead = []
    if jobs[index].isClosedLoop { return }
    goOnBeforeDecided(index, now, atLeast: .zero)
    jobs[index].decidedAhead = []
    if let pause = jobs[index].pause {
      jobs[index].decidedThrough = jobs[index].decidedThrough.map { min($0, now) }
      jobs[index].pause?.origin = min(pause.origin, now)
    }
    planAnew(index, since: now, now)
  }

  /// The configured jobs whose next entry is later than the schedule's, because those before it were decided while the clock was ahead.
  package func waitingForClock(at now: WallInstant) -> [EntryKey] {
    (0..<configuredCount).compactMap { index in
      guard waitsForClock(index, now), let next = jobs[index].next else { return nil }
      return key(index, next)
    }
  }

  func waitsForClock(_ index: Int, _ now: WallInstant) -> Bool {
    guard let next = jobs[index].next, !jobs[index].isClosedLoop,
      jobs[index].hasDecidedAhead || jobs[index].decidedThrough ?? .min > now
    else { return false }
    return jobs[index].definition.schedule.next(after: now).map { $0 < next } ?? false
  }
}
