package import TimelineCore

/// Jobs that have decided entries ahead of the clock, because it was set back.
///
/// A job goes on at once, with the first entry that has no outcome. One that was decided as it fell due does not come again, nor one of
/// which the ledger has a row; what the clock had only jumped over comes in its time.
extension EngineState {
  /// Settles what waits of a job that is about to go on and lies ahead of the clock: it would start after entries that come later.
  mutating func settleWaitingAhead(_ index: Int, _ now: WallInstant, _ effects: inout some EffectSink) {
    guard jobs[index].watermark.instant > now, jobs[index].pause == nil,
      !jobs[index].isClosedLoop, !jobs[index].isRetired, jobs[index].waitingEntries > 0
    else { return }
    for entry in jobs[index].waiting.takeAhead(of: now) {
      leaveUnasked(index, entry.nominal)
      jobs[index].watermark.decide(entry.nominal)
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
    jobs[index].watermark.replaceAhead(of: now, with: nominals, of: jobs[index].definition)
    for nominal in underWay(index, after: now) { jobs[index].watermark.decide(nominal) }
  }

  /// Takes entries for decided that a lost ledger may know: an entry is not run twice, although it may be run never.
  private mutating func noteUnknown(_ index: Int, after now: WallInstant) {
    let end = watermarks.unknownThrough
    guard isClaimed(index), end > now, !jobs[index].isReleased, !jobs[index].isClosedLoop else { return }
    jobs[index].watermark.decide(now + .nanoseconds(1)...end)
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
      jobs[index].watermark.setFormer(furthest)
    } else {
      // The clock has come past it: what it did not show again keeps the outcome that it has.
      for span in repeated.ranges[name] ?? [] where jobs[index].definition.hasEntries(atEndsOf: span) {
        jobs[index].watermark.decide(span)
      }
    }
  }

  /// Lets the job go on at `now` if it has decided entries ahead of that.
  mutating func goOnBeforeDecided(_ index: Int, _ now: WallInstant) {
    guard let decided = jobs[index].watermark.decided, decided > now, jobs[index].pause == nil,
      !jobs[index].isClosedLoop, !jobs[index].isRetired
    else { return }
    let underWay = underWay(index, after: now)
    jobs[index].watermark.goBack(to: now)
    for nominal in underWay { jobs[index].watermark.decide(nominal) }
    if isClaimed(index) {
      noteWatermark(index, now)
    } else {
      // The ledger has no rows of it, and the time that daemons attended has to do.
      jobs[index].watermark.decide(decided)
      for span in attended.spans(after: now, through: decided, last: attendedThrough) {
        jobs[index].watermark.decide(span)
      }
    }
    noteUnknown(index, after: now)
  }

  /// Restores the job's former watermark when the clock has passed it, and returns it; `nil` when there is none to restore.
  ///
  /// Entries in between that the clock did not show again keep their outcomes.
  mutating func comeToDecided(_ index: Int, _ now: WallInstant) -> WallInstant? {
    guard jobs[index].pause == nil, !jobs[index].isRetired,
      let through = jobs[index].watermark.returnToFormer(at: now)
    else { return nil }
    jobs[index].omissions.advance(to: through)
    if isClaimed(index) { noteWatermark(index, through) }
    return through
  }

  /// Has the ledger know a watermark of the job.
  mutating func noteWatermark(_ index: Int, _ decided: WallInstant) {
    let furthest = max(decided, jobs[index].watermark.former)
    watermarks.append(Watermark(job: jobs[index].definition.name, decided: decided, furthest: furthest))
  }

  /// Takes entries that the job decides anew, after `start` through `end`, out of the records that stand for them.
  ///
  /// Entries that keep the outcome that they had before the clock was set back stay in theirs.
  mutating func decideAnew(
    _ index: Int, after start: WallInstant, through end: WallInstant, _ effects: inout some EffectSink
  ) {
    let spans = jobs[index].watermark.decideAnew(after: start, through: end)
    guard !spans.isEmpty, isClaimed(index) else { return }
    let definition = jobs[index].definition
    effects.append(
      .cutRanges(
        spans.map { span in
          RangeCut(
            job: definition.name, after: span.after, through: span.through, schedule: definition.schedule)
        }))
  }

  /// Returns the entries of the job's schedule later than `now` that run, wait or are held: they have been decided, although nobody may have
  /// been there as they fell due.
  private func underWay(_ index: Int, after now: WallInstant) -> [WallInstant] {
    var nominals: [WallInstant] = []
    if jobs[index].runCount > 0 {
      for slot in runs.occupied where runs[slot].job == index && runs[slot].cause.isOfSchedule {
        nominals.append(runs[slot].nominal)
      }
    }
    nominals += jobs[index].waiting.all.filter(\.cause.isOfSchedule).map(\.nominal)
    return nominals.filter { $0 > now }
  }

  /// Has what an earlier daemon left of a job that goes on be decided in one place: here, or where the schedule brings it again.
  mutating func keepToWhatWasLeft(_ index: Int, _ now: WallInstant) {
    // The schedule of a closed loop brings nothing again.
    if jobs[index].isClosedLoop { return }
    let name = jobs[index].definition.name
    for record in inherited.interrupted where record.entry.job == name && record.cause.isOfSchedule {
      jobs[index].watermark.decide(record.firstNominal...record.entry.nominal)
    }
    for left in inherited.takeEntries() {
      let nominal = left.entry.nominal
      guard left.job == index, left.entry.cause.isOfSchedule, let decided = jobs[index].watermark.decided,
        nominal > decided
      else {
        inherited.append(left)
        continue
      }
      let isDecided = jobs[index].watermark.contains(nominal)
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
        jobs[index].watermark.move(to: nominal)
        inherited.append(left)
      }
    }
  }

  /// Returns the first entry from `nominal` on, which is one, that was not decided while the clock was ahead.
  mutating func undecided(_ index: Int, from nominal: WallInstant?) -> WallInstant? {
    guard jobs[index].watermark.isAhead else { return nominal }
    return jobs[index].watermark.firstUndecided(from: nominal, of: jobs[index].definition)
  }

  /// Returns the entries of the job's schedule after `origin`, up to `end`, that nothing has been decided about.
  func undecided(_ index: Int, after origin: WallInstant, through end: WallInstant) -> [MissedRange] {
    guard !jobs[index].isClosedLoop else { return [] }
    return jobs[index].watermark.undecided(
      after: origin, through: end, of: jobs[index].definition.schedule)
  }

  /// Whether the job has undecided entries before this one of its own, which it had decided while the clock was ahead.
  func isAhead(_ index: Int, _ nominal: WallInstant) -> Bool {
    jobs[index].watermark.isAhead && isClaimed(index) && nominal > jobs[index].watermark.instant
  }

  /// Forgets what the job has decided ahead of the clock, so that its next entry is the schedule's; must be known to the ledger before.
  mutating func release(_ name: JobName, _ now: WallInstant, _ effects: inout some EffectSink) {
    guard let index = jobs.index(named: name) else { return }
    doDueWork(now, &effects)
    if jobs[index].isClosedLoop { return }
    // What is under way is decided all the same.
    let underWay = underWay(index, after: now)
    jobs[index].watermark.release(at: now)
    for nominal in underWay { jobs[index].watermark.decide(nominal) }
    jobs[index].isReleased = true
    if let pause = jobs[index].pause { jobs[index].pause?.origin = min(pause.origin, now) }
    replan(index, since: now, now)
  }

  /// The configured jobs whose next entry is later than the schedule's, because those before it were decided while the clock was ahead.
  package func waitingForClock(at now: WallInstant) -> [EntryKey] {
    jobs.configured.compactMap { index in
      guard jobs[index].waitsForClock(at: now), let next = jobs[index].next else { return nil }
      return jobs.key(index, next)
    }
  }
}
