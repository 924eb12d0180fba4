import TimelineCore

/// A new configuration, taken over while runs go on.
extension EngineState {
  /// Replaces the jobs: what did not change keeps its phase, what changed is planned anew, what went away ends.
  ///
  /// Entries due at `now` are dealt with first, by the rules under which they fell due; then nothing is left that
  /// could be fired twice. An entry of a changed job that waits for its claim or for room keeps waiting, unless what
  /// comes after it is too fast to be claimed. The timeout of an active run is that of its job from now on. A paused
  /// job stays paused; what it holds of a schedule that changes ends as `paused`. A removed job that comes back is
  /// paused as it was, and owes nothing from before.
  mutating func reload(
    _ definitions: [JobDefinition], _ limits: [GroupName: Int], _ now: WallInstant,
    _ effects: inout some EffectSink
  ) {
    doDueWork(now, &effects)
    let plan = ReloadPlan(from: jobs, to: definitions)
    let putOff = releaseChanged(by: plan, now, &effects)
    let former = jobs
    let runDeadlines = runs.occupied.map { slot in (slot, deadlines.deadline(of: .run(slot))) }
    let dueInstants = former.indices.map { deadlines.deadline(of: .job($0)) }
    var moved = [Int](repeating: -1, count: former.count)
    removeAllJobs(makingRoomFor: definitions.count)
    for (definition, step) in zip(definitions, plan.steps) {
      let order = jobs.count
      if let place = step.former {
        moved[place] = order
        jobs.append(former[place].taking(definition))
      } else {
        jobs.append(JobState(definition, at: now, decided: watermarks.take(definition.name)))
      }
      restorePause(order, now)
    }
    keepRemoved(plan.removed, of: former, &moved)
    pauses.prune(&effects)
    requeue(runDeadlines, dueInstants, moved)
    setGroups(limits)
    for (index, step) in plan.steps.enumerated() where step.change != .none {
      // A ledger that was lost may know entries of a job that comes back.
      if case .added = step.change { noteDecidedAhead(index, [:], now) }
      goBackWithClock(index, now)
      if case .rescheduled(let wasCounted) = step.change {
        if wasCounted { noteWaitingOfSchedule(index, &effects) }
        closeFormerSchedule(index, now)
      }
      replan(index, since: putOff[jobs[index].definition.name] ?? now, now)
    }
    watermarks.flush(&effects)
    for index in jobs.configured where !jobs[index].waiting.buffered.isEmpty {
      startWaiting(index, now, &effects)
    }
  }

  /// Keeps removed jobs until their runs end, and the watermarks of the others in case they come back.
  private mutating func keepRemoved(_ places: [Int], of former: JobTable, _ moved: inout [Int]) {
    var removed: [(job: JobName, decided: WallInstant)] = []
    for place in places {
      if former[place].runCount > 0 {
        assert(
          former[place].next == nil && former[place].waitingEntries == 0,
          "what it had planned has been let go")
        moved[place] = jobs.appendRetired(former[place])
      } else if let decided = former[place].watermark.decided ?? former[place].omissions.through {
        removed.append(
          (former[place].definition.name, max(decided, former[place].omissions.through ?? decided)))
      }
    }
    watermarks.keep(removed)
  }

  /// Advances the watermark to `now`, so that a later daemon misses no earlier entry that only the present schedule has: a new edition of
  /// the zone database changes a schedule and not its text.
  ///
  /// An engine that is leaving decides about nothing that falls due from then on.
  private mutating func closeFormerSchedule(_ index: Int, _ now: WallInstant) {
    let decided = now - .nanoseconds(1)
    guard lifecycle.isRunning, isClaimed(index), !jobs[index].isClosedLoop,
      decided > jobs[index].watermark.instant
    else { return }
    jobs[index].watermark.move(to: decided)
    noteWatermark(index, decided)
  }

  /// Has the ledger keep the waiting entries of a job that was counted until now: it does not know them yet.
  private func noteWaitingOfSchedule(_ index: Int, _ effects: inout some EffectSink) {
    for entry in jobs[index].waiting.buffered + jobs[index].waiting.held where entry.cause.isOfSchedule {
      noteWaiting(index, entry, &effects)
    }
  }

  /// Gives up the claims of jobs that change or go away, and settles what waits of those that go away.
  ///
  /// Returns what is to be planned again although its nominal instant has passed: its jitter has it still to come.
  private mutating func releaseChanged(
    by plan: ReloadPlan, _ now: WallInstant, _ effects: inout some EffectSink
  ) -> [JobName: WallInstant] {
    var putOff: [JobName: WallInstant] = [:]
    for index in jobs.configured where plan.successors[index] != jobs[index].definition {
      let successor = plan.successors[index]
      let passed = jobs[index].next.flatMap { $0 <= now ? $0 : nil }
      // What is not ours is not planned again, or it would be taken for ours once more.
      let isOthers = jobs[index].nextClaim == .denied
      if let passed, isOthers || successor?.schedule != jobs[index].definition.schedule {
        settlePutOff(index, passed, now, &effects)
      } else {
        withdrawNext(index)
        putOff[jobs[index].definition.name] = passed
      }
      jobs[index].setNext(nil)
      if successor?.schedule != jobs[index].definition.schedule {
        settlePaused(index, now, &effects)
        if jobs[index].mayOmit, lifecycle.isRunning { settleOmissions(index, through: now, now, &effects) }
      }
      if successor?.schedule.firesMoreThanOncePerSecond ?? false { settleUnanswered(index, now, &effects) }
      guard successor == nil else { continue }
      if let pause = jobs[index].pause {
        pauses.keep(jobs[index].definition.name, since: pause.since)
        jobs[index].endPause()
      }
      settleWaiting(index, .missed, Reason.removed, now, &effects)
    }
    for slot in Array(runs.occupied) where runs[slot].phase == .backingOff || runs[slot].phase == .waiting {
      let index = runs[slot].job
      guard index < jobs.configuredCount, plan.successors[index] == nil else { continue }
      jobs[index].retire()
      if runs[slot].phase == .waiting {
        effects.append(.dequeue(runs[slot].id))
      } else {
        // Nothing comes after the back-off any more, and until then the run would keep its groups full.
        endRun(slot, .failed, runs[lastMessageIn: slot], now, &effects)
      }
    }
    return putOff
  }

  /// Settles the next entry, whose nominal instant has passed, because its schedule goes away before it starts; what another has won
  /// is that one's to settle.
  private mutating func settlePutOff(
    _ index: Int, _ nominal: WallInstant, _ now: WallInstant, _ effects: inout some EffectSink
  ) {
    let former = jobs[index].watermark.instant
    jobs[index].watermark.move(to: nominal)
    guard jobs[index].nextClaim != .denied else { return }
    leaveUnasked(index, nominal)
    decideAnew(index, after: former, through: nominal, &effects)
    settle(
      index, DueEntry(nominal: nominal, cause: .schedule), .missed,
      "its schedule went away while its jitter put it off", now, &effects)
  }

  /// Settles the entries of the schedule whose claims have not been answered: those of one that is too fast to be claimed would
  /// overtake them.
  private mutating func settleUnanswered(
    _ index: Int, _ now: WallInstant, _ effects: inout some EffectSink
  ) {
    for entry in jobs[index].waiting.takeUnclaimedOfSchedule() {
      leaveUnasked(index, entry.nominal)
      settle(
        index, entry, .missed, "its schedule went away before the ledger had answered", now, &effects)
    }
  }

  /// Fills the emptied queue again after jobs have moved; `moved` says where each one went.
  private mutating func requeue(
    _ runDeadlines: [(Int, WallInstant?)], _ dueInstants: [WallInstant?], _ moved: [Int]
  ) {
    for (slot, deadline) in runDeadlines {
      runs[slot].job = moved[runs[slot].job]
      precondition(runs[slot].job >= 0, "a job with an active run is kept")
      if runs[slot].isPending {
        updateDeadline(slot)
      } else if let deadline {
        setDeadline(slot, deadline)
      }
    }
    for (place, index) in moved.enumerated() where index >= 0 {
      if jobs[index].waitingEntries > 0 { jobs.noteWaited(index) }
      guard jobs[index].next != nil, let due = dueInstants[place] else { continue }
      deadlines.setEntry(index, at: due, tie: jobs[index].tie)
    }
  }
}

extension JobState {
  /// The same job under a definition that may differ.
  fileprivate func taking(_ definition: JobDefinition) -> JobState {
    var job = self
    job.take(definition)
    return job
  }
}
