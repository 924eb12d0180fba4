import TimelineCore

/// A new configuration, taken over while runs go on.
///
/// Unchanged jobs keep their phase, changed ones are planned anew, removed ones end. Entries due by now were dealt with
/// before, by the rules under which they fell due; nothing is left that could run twice. An entry of a changed job that
/// waits for its claim or for room keeps waiting, unless what comes after it is too fast to be claimed. The timeout of an active run is
/// that of its job from now on. A paused job stays paused; what it holds of a schedule that changes ends as `paused`. A removed job that
/// comes back is paused as it was, and owes nothing from before.
///
/// Jobs that the node becomes the owner of are new jobs with a past, which the cluster's store knows.
struct Reload {
  /// The jobs of the new configuration.
  let definitions: [JobDefinition]
  /// The limits of groups.
  let limits: [GroupName: Int]
  /// Jobs that the node becomes the owner of.
  var taken: [TakenJob] = []
  /// Instant of the event.
  let now: WallInstant

  /// Leaves those jobs to cron that a new configuration leaves to it, before anything that is due is run.
  static func leaveToCron(_ definitions: [JobDefinition], _ dispatch: inout Dispatch) {
    for definition in definitions where definition.isLeftToCron {
      if let index = dispatch.jobs.index(named: definition.name) { dispatch.jobs[index].leaveToCron() }
    }
  }

  /// Replaces the jobs.
  func perform(_ dispatch: inout Dispatch, _ pauses: inout PauseBook, _ effects: inout some EffectSink) {
    let plan = ReloadPlan(from: dispatch.jobs, to: definitions)
    let acquisition = Acquisition(of: taken, without: dispatch.jobs, now: now)
    let putOff = releaseChanged(by: plan, &dispatch, &pauses, &effects)
    // What ends in the reload was still counted by the former policies.
    for index in dispatch.jobs.configured {
      dispatch.outcomes.dropIncidents(of: index, for: plan.successors[index], &effects)
    }
    endRemovedRuns(by: plan, &dispatch, &effects)
    JobReplacement(definitions: definitions, plan: plan, now: now).perform(&dispatch, &pauses)
    acquisition.begin(&dispatch)
    pauses.prune(&effects)
    dispatch.execution.setGroups(limits)
    for (index, step) in plan.steps.enumerated() where step.change != .none {
      if acquisition.contains(dispatch.jobs[index].definition.name) { continue }
      // A ledger that was lost may know entries of a job that comes back.
      if case .added = step.change {
        dispatch.timetable.noteDecidedAhead(index, [:], dispatch.execution.runs, now)
      }
      dispatch.timetable.goBackWithClock(index, dispatch.execution.runs, now)
      if case .rescheduled(let wasCounted) = step.change {
        if wasCounted { noteWaitingOfSchedule(index, dispatch, &effects) }
        closeFormerSchedule(index, &dispatch.timetable)
      }
      let since = putOff[dispatch.jobs[index].definition.name] ?? now
      dispatch.timetable.replan(index, since: since, now)
    }
    acquisition.takeOver(&dispatch, &effects)
    dispatch.timetable.watermarks.flush(&effects)
    for index in dispatch.jobs.configured where dispatch.jobs[index].isBuffering {
      dispatch.execution.startWaiting(index, now, &effects)
    }
  }

  /// Advances the watermark to `now`, so that a later daemon misses no earlier entry that only the present schedule has: a new edition of
  /// the zone database changes a schedule and not its text.
  ///
  /// An engine that is leaving decides about nothing that falls due from then on.
  private func closeFormerSchedule(_ index: Int, _ timetable: inout Timetable) {
    let decided = now - .nanoseconds(1)
    guard timetable.lifecycle.isRunning, timetable.isClaimed(index), !timetable.jobs[index].isClosedLoop,
      decided > timetable.jobs[index].watermark.instant
    else { return }
    timetable.jobs[index].watermark.move(to: decided)
    timetable.noteWatermark(index, decided)
  }

  /// Has the ledger keep the waiting entries of a job that was counted until now: it does not know them yet.
  private func noteWaitingOfSchedule(
    _ index: Int, _ dispatch: Dispatch, _ effects: inout some EffectSink
  ) {
    let waiting = dispatch.jobs[index].waiting
    for entry in waiting.buffered + waiting.held where entry.cause.isOfSchedule {
      dispatch.outcomes.noteWaiting(index, entry, &effects)
    }
  }
}

// What changes or goes away.
extension Reload {
  /// Gives up the claims of jobs that change or go away, and settles what waits of those that go away.
  ///
  /// Returns what is to be planned again although its nominal instant has passed: its jitter has it still to come.
  private func releaseChanged(
    by plan: ReloadPlan, _ dispatch: inout Dispatch, _ pauses: inout PauseBook,
    _ effects: inout some EffectSink
  ) -> [JobName: WallInstant] {
    var putOff: [JobName: WallInstant] = [:]
    for index in dispatch.jobs.configured where plan.successors[index] != dispatch.jobs[index].definition {
      let (definition, successor) = (dispatch.jobs[index].definition, plan.successors[index])
      dispatch.outcomes.settleLeftOut(index, before: now, now, &effects)
      let passed = dispatch.jobs[index].next.flatMap { $0 <= now ? $0 : nil }
      // What is not ours is not planned again, or it would be taken for ours once more.
      let isOthers = dispatch.jobs[index].nextClaim == .denied
      if let passed, isOthers || successor?.schedule != definition.schedule {
        settlePutOff(index, passed, &dispatch, &effects)
      } else {
        dispatch.timetable.withdrawNext(index)
        putOff[definition.name] = passed
      }
      dispatch.jobs[index].setNext(nil)
      if successor?.schedule != definition.schedule {
        settlePaused(index, &dispatch, &effects)
        if dispatch.jobs[index].mayOmit, dispatch.lifecycle.isRunning {
          dispatch.outcomes.settleOmissions(index, through: now, now, &effects)
        }
      }
      if successor?.schedule.hasMoreThanOneEntryPerSecond ?? false {
        settleUnanswered(index, &dispatch, &effects)
      }
      guard successor == nil else { continue }
      if let pause = dispatch.jobs[index].pause {
        pauses.keep(definition.name, since: pause.since)
        dispatch.jobs[index].endPause()
      }
      dispatch.outcomes.settleWaiting(index, .missed, Reason.removed, now, &effects)
    }
    return putOff
  }

  /// Settles the next entry, whose nominal instant has passed, because its schedule goes away before it starts; what another was granted
  /// is that one's to settle.
  private func settlePutOff(
    _ index: Int, _ nominal: WallInstant, _ dispatch: inout Dispatch, _ effects: inout some EffectSink
  ) {
    let former = dispatch.jobs[index].watermark.instant
    dispatch.jobs[index].watermark.move(to: nominal)
    guard dispatch.jobs[index].nextClaim != .denied else { return }
    dispatch.timetable.leaveUnasked(index, nominal)
    dispatch.timetable.decideAnew(index, after: former, through: nominal, &effects)
    dispatch.outcomes.settle(
      index, DueEntry(nominal: nominal, cause: .schedule), .missed,
      "its schedule went away while its jitter put it off", now, &effects)
  }

  /// Settles as `paused` what a paused job holds of its schedule up to now, because the schedule goes away.
  private func settlePaused(_ index: Int, _ dispatch: inout Dispatch, _ effects: inout some EffectSink) {
    guard let pause = dispatch.jobs[index].pause else { return }
    let end = dispatch.timetable.lastInstant(through: now)
    for range in dispatch.jobs[index].undecided(after: pause.origin, through: end) {
      dispatch.jobs[index].watermark.move(to: range.latest)
      dispatch.timetable.decideAnew(
        index, after: range.first - .nanoseconds(1), through: range.latest, &effects)
      dispatch.outcomes.settle(
        index, range.latest, .paused, "the job was paused, and then its schedule went away",
        count: range.count, since: range.first, now, &effects)
    }
    dispatch.jobs[index].movePause(holdingAfter: now - .nanoseconds(1))
  }

  /// Settles the entries of the schedule whose claims have not been answered: those of one that is too fast to be claimed would
  /// overtake them.
  private func settleUnanswered(
    _ index: Int, _ dispatch: inout Dispatch, _ effects: inout some EffectSink
  ) {
    for entry in dispatch.jobs[index].waiting.takeUnclaimedOfSchedule() {
      dispatch.timetable.leaveUnasked(index, entry.nominal)
      dispatch.outcomes.settle(
        index, entry, .missed, "its schedule went away before the ledger had answered", now, &effects)
    }
  }

  /// Ends the runs of jobs that go away which no plugin is called for.
  private func endRemovedRuns(
    by plan: ReloadPlan, _ dispatch: inout Dispatch, _ effects: inout some EffectSink
  ) {
    for slot in Array(dispatch.execution.runs.occupied) {
      let (index, phase) = (dispatch.execution.runs[slot].job, dispatch.execution.runs[slot].phase)
      guard phase == .backingOff || phase == .waiting, index < dispatch.jobs.configuredCount,
        plan.successors[index] == nil
      else { continue }
      dispatch.jobs[index].retire()
      dispatch.execution.endIdle(slot, now, &effects)
    }
  }
}
