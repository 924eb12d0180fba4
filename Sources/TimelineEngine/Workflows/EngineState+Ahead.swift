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

  /// Keeps the entries of the job that have an outcome of their own, all those that the ledger has after `now` or after its watermark.
  mutating func noteDecidedAhead(_ index: Int, _ decided: DecidedEntries, _ now: WallInstant) {
    guard !jobs[index].isCounted, !jobs[index].isClosedLoop else { return }
    defer { noteUnknown(index, after: now) }
    guard let nominals = decided[jobs[index].definition.name] else { return }
    let schedule = jobs[index].definition.schedule
    var spans = jobs[index].decidedAhead.filter { $0.lowerBound <= now }
      .map { $0.lowerBound...min($0.upperBound, now) }
    for nominal in nominals {
      // Entries in a row make one span.
      if let span = spans.last, schedule.next(after: span.upperBound) == nominal {
        spans[spans.count - 1] = span.lowerBound...nominal
      } else {
        spans.append(nominal...nominal)
      }
    }
    jobs[index].decidedAhead = underWay(index, after: now, besides: spans)
  }

  /// Takes entries for decided that a lost ledger may know: an entry is not run twice, although it may be run never.
  private mutating func noteUnknown(_ index: Int, after now: WallInstant) {
    let end = watermarks.unknownThrough
    guard isClaimed(index), end > now, !jobs[index].isReleased, !jobs[index].isClosedLoop else { return }
    jobs[index].decidedAhead = jobs[index].decidedAhead.merging(now + .nanoseconds(1)...end)
  }

  /// Takes over what the job had decided before the clock was set back, as the ledger has kept it.
  mutating func noteRepeated(
    _ index: Int, _ repeated: RepeatedTime, of paused: [JobName: WallInstant], _ now: WallInstant
  ) {
    let name = jobs[index].definition.name
    jobs[index].isReleased = repeated.released.contains(name)
    noteDecidedAhead(index, repeated.decided, now)
    guard let furthest = repeated.furthest[name], isClaimed(index) else { return }
    // The end of a pause decides about all that fell due in it.
    if furthest > now || paused[name] != nil {
      jobs[index].repeatedThrough = furthest
    } else {
      // The clock has come past it: what it did not show again keeps the outcome that it has.
      for span in repeated.ranges[name] ?? [] where isOfSchedule(index, span) {
        jobs[index].decidedAhead = jobs[index].decidedAhead.merging(span)
      }
    }
  }

  /// Whether a record that begins and ends there is of the job's present schedule.
  private func isOfSchedule(_ index: Int, _ span: ClosedRange<WallInstant>) -> Bool {
    let schedule = jobs[index].definition.schedule
    return schedule.next(after: span.lowerBound - .nanoseconds(1)) == span.lowerBound
      && schedule.latest(atOrBefore: span.upperBound) == span.upperBound
  }

  /// Lets the job go on at `now` if it has decided entries ahead of that.
  mutating func goOnBeforeDecided(_ index: Int, _ now: WallInstant) {
    guard let decided = jobs[index].decidedThrough, decided > now, jobs[index].pause == nil,
      !jobs[index].isClosedLoop, !jobs[index].isRetired
    else { return }
    var spans = underWay(index, after: now, besides: jobs[index].decidedAhead)
    jobs[index].repeatedThrough = max(jobs[index].repeatedThrough, decided)
    if isClaimed(index) {
      noteWatermark(index, now)
    } else {
      // The ledger has no rows of it, and the time that daemons attended has to do.
      spans = spans.merging(decided...decided)
      for span in attended.spans(after: now, through: decided, last: attendedThrough) {
        spans = spans.merging(span)
      }
    }
    jobs[index].decidedAhead = spans
    jobs[index].decidedThrough = now
    noteUnknown(index, after: now)
  }

  /// Restores the job's former watermark when the clock has passed it, and returns it; `nil` when there is none to restore.
  ///
  /// Entries in between that the clock did not show again keep their outcomes.
  mutating func comeToDecided(_ index: Int, _ now: WallInstant) -> WallInstant? {
    let through = jobs[index].repeatedThrough
    guard through > .min, through <= now, jobs[index].pause == nil, !jobs[index].isRetired else { return nil }
    jobs[index].repeatedThrough = .min
    guard through > jobs[index].decidedThrough ?? .min else { return nil }
    jobs[index].decidedThrough = through
    jobs[index].omittedThrough = max(jobs[index].omittedThrough ?? through, through)
    if isClaimed(index) { noteWatermark(index, through) }
    return through
  }

  mutating func noteWatermark(_ index: Int, _ decided: WallInstant) {
    let furthest = max(decided, jobs[index].repeatedThrough)
    watermarks.append(Watermark(job: jobs[index].definition.name, decided: decided, furthest: furthest))
  }

  /// Takes entries that the job decides anew, after `start` through `end`, out of the records that stand for them.
  ///
  /// Entries that keep the outcome that they had before the clock was set back stay in theirs.
  mutating func decideAnew(
    _ index: Int, after start: WallInstant, through end: WallInstant, _ effects: inout some EffectSink
  ) {
    guard jobs[index].repeatedThrough > start else { return }
    if jobs[index].repeatedThrough <= end { jobs[index].repeatedThrough = .min }
    guard isClaimed(index) else { return }
    let definition = jobs[index].definition
    var (start, cuts) = (start, [RangeCut]())
    func cut(through last: WallInstant) {
      if start < last {
        cuts.append(
          RangeCut(job: definition.name, after: start, through: last, schedule: definition.schedule))
      }
    }
    for span in jobs[index].decidedAhead where span.upperBound > start && span.lowerBound <= end {
      cut(through: span.lowerBound - .nanoseconds(1))
      start = span.upperBound
    }
    cut(through: end)
    if !cuts.isEmpty { effects.append(.cutRanges(cuts)) }
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
    // The schedule of a closed loop brings nothing again.
    if jobs[index].isClosedLoop { return }
    let name = jobs[index].definition.name
    for record in inherited.interrupted where record.entry.job == name && record.cause.isOfSchedule {
      jobs[index].decidedAhead = jobs[index].decidedAhead.merging(record.firstNominal...record.entry.nominal)
    }
    for left in inherited.takeEntries() {
      let nominal = left.entry.nominal
      guard left.job == index, left.entry.cause.isOfSchedule, let decided = jobs[index].decidedThrough,
        nominal > decided
      else {
        inherited.append(left)
        continue
      }
      let isDecided = jobs[index].decidedAhead.contains { $0.contains(nominal) }
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
        jobs[index].decidedThrough = nominal
        inherited.append(left)
      }
    }
  }

  /// The first entry from `nominal` on, which is one, that was not decided while the clock was ahead.
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

  /// Entries of the job's schedule after `origin`, up to `end`, that nothing has been decided about, as ranges with decided entries between
  /// them.
  func undecided(_ index: Int, after origin: WallInstant, through end: WallInstant) -> [MissedRange] {
    guard !jobs[index].isClosedLoop else { return [] }
    let schedule = jobs[index].definition.schedule
    var (ranges, origin) = ([MissedRange](), origin)
    let spans = jobs[index].decidedAhead.filter { $0.upperBound > origin && $0.lowerBound <= end }
    for span in spans + [end + .nanoseconds(1)...end + .nanoseconds(1)] {
      let before = span.lowerBound - .nanoseconds(1)
      if let first = schedule.next(after: origin), let latest = schedule.latest(atOrBefore: before),
        first <= latest
      {
        let count = schedule.count(after: first, through: latest) + 1
        ranges.append(MissedRange(first: first, latest: latest, count: count))
      }
      origin = max(origin, span.upperBound)
    }
    return ranges
  }

  /// Whether the job has undecided entries before this one of its own, which it had decided while the clock was ahead.
  func isAhead(_ index: Int, _ nominal: WallInstant) -> Bool {
    jobs[index].hasDecidedAhead && isClaimed(index) && nominal > jobs[index].decidedThrough ?? .min
  }

  /// Whether entries that were decided while the clock was ahead lie between two that were not.
  func isBeyondDecided(_ following: WallInstant, after nominal: WallInstant, _ index: Int) -> Bool {
    jobs[index].hasDecidedAhead
      && jobs[index].decidedAhead.contains { nominal < $0.lowerBound && $0.upperBound < following }
  }

  /// Forgets what the job has decided ahead of the clock, so that its next entry is the schedule's; must be known to the ledger before.
  mutating func release(_ name: JobName, _ now: WallInstant, _ effects: inout some EffectSink) {
    guard let index = jobs.index(named: name) else { return }
    doDueWork(now, &effects)
    if jobs[index].isClosedLoop { return }
    // What is under way is decided all the same.
    jobs[index].decidedAhead = underWay(index, after: now, besides: [])
    jobs[index].repeatedThrough = .min
    jobs[index].isReleased = true
    if jobs[index].pause == nil, jobs[index].decidedThrough ?? .min > now { jobs[index].decidedThrough = now }
    if let pause = jobs[index].pause {
      jobs[index].decidedThrough = jobs[index].decidedThrough.map { min($0, now) }
      jobs[index].pause?.origin = min(pause.origin, now)
    }
    replan(index, since: now, now)
  }

  /// The configured jobs whose next entry is later than the schedule's, because those before it were decided while the clock was ahead.
  package func waitingForClock(at now: WallInstant) -> [EntryKey] {
    jobs.configured.compactMap { index in
      guard waitsForClock(index, now), let next = jobs[index].next else { return nil }
      return jobs.key(index, next)
    }
  }

  func waitsForClock(_ index: Int, _ now: WallInstant) -> Bool {
    guard let next = jobs[index].next, !jobs[index].isClosedLoop,
      jobs[index].hasDecidedAhead || jobs[index].decidedThrough ?? .min > now
    else { return false }
    return jobs[index].definition.schedule.next(after: now).map { $0 < next } ?? false
  }
}
