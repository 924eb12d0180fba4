import TimelineCore

/// Decisions about single due entries: entries of schedules, manual triggers and reactions.
extension Dispatch {
  /// Decides about one due entry by the state of its claim. Called again when the claim is answered.
  ///
  /// `claim` is `nil` if no claim has been requested yet. A claim is requested only if the entry is to run.
  mutating func resolve(
    _ index: Int, _ entry: DueEntry, _ claim: ClaimState?, _ now: WallInstant,
    _ effects: inout some EffectSink
  ) {
    // Another daemon records the outcome of the entry. An outcome from here would be a second one.
    if claim == .denied {
      if entry.cause == .reaction { outcomes[upstreamOf: jobs.key(index, entry.nominal)] = nil }
      if entry.cause.repeatsEntry { outcomes.reruns[jobs.key(index, entry.nominal)] = nil }
      return
    }
    guard lifecycle.isRunning else {
      if lifecycle.isLeaving, !entry.cause.isOfSchedule, outcomes.isKept(entry, of: index) {
        return outcomes.noteWaiting(index, entry, &effects)
      }
      return outcomes.settle(index, entry, .shutDown, Reason.stopping, now, &effects)
    }
    switch MissedDecision(
      entry, jobs[index].definition.policies.missed, isPaused: jobs[index].pause != nil,
      lateness: now - timetable.dueInstant(index, of: entry.nominal))
    {
    case .run: break
    case .tooLate: return outcomes.settle(index, entry, .missed, Reason.tooLate, now, &effects)
    case .pausedTooLong: return outcomes.settle(index, entry, .paused, Reason.pausedTooLong, now, &effects)
    case .skipped: return outcomes.settle(index, entry, .missed, Reason.skipped, now, &effects)
    }
    // The entry would run, and its record shows this beside cron's own record.
    if jobs[index].definition.isLeftToCron, entry.cause.isOfSchedule {
      return outcomes.settle(index, entry, .leftToCron, Reason.leftToCron, now, &effects)
    }
    switch claim ?? timetable.askForClaim(index, entry.nominal) {
    case .granted:
      execution.startOrQueue(index, entry, now, &effects)
    case .asked:
      guard jobs[index].mayWait(behind: jobs[index].waiting.unclaimed.count) else {
        return outcomes.settleBeyondWaitingMax(index, entry, now, &effects)
      }
      jobs[index].waiting.awaitClaim(entry)
      jobs.noteWaited(index)
      timetable.watchForLateness(index, entry.nominal, entry.cause)
    case .denied:
      preconditionFailure("dealt with above")
    case .unknown:
      switch jobs[index].definition.policies.delivery {
      case .atLeastOnce: execution.startOrQueue(index, entry, now, &effects)
      case .atMostOnce:
        outcomes.settle(
          index, entry, .unknown, "the ledger could not say whether it had run", now, &effects)
      }
    }
  }

  /// Handles answers of the ledger. Answers about entries that were given up in the meantime are ignored.
  ///
  /// Entries that waited for their answers are handled in the order in which they fell due.
  mutating func claimsAnswered(
    _ answers: [ClaimAnswer], _ now: WallInstant, _ effects: inout some EffectSink
  ) {
    var due: [(index: Int, entry: DueEntry, claim: ClaimState)] = []
    for answer in answers {
      guard let index = jobs.index(of: answer.entry) else { continue }
      if var entry = jobs[index].waiting.takeUnclaimed(at: answer.entry.nominal) {
        entry.token = answer.token
        due.append((index, entry, ClaimState(answer.verdict)))
      } else {
        jobs[index].noteAnswer(answer)
      }
    }
    if due.count > 1 { sort(&due) }
    for (index, entry, claim) in due {
      resolve(index, entry, claim, now, &effects)
      if jobs[index].isClosedLoop { timetable.planClosedLoop(index, now) }
    }
  }

  /// Sorts entries in the order of the queue. Entries of one job are sorted by nominal instant, because a reload may have
  /// changed the job's jitter since they fell due.
  private func sort(_ due: inout [(index: Int, entry: DueEntry, claim: ClaimState)]) {
    due.sort { ($0.index, $0.entry.nominal) < ($1.index, $1.entry.nominal) }
    var nodes: [DeadlineHeap.Node] = []
    for (index, entry, _) in due {
      let former = nodes.last.flatMap { $0.owner.index == index ? $0.deadline : nil } ?? .min
      nodes.append(
        DeadlineHeap.Node(
          deadline: max(former, timetable.dueInstant(index, of: entry.nominal)), tie: jobs[index].tie,
          order: index, owner: .init(.job(index))))
    }
    due = zip(nodes, due).sorted { $0.0.precedes($1.0) }.map(\.1)
  }
}

// Entries outside of schedules.
extension Dispatch {
  /// Makes an entry for a run that an operator triggered. Does nothing for an unknown job.
  ///
  /// The nominal instant is now, or differs from now by nanoseconds if another entry of the job has or may have this instant.
  mutating func trigger(_ name: JobName, _ now: WallInstant, _ effects: inout some EffectSink) {
    guard let index = jobs.index(named: name) else { return }
    let entry = DueEntry(nominal: takeInstant(index, now), cause: .trigger)
    resolve(index, entry, nil, now, &effects)
  }

  /// Makes an entry for another run of a decided entry of the schedule. Does nothing for an unknown job, or if the entry cannot
  /// be repeated.
  mutating func rerun(
    _ name: JobName, _ rerun: RerunOrigin, _ now: WallInstant, _ effects: inout some EffectSink
  ) {
    guard let index = jobs.index(named: name), execution.rerunRefusal(index, of: rerun.of, now) == nil else {
      return
    }
    let entry = DueEntry(nominal: takeInstant(index, now), cause: rerun.cause)
    let key = jobs.key(index, entry.nominal)
    outcomes.reruns[key] = rerun
    effects.append(.noteRerun(key, rerun))
    resolve(index, entry, nil, now, &effects)
  }

  /// Reserves and returns a nominal instant for an entry of the job outside its schedule.
  private mutating func takeInstant(_ index: Int, _ now: WallInstant) -> WallInstant {
    let taken = timetable.taken(index, at: now)
    return jobs[index].takeTriggerInstant(at: now, besides: taken)
  }

  /// Runs the reactions to the entries that this event has settled.
  mutating func react(_ now: WallInstant, _ effects: inout some EffectSink) {
    for (listener, upstream) in outcomes.takeReactions() {
      // A listener that is no longer configured cannot run.
      guard let index = jobs.index(named: listener) else { continue }
      let entry = DueEntry(nominal: takeInstant(index, now), cause: .reaction)
      outcomes[upstreamOf: jobs.key(index, entry.nominal)] = upstream
      guard jobs[index].pause == nil else {
        outcomes.settle(index, entry, .paused, Reason.paused, now, &effects)
        continue
      }
      resolve(index, entry, nil, now, &effects)
    }
  }
}
