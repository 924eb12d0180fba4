import TimelineCore

/// A new configuration, applied while runs go on.
///
/// Unchanged jobs keep their phase, changed jobs are planned again, and removed jobs end. Due entries were handled before,
/// under the former rules, so no entry can run twice. Entries of a changed job that wait for a claim or for room keep
/// waiting, unless the job's later entries are too frequent to be claimed. The new timeout of a job applies to its active
/// runs, too. A paused job stays paused. If its schedule changes, the held entries of the former schedule end as `paused`. A
/// removed job that comes back is paused as before, and has no missed entries from the time before.
///
/// If the node becomes the owner of a job, the job is new, but has a past in the cluster's store.
struct Reload {
  /// The jobs of the new configuration.
  let definitions: [JobDefinition]
  /// The limits of groups.
  let limits: [GroupName: Int]
  /// Jobs whose owner the node becomes.
  var taken: [TakenJob] = []
  let now: WallInstant

  /// Leaves jobs to cron as a new configuration requires, before any due entry runs.
  static func leaveToCron(_ definitions: [JobDefinition], _ dispatch: inout Dispatch) {
    for definition in definitions where definition.isLeftToCron {
      if let index = dispatch.jobs.index(named: definition.name) { dispatch.jobs[index].leaveToCron() }
    }
  }

  /// Replaces the jobs.
  func perform(_ dispatch: inout Dispatch, _ pauses: inout Pauses, _ effects: inout some EffectSink) {
    let plan = ReloadPlan(from: dispatch.jobs, to: definitions)
    let acquisition = Acquisition(of: taken, without: dispatch.jobs, now: now)
    let putOff = releaseChanged(by: plan, &dispatch, &pauses, &effects)
    // Incidents are dropped only now, because entries that ended above were still counted by the former policies.
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
      // A ledger that was lost may have entries of a job that comes back.
      if case .added = step.change {
        dispatch.timetable.noteDecidedAhead(index, [:], dispatch.execution.runs, now)
      }
      dispatch.timetable.noteTakenAhead(index, now)
      dispatch.timetable.goBackWithClock(index, dispatch.execution.runs, now)
      dispatch.timetable.noteMovedAhead(index)
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

  /// Advances the watermark to `now`. Otherwise a later daemon would count earlier entries that only the present schedule has
  /// as missed. A new edition of the zone database changes a schedule but not its text.
  ///
  /// An engine that leaves does not decide about entries that fall due after the begin of the leave.
  private func closeFormerSchedule(_ index: Int, _ timetable: inout Timetable) {
    let decided = now - .nanoseconds(1)
    guard timetable.lifecycle.isRunning, timetable.isClaimed(index), !timetable.jobs[index].isClosedLoop,
      decided > timetable.jobs[index].watermark.instant
    else { return }
    timetable.jobs[index].watermark.move(to: decided)
    timetable.noteWatermark(index, decided)
  }

  /// Records in the ledger the waiting entries of a job that was counted until now. The ledger does not have these entries
  /// yet.
  private func noteWaitingOfSchedule(
    _ index: Int, _ dispatch: Dispatch, _ effects: inout some EffectSink
  ) {
    let waiting = dispatch.jobs[index].waiting
    for entry in waiting.buffered + waiting.held where entry.cause.isOfSchedule {
      dispatch.outcomes.noteWaiting(index, entry, &effects)
    }
  }
}

// Jobs that change or go away.
extension Reload {
  /// Gives up the claims of jobs that change or go away, and settles the waiting entries of jobs that go away.
  ///
  /// Returns the entries to be planned again although their nominal instants have passed, because jitter still delays them.
  private func releaseChanged(
    by plan: ReloadPlan, _ dispatch: inout Dispatch, _ pauses: inout Pauses,
    _ effects: inout some EffectSink
  ) -> [JobName: WallInstant] {
    var putOff: [JobName: WallInstant] = [:]
    for index in dispatch.jobs.configured where plan.successors[index] != dispatch.jobs[index].definition {
      let (definition, successor) = (dispatch.jobs[index].definition, plan.successors[index])
      dispatch.outcomes.settleLeftOut(index, before: now, now, &effects)
      let passed = dispatch.jobs[index].next.flatMap { $0 <= now ? $0 : nil }
      // An entry whose claim was denied is not planned again: it would be claimed here once more.
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

  /// Settles the next entry. Its nominal instant has passed, but its schedule goes away before it starts. An entry that was
  /// granted to another daemon or node is settled there.
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

  /// Settles the entries of the schedule that a paused job holds up to now as `paused`, because the schedule goes away.
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

  /// Settles the entries of the schedule whose claims have not been answered. The entries of a new schedule that is too fast
  /// to be claimed would overtake them.
  private func settleUnanswered(
    _ index: Int, _ dispatch: inout Dispatch, _ effects: inout some EffectSink
  ) {
    for entry in dispatch.jobs[index].waiting.takeUnclaimedOfSchedule() {
      dispatch.timetable.leaveUnasked(index, entry.nominal)
      dispatch.outcomes.settle(
        index, entry, .missed, "its schedule went away before the ledger had answered", now, &effects)
    }
  }

  /// Ends the runs of jobs that go away, if no plugin is called for these runs.
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
