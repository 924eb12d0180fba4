package import TimelineCore

/// Requests of operators and of the machine: triggers, modes, clock steps and drains.
extension EngineState {
  /// Makes an entry of its own for a run that somebody asked for; an unknown job has none.
  ///
  /// Its nominal instant is now, moved on by nanoseconds as long as another entry of the job has that instant.
  mutating func trigger(_ name: JobName, _ now: WallInstant, _ effects: inout some EffectSink) {
    guard let index = jobs.index(named: name) else { return }
    doDueWork(now, &effects)
    take(index, DueEntry(nominal: uniqueTriggerInstant(index, now), cause: .trigger), nil, now, &effects)
  }

  /// The entry that a job's last trigger or reaction made; `nil` when there is no such job or was none.
  package func latestOfItsOwn(_ name: JobName) -> EntryKey? {
    guard let index = jobs.index(named: name), let nominal = jobs[index].lastTrigger else { return nil }
    return jobs.key(index, nominal)
  }

  /// A nominal instant for an entry that is not of the job's schedule.
  mutating func uniqueTriggerInstant(_ index: Int, _ now: WallInstant) -> WallInstant {
    var nominal = jobs[index].freeTriggerInstant(at: now)
    if jobs[index].hasEntry(at: nominal) { nominal = nominal + .nanoseconds(1) }
    jobs[index].lastTrigger = nominal
    return nominal
  }

  /// Stops closed loops in low-frequency mode and lets them go on after it; everything else keeps its entries.
  mutating func change(_ mode: ScheduleMode, _ now: WallInstant) {
    guard mode != self.mode else { return }
    self.mode = mode
    for index in jobs.indices where jobs[index].isClosedLoop { replan(index, since: now, now) }
  }

  /// Computes every deadline anew after the wall clock moved by `length` against elapsed time.
  ///
  /// Lengths of time (timeouts, grace, pauses between attempts, the interval of a closed loop) move with the
  /// clock. Entries are dates and do not: those that a step forwards jumped over are missed and come under the
  /// missed policy. After a step backwards an entry that was decided as it fell due is never fired again, and entries that
  /// had been jumped over come in their time; ``JobStatus/settledThrough`` says until when a job is silent.
  mutating func clockStepped(
    by length: ElapsedTime, _ decided: DecidedEntries, _ now: WallInstant, _ effects: inout some EffectSink
  ) {
    missedBefore = now
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
      goOnBeforeDecided(index, now)
      let awaySince = comeToDecided(index, now)
      jobs[index].waiting.clockStepped(by: length, now)
      if let pause = jobs[index].pause {
        // Held entries that the clock will show again are held again, and not twice.
        let decided = jobs[index].watermark.instant
        jobs[index].pause?.origin = max(decided, min(pause.origin, now - .nanoseconds(1)))
      }
      jobs[index].noteStep()
      if jobs[index].isClosedLoop {
        let bound = now + jobs[index].loopInterval
        jobs[index].earliestStart = min(jobs[index].earliestStart + length, bound)
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

  /// Starts nothing any more: what waits ends as `shut-down`, what runs has `patience` to end.
  mutating func drain(_ patience: ElapsedTime?, _ now: WallInstant, _ effects: inout some EffectSink) {
    lifecycle.drain(patience, at: now)
    for index in jobs.indices {
      settleWaiting(index, .shutDown, Reason.stopping, now, &effects)
    }
    dequeueWaitingRuns(&effects)
    for slot in Array(runs.occupied) {
      switch runs[slot].phase {
      case .running: updateDeadline(slot)
      case .backingOff: endBetweenAttempts(slot, now, &effects)
      case .waiting, .stopping, .killed: break
      }
    }
  }

  /// Settles every due entry of the job that has not been started.
  mutating func settleWaiting(
    _ index: Int, _ outcome: Outcome, _ reason: String, _ now: WallInstant,
    _ effects: inout some EffectSink
  ) {
    for entry in jobs[index].waiting.takeAll() { settle(index, entry, outcome, reason, now, &effects) }
  }
}

extension JobState {
  /// `instant`, or the first one after it that no manual trigger and no entry decided last has taken.
  func freeInstant(at instant: WallInstant) -> WallInstant {
    var free = instant == watermark.decided ? instant + .nanoseconds(1) : instant
    // Several at one instant follow one another; a last one far ahead is of before the clock went back.
    if let last = lastTrigger, last >= free, last - free < .milliseconds(1) { free = last + .nanoseconds(1) }
    return besideFormerEntries(of: free)
  }

  /// `instant`, or one less than 1 µs before it, so that what starts now is not early; where those are taken, the first free one
  /// after it.
  func freeTriggerInstant(at instant: WallInstant) -> WallInstant {
    let nominal = besideFormerEntries(atOrBefore: instant)
    let follows = lastTrigger.map { $0 >= nominal && $0 - nominal < .milliseconds(1) } ?? false
    return follows || nominal == watermark.decided ? freeInstant(at: instant) : nominal
  }

  /// Whether the schedule has an entry at this very instant; a closed loop's only one is the next.
  func hasEntry(at instant: WallInstant) -> Bool {
    if isClosedLoop { return next == instant || watermark.decided == instant }
    return definition.schedule.latest(atOrBefore: instant) == instant
  }
}
