import TimelineCore

/// Steps of the system clock, and jobs that have decided entries ahead of a clock that was set back.
extension EngineState {
  /// Computes every deadline anew after the wall clock moved by `length` against elapsed time.
  ///
  /// Lengths of time (timeouts, grace, back-offs, the interval of a closed loop) move with the
  /// clock. Entries are dates and do not: those that a step forwards jumped over are missed and come under the
  /// missed policy. After a step backwards an entry that was decided as it fell due is never fired again, and entries that
  /// had been jumped over come in their time; ``JobStatus/settledThrough`` says until when a job is silent.
  mutating func clockStepped(
    by length: ElapsedTime, _ decided: DecidedEntries, _ now: WallInstant, _ effects: inout some EffectSink
  ) {
    attended.step(from: attendedThrough, to: now)
    lastSeen = now
    wakePlan.forget()
    lifecycle.clockStepped(by: length)
    for slot in Array(runs.occupied) {
      let policies = jobs[runs[slot].job].definition.policies
      runs[slot].clockStepped(by: length, now)
      let deadline = deadlines.deadline(of: .run(slot))
      switch (runs[slot].phase, deadline) {
      case (.waiting, _), (.running, _): updateDeadline(slot)
      case (.stopping, let deadline?): setDeadline(slot, min(deadline + length, now + policies.grace))
      case (.backingOff, let deadline?):
        setDeadline(slot, min(deadline + length, now + RetryPlan(policies.retry).longestBackoff))
      case (.stopping, nil), (.backingOff, nil), (.killed, _): break
      }
    }
    for index in jobs.indices {
      noteDecidedAhead(index, decided, now)
      settleWaitingAhead(index, now, &effects)
      goBackWithClock(index, now)
      let awaySince = restoreFormerWatermark(index, now)
      jobs[index].clockStepped(by: length, now)
      if jobs[index].isClosedLoop {
        replan(index, since: now, now)
      } else if awaySince != nil || jobs[index].next.map({ $0 > now }) ?? !jobs[index].isRetired {
        replan(index, since: awaySince ?? now, now)
      }
    }
    watermarks.flush(&effects)
    requeueForGroups()
    // What was settled above may have stood in the way of others.
    if lifecycle.isRunning { startWaitingInGroups(now, &effects) }
  }

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
    guard isClaimed(index), !jobs[index].isClosedLoop,
      watermarks.isUnknown(jobs[index].definition.name, after: now)
    else { return }
    jobs[index].watermark.decide(now + .nanoseconds(1)...watermarks.unknownThrough)
  }

  /// Lets the job go on at `now` if it has decided entries ahead of that.
  mutating func goBackWithClock(_ index: Int, _ now: WallInstant) {
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
  mutating func restoreFormerWatermark(_ index: Int, _ now: WallInstant) -> WallInstant? {
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

  /// Forgets what the job has decided ahead of the clock, so that its next entry is the schedule's; must be known to the ledger before.
  mutating func release(_ name: JobName, _ now: WallInstant, _ effects: inout some EffectSink) {
    guard let index = jobs.index(named: name) else { return }
    doDueWork(now, &effects)
    if jobs[index].isClosedLoop { return }
    // What is under way is decided all the same.
    let underWay = underWay(index, after: now)
    jobs[index].watermark.release(at: now)
    for nominal in underWay { jobs[index].watermark.decide(nominal) }
    watermarks.release(name)
    if let pause = jobs[index].pause { jobs[index].movePause(holdingAfter: min(pause.origin, now)) }
    replan(index, since: now, now)
  }
}
