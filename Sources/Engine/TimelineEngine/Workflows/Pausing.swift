import TimelineCore

/// The begin or the end of a pause: a paused job starts nothing by its schedule until an operator resumes it.
///
/// A paused job has no next entry. Entries that fall due in the pause are not handled one by one: the schedule yields them
/// from the begin of the pause on, and they are decided together at its end. An entry that was waiting for room when the pause
/// began is held with them. Triggered runs still start. Reactions do not start, because they would be stale at the end of the
/// pause. The next attempt of a failed run waits for the end of the pause, unless the run was triggered.
struct Pausing {
  /// Index of the job.
  private let index: Int
  private let now: WallInstant

  /// Makes the pause of the job with this name; `nil` if there is no such job.
  init?(of name: JobName, _ jobs: JobTable, _ now: WallInstant) {
    guard let index = jobs.index(named: name) else { return nil }
    (self.index, self.now) = (index, now)
  }

  /// Pauses the job. A job that is already paused keeps the start of its pause.
  func begin(_ dispatch: inout Dispatch, _ effects: inout some EffectSink) {
    let job = dispatch.jobs[index]
    guard job.pause == nil else { return }
    dispatch.outcomes.settleLeftOut(index, before: now, now, &effects)
    let origin = job.next.map { $0 - .nanoseconds(1) } ?? now
    dispatch.timetable.unplan(index)
    dispatch.jobs[index].beginPause(since: now, holdingAfter: origin)
    dispatch.jobs[index].waiting.beginPause()
    effects.append(.notePause(job.definition.name, since: now))
    // The place of the job in a queue is free for others.
    dispatch.execution.startWaitingInGroups(now, &effects)
  }

  /// Resumes the job and applies `catchUp` to the entries that fell due in the pause.
  ///
  /// Entries that are not run end as `paused`. The missed window of the job applies. The choice of its missed policy does not
  /// apply, because the operator has just made a choice.
  func end(
    _ catchUp: MissedPolicy.Choice, _ dispatch: inout Dispatch, _ effects: inout some EffectSink
  ) {
    guard let pause = dispatch.jobs[index].pause else { return }
    let ranges = dispatch.timetable.fallenDue(index, in: pause, now)
    dispatch.jobs[index].endPause()
    let held = dispatch.jobs[index].waiting.endPause()
    effects.append(.notePause(dispatch.jobs[index].definition.name, since: nil))
    if dispatch.lifecycle.isRunning { dispatch.execution.startHeldAttempts(index, now, &effects) }
    dispatch.settleWaitingAhead(index, now, &effects)
    if dispatch.jobs[index].mayOmit, dispatch.lifecycle.isRunning {
      dispatch.outcomes.settleOmissions(index, through: now, now, &effects)
    }

    let plan = CatchUpPlan(catchUp, held: held.count, ranges: ranges.count)
    for entry in held.dropLast(plan.heldCount) {
      dispatch.outcomes.settle(index, entry, .paused, Reason.paused, now, &effects)
    }
    for entry in held.suffix(plan.heldCount) {
      var entry = entry
      entry.isAskedFor = true
      dispatch.resolve(index, entry, .granted, now, &effects)
    }
    if dispatch.lifecycle.isRunning {
      for (position, range) in ranges.enumerated() {
        catchUpWith(range, plan.choice(forRange: position), &dispatch, &effects)
      }
    }
    dispatch.timetable.planLateCheck(index, at: now)
    goOn(from: pause, held, &dispatch, &effects)
  }

  /// Runs the entries that `catchUp` selects among the entries that fell due in a pause, and settles the others.
  private func catchUpWith(
    _ range: MissedRange, _ catchUp: MissedPolicy.Choice, _ dispatch: inout Dispatch,
    _ effects: inout some EffectSink
  ) {
    dispatch.jobs[index].watermark.move(to: range.latest)
    dispatch.timetable.decideAnew(
      index, after: range.first - .nanoseconds(1), through: range.latest, &effects)
    switch catchUp {
    case .skip:
      dispatch.outcomes.settle(
        index, range.latest, .paused, Reason.paused, count: range.count, since: range.first, now, &effects)
    case .latest:
      if range.count > 1 {
        let schedule = dispatch.jobs[index].definition.schedule
        let jumped = schedule.latest(atOrBefore: range.latest - .nanoseconds(1)) ?? range.first
        dispatch.outcomes.settle(
          index, jumped, .paused, Reason.paused, count: range.count - 1, since: range.first, now, &effects)
      }
      let entry = DueEntry(
        nominal: range.latest, cause: .missed, entryCount: range.count, isAskedFor: true)
      dispatch.resolve(index, entry, nil, now, &effects)
    case .all:
      dispatch.resolveAll(index, range, nil, .paused, now, &effects)
    }
  }

  /// Plans the first entry after the pause.
  private func goOn(
    from pause: Pause, _ held: [DueEntry], _ dispatch: inout Dispatch, _ effects: inout some EffectSink
  ) {
    if dispatch.jobs[index].isClosedLoop { return dispatch.timetable.planClosedLoop(index, now) }
    // Held entries have their outcomes, or go on.
    for entry in held where entry.cause.isOfSchedule && entry.nominal > now {
      dispatch.jobs[index].watermark.decide(entry.nominal)
    }
    dispatch.timetable.goBackWithClock(index, dispatch.execution.runs, now)
    dispatch.timetable.watermarks.flush(&effects)
    let origin = max(dispatch.jobs[index].watermark.instant, min(pause.origin, now))
    dispatch.timetable.planNext(index, at: dispatch.jobs[index].definition.schedule.next(after: origin))
  }
}
