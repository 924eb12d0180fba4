package import TimelineCore

/// Jobs that have decided entries ahead of the clock, because it was set back.
///
/// A job goes on at once, with the first entry that has no outcome. One that was decided as it fell due does not come again, nor one of
/// which the ledger has a row; what the clock had only jumped over comes in its time.
extension EngineState {
  /// Settles what waits of a job that is about to go on and lies ahead of the clock: it would start after entries that come later.
  mutating func settleWaitingAhead(_ index: Int, _ now: WallInstant, _ effects: inout some EffectSink) {
    guard jobs[index].decidedThrough ?? .min > now, jobs[index].pause == nil,
      !jobs[index].isClosedLoop, !jobs[index].isRetired, jobs[index].waitingEntries > 0
    else { return }
    let isAhead = { (entry: DueEntry) in entry.cause.isOfSchedule && entry.nominal > now }
    let waiting = (jobs[index].unclaimed + jobs[index].buffered).filter(isAhead)
    jobs[index].unclaimed.removeAll(where: isAhead)
    jobs[index].buffered.removeAll(where: isAhead)
    for entry in waiting {
      leaveUnasked(index, entry.nominal)
      jobs[index].decidedAhead = jobs[index].decidedAhead.merging(entry.nominal...entry.nominal)
      // Of a job that is claimed the ledger knows.
      if !isClaimed(index) { attended.include(entry.nominal) }
      settle(index, entry, .missed, Reason.setBack, now, &effects)
    }
  }

  /// Keeps what the ledger has of the job ahead of the clock, if the clock was set back.
  mutating func noteDecidedAhead(_ index: Int, _ decided: DecidedEntries, _ now: WallInstant) {
    guard !decided.isEmpty, jobs[index].decidedThrough ?? .min > now, !jobs[index].isClosedLoop,
      let spans = decided[jobs[index].definition.name]
    else { return }
    for span in spans { jobs[index].decidedAhead = jobs[index].decidedAhead.merging(span) }
  }

  /// Lets the job go on at `now` if it has decided entries ahead of that.
  mutating func goOnBeforeDecided(_ index: Int, _ now: WallInstant) {
    guard let decided = jobs[index].decidedThrough, decided > now, jobs[index].pause == nil,
      !jobs[index].isClosedLoop, !jobs[index].isRetired
    else { return }
    var spans = underWay(index, after: now, besides: jobs[index].decidedAhead.merging(decided...decided))
    for span in attended.spans(after: now, through: decided, last: lastSeen) { spans = spans.merging(span) }
    jobs[index].decidedAhead = spans
    jobs[index].repeatedThrough = max(jobs[index].repeatedThrough, decided)
    jobs[index].decidedThrough = now
  }

  /// The entries of the job's schedule later than `now` that run, wait or are held, with `spans`: they have been decided, although nobody
  /// may have been there as they fell due.
  private func underWay(
    _ index: Int, after now: WallInstant, besides spans: [ClosedRange<WallInstant>]
  ) -> [ClosedRange<WallInstant>] {
    var spans = spans
    if jobs[index].runCount > 0 {
      for slot in runs.occupied where runs[slot].job == index && runs[slot].cause.isOfSchedule {
        if runs[slot].nominal > now { spans = spans.merging(runs[slot].nominal...runs[slot].nominal) }
      }
    }
    let waiting = jobs[index].unclaimed + jobs[index].buffered + jobs[index].held
    for entry in waiting where entry.cause.isOfSchedule && entry.nominal > now {
      spans = spans.merging(entry.nominal...entry.nominal)
    }
    return spans
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
    let end = min(now, jobs[index].repeatedThrough)
    guard let passed = jobs[index].decidedAhead.last(where: { $0.upperBound <= end })?.upperBound else {
      return nil
    }
    jobs[index].decidedAhead.removeAll { $0.upperBound <= end }
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
    if jobs[index].isClosedLoop { return }
    // What is under way is decided all the same.
    jobs[index].decidedAhead = underWay(index, after: now, besides: [])
    jobs[index].repeatedThrough = .min
    if jobs[index].pause == nil, jobs[index].decidedThrough ?? .min > now { jobs[index].decidedThrough = now }
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
