package import TimelineCore

/// Jobs that start nothing by their schedule until somebody lets them go on.
///
/// A paused job has no next entry. Entries that fall due meanwhile are not looked at one by one: they are known by
/// the schedule from where the pause began, and decided together when it ends. An entry that was waiting for room
/// when the pause began is held with them. Runs that somebody triggers start all the same; reactions do
/// not, for what they have to tell would be stale at the end of the pause.
extension EngineState {
  /// Pauses a job; one that is paused already stays so since when it was.
  mutating func pause(_ name: JobName, _ now: WallInstant, _ effects: inout some EffectSink) {
    guard let index = jobs.index(named: name) else { return }
    doDueWork(now, &effects)
    guard jobs[index].pause == nil else { return }
    let origin = jobs[index].next.map { $0 - .nanoseconds(1) } ?? now
    withdrawNext(index)
    planNext(index, at: nil)
    jobs[index].beginPause(since: now, holdingAfter: origin)
    jobs[index].waiting.beginPause()
    effects.append(.notePause(name, since: now))
    // The place that it had in a queue is free for others.
    startWaitingInGroups(now, &effects)
  }

  /// Keeps a due entry until the pause ends.
  mutating func hold(
    _ index: Int, _ entry: DueEntry, _ now: WallInstant, _ effects: inout some EffectSink
  ) {
    guard mayWait(index, behind: jobs[index].waiting.held.count) else {
      return settleBeyondWaitingMax(index, entry, now, &effects)
    }
    jobs[index].waiting.hold(entry)
    jobs.noteWaited(index)
    noteWaiting(index, entry, &effects)
  }

  /// Lets a paused job go on and does what `catchUp` says about the entries that fell due in the pause.
  ///
  /// Those that are not run end as `paused`. The job's missed window holds all the same; its choice does not, for
  /// somebody has just made one.
  mutating func resume(
    _ name: JobName, _ catchUp: MissedPolicy.Choice, _ now: WallInstant, _ effects: inout some EffectSink
  ) {
    guard let index = jobs.index(named: name) else { return }
    doDueWork(now, &effects)
    guard let pause = jobs[index].pause else { return }
    let ranges = fallenDue(index, in: pause, now)
    jobs[index].endPause()
    let held = jobs[index].waiting.endPause()
    effects.append(.notePause(name, since: nil))
    if jobs[index].mayOmit, lifecycle.isRunning {
      settleOmissions(index, through: now, now, &effects)
    }

    let plan = CatchUpPlan(catchUp, held: held.count, ranges: ranges.count)
    for entry in held.dropLast(plan.heldCount) {
      settle(index, entry, .paused, Reason.paused, now, &effects)
    }
    for entry in held.suffix(plan.heldCount) {
      var entry = entry
      entry.isAskedFor = true
      resolve(index, entry, .granted, now, &effects)
    }
    if lifecycle.isRunning {
      for (position, range) in ranges.enumerated() {
        catchUpWith(range, index, plan.choice(forRange: position), now, &effects)
      }
    }
    if jobs[index].isClosedLoop {
      planClosedLoop(index, now)
    } else {
      // What was held has its outcome, or goes on.
      for entry in held where entry.cause.isOfSchedule && entry.nominal > now {
        jobs[index].watermark.decide(entry.nominal)
      }
      goBackWithClock(index, now)
      watermarks.flush(&effects)
      let origin = max(jobs[index].watermark.instant, min(pause.origin, now))
      planNext(index, at: jobs[index].definition.schedule.next(after: origin))
    }
  }

  /// Runs what `catchUp` says of the entries that fell due in a pause, and settles the others.
  private mutating func catchUpWith(
    _ range: MissedRange, _ index: Int, _ catchUp: MissedPolicy.Choice, _ now: WallInstant,
    _ effects: inout some EffectSink
  ) {
    jobs[index].watermark.move(to: range.latest)
    decideAnew(index, after: range.first - .nanoseconds(1), through: range.latest, &effects)
    switch catchUp {
    case .skip:
      settle(
        index, range.latest, .paused, Reason.paused, count: range.count, since: range.first, now, &effects)
    case .latest:
      if range.count > 1 {
        let jumped = jobs[index].definition.schedule.latest(atOrBefore: range.latest - .nanoseconds(1))
        settle(
          index, jumped ?? range.first, .paused, Reason.paused, count: range.count - 1, since: range.first,
          now,
          &effects)
      }
      let entry = DueEntry(
        nominal: range.latest, cause: .missed, entryCount: range.count, isAskedFor: true)
      resolve(index, entry, nil, now, &effects)
    case .all:
      resolveAll(index, range, nil, .paused, now, &effects)
    }
  }

  /// Settles as `paused` what a paused job holds of its schedule up to now, because the schedule goes away.
  mutating func settlePaused(_ index: Int, _ now: WallInstant, _ effects: inout some EffectSink) {
    guard let pause = jobs[index].pause else { return }
    let end = lastInstant(through: now)
    for range in jobs[index].undecided(after: pause.origin, through: end) {
      jobs[index].watermark.move(to: range.latest)
      decideAnew(index, after: range.first - .nanoseconds(1), through: range.latest, &effects)
      settle(
        index, range.latest, .paused, "the job was paused, and then its schedule went away",
        count: range.count, since: range.first, now, &effects)
    }
    jobs[index].movePause(holdingAfter: now - .nanoseconds(1))
  }

  /// Goes on with the pause that a job had when it was taken out.
  mutating func restorePause(_ index: Int, _ now: WallInstant) {
    guard let since = pauses.take(jobs[index].definition.name) else { return }
    jobs[index].beginPause(since: since, holdingAfter: now - .nanoseconds(1))
  }

  /// Returns the number of entries that a paused job holds at `now`; the end of the pause decides about them. 0 when the job is not paused.
  package func heldCount(of name: JobName, at now: WallInstant) -> Int {
    guard let index = jobs.index(named: name), let pause = jobs[index].pause else { return 0 }
    return jobs[index].waiting.held.count + fallenDue(index, in: pause, now).reduce(0) { $0 + $1.count }
  }

  /// The entries of the pause that have fallen due at `now`; what its jitter has still to come is planned, and not made up for.
  private func fallenDue(_ index: Int, in pause: Pause, _ now: WallInstant) -> [MissedRange] {
    let end = lastInstant(through: now)
    return jobs[index].lastDue(seed, through: end, at: now).map {
      jobs[index].undecided(after: pause.origin, through: $0)
    } ?? []
  }
}
