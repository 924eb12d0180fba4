import TimelineCore
import TimelineEngine

/// Checks of each event and its effects.
extension Invariants {
  /// Checks one event, its effects, and the state of the engine after it.
  ///
  /// Without an `engine` the daemon died while it performed the effects, and only these were performed; or more events of the
  /// same instant follow.
  mutating func check(
    _ event: EngineEvent, at now: WallInstant, _ effects: [EngineEffect], _ engine: EngineState?
  ) {
    furthestSeen = max(furthestSeen, now)
    noteHolidays(event, now)
    if isDrained { require(effects.isEmpty, "effects after drained: \(effects)") }
    note(event, at: now)
    for (position, effect) in effects.enumerated() {
      switch effect {
      case .arm(let deadline):
        require(deadline.map { $0 > now } ?? true, "armed for what has passed")
        armed = deadline
      case .claim(let keys): claimed(keys)
      case .withdraw(let keys):
        for key in keys {
          granted.remove(key)
          asked.remove(key)
        }
      case .start(let attempt): started(attempt, now)
      case .askToStop(let run, _):
        require(
          inFlight[run].map { !$0.wasAsked && $0.isAwaited } ?? false, "run \(run) was asked to stop twice")
        inFlight[run]?.wasAsked = true
      case .kill(let run, _):
        require(inFlight[run].map { !$0.wasKilled && $0.isAwaited } ?? false, "run \(run) was killed twice")
        inFlight[run]?.wasKilled = true
      case .dequeue(let run):
        require(inFlight[run]?.waitsForHost ?? false, "run \(run) was taken out of a queue that it is not in")
      case .settle(let record): settled(record, now)
      case .notePause(let job, let since):
        jobs[job]?.isPaused = since != nil
        denied = denied.filter { $0.job != job }
      case .noteRerun(let entry, let origin): noteRerun(entry, origin, event, now)
      case .noteWaiting(let waiting):
        if !waiting.cause.isOfSchedule { waitingOwn.insert(waiting.entry) }
      case .noteRetry(let run, let entry, let instant):
        require(
          inFlight[run].map { $0.entry == entry && !$0.isAwaited } ?? false,
          "run \(run) is not between attempts")
        require(instant >= now, "an attempt that is due before the one before it ended")
        backingOff.insert(run)
      case .cutRanges(let cuts): for cut in cuts { self.cut(cut) }
      case .noteWatermarks, .noteIncidents: break
      case .drained:
        require(isDraining && nothingRuns(), "drained while runs were active")
        require(position == effects.count - 1, "something after drained")
        isDrained = true
      }
    }
    if case .reload(let definitions, let groups) = event { reloaded(definitions, groups) }
    previousEventAt = now
    for (run, flight) in inFlight where flight.isBeingTaken { inFlight[run]?.isBeingTaken = false }
    guard let engine else { return }
    leaveHandedOver()
    if isLeaving { leaveOpen() }
    let unsettled = dying.keys.sorted()
    require(unsettled.isEmpty, "open runs without an outcome: \(unsettled)")
    require(isArmedRight(engine, now), "armed for another instant than the first deadline")
    require(engine.runCount == inFlight.count, "the engine counts other runs than were started")
    require(!isDraining || isDrained || !inFlight.isEmpty, "nothing runs and drained was not said")
    if !isDraining { checkWaiting(engine, now) }
  }

  private mutating func claimed(_ keys: [EntryKey]) {
    askedAgain.formUnion(asked.intersection(keys))
    askedBefore.subtract(keys)
    asked.formUnion(keys)
    // A former denial does not count for an entry that is claimed again after a reload or a pause.
    denied.subtract(keys)
  }

  /// Checks the wake-up. If entries only join a queue, it may come later, or stay as early as it was.
  private func isArmedRight(_ engine: EngineState, _ now: WallInstant) -> Bool {
    let reminder = engine.nextReminder
    let first = [engine.nextDeadline, reminder].compactMap(\.self).min()
    guard let deadline = engine.nextDeadline, let armed, armed != first else { return armed == first }
    let latest = min(deadline + EngineLimits.enqueueDelayMax, reminder ?? .max)
    return now < armed && armed <= latest && engine.onlyEnqueues(through: latest)
  }

  private mutating func note(_ event: EngineEvent, at now: WallInstant) {
    switch event {
    case .claimsAnswered(let answers): answered(answers)
    case .attemptWaits(let run):
      guard let flight = inFlight[run] else { break }
      inFlight[run]?.waitsForHost = true
      inFlight[run]?.begunCount -= 1
      if flight.begunCount == 1 { everStarted.remove(flight.entry) }
    case .attemptBegan(let run, _):
      began(run)
    case .attemptEnded(let run, let outcome):
      inFlight[run]?.isAwaited = false
      if outcome.hasOutput { inFlight[run]?.hasOutput = true }
      if outcome.precededStop, inFlight[run]?.wasAsked ?? false { inFlight[run]?.wasAskedTooLate = true }
      // The run is between two attempts again. The attempt that was withdrawn does not count.
      if let flight = inFlight[run], flight.isLeft, flight.attempts > 1 { inFlight[run]?.attempts -= 1 }
      // A plugin that cannot be loaded has failed, like one that was called.
      if outcome.status == .failed, inFlight[run]?.waitsForHost ?? false {
        inFlight[run]?.waitsForHost = false
        inFlight[run]?.begunCount += 1
      }
    case .release(let name): released(name, now)
    // A drained engine ignores events.
    case .mode(let mode): if !isDrained { changed(mode, now) }
    case .drain: isDraining = true
    case .leave: (isDraining, isLeaving) = (true, true)
    case .clockStepped:
      previousEventAt = .min
      // Entries that are planned anew are claimed anew.
      denied = []
      askedBefore.formUnion(asked)
      for (name, job) in jobs {
        jobs[name]?.waitsSince = nil
        jobs[name]?.leftAhead.formUnion(job.arrivals.keys.filter { $0 > now })
      }
      letFarDecisionsComeAgain(now)
    case .reload(let definitions, groups: _):
      for definition in definitions {
        upcoming[definition.name] = definition
        jobs[definition.name] = jobs[definition.name] ?? Watched(definition: definition, since: nil)
      }
    case .backfillsFailed(let records): for record in records { report(record) }
    case .wake, .trigger, .rerun, .cancel, .pause, .resume, .cadence, .takeOver, .handOver: break
    }
  }

  private mutating func answered(_ answers: [ClaimAnswer]) {
    for answer in answers {
      asked.remove(answer.entry)
      switch answer.verdict {
      case .granted:
        granted.insert(answer.entry)
        tokens[answer.entry] = answer.token
      case .denied:
        // An entry that was claimed twice while the clock was set back and forth belongs to this engine by the first answer.
        if granted.contains(answer.entry) { continue }
        // Another daemon records the outcome of the rerun.
        reruns[answer.entry] = nil
        if !askedBefore.contains(answer.entry) { denied.insert(answer.entry) }
        everLost.insert(answer.entry)
        stories.denied(answer.entry)
      case .unknown:
        tokens[answer.entry] = nil
        if jobs[answer.entry.job]?.definition.policies.delivery == .atLeastOnce {
          granted.insert(answer.entry)
        }
      }
    }
  }

  private mutating func began(_ run: RunID) {
    guard let flight = inFlight[run], flight.waitsForHost else { return }
    inFlight[run]?.waitsForHost = false
    inFlight[run]?.isLeft = false
    inFlight[run]?.begunCount += 1
    everStarted.insert(flight.entry)
  }

  private mutating func started(_ attempt: Attempt, _ now: WallInstant) {
    require(!isDraining, "a run started while draining")
    require(attempt.startedAt == now, "an attempt that started at another time")
    checkOwner(attempt)
    if attempt.cause == .reaction { stories.check(attempt, &violations) }
    require(attempt.rerun == reruns[attempt.entry], "\(attempt.entry) repeats another entry")
    let hasStarted = !everStarted.insert(attempt.entry).inserted
    if var run = inFlight[attempt.run] {
      require(!run.isAwaited && attempt.number == run.attempts + 1, "attempts of run \(attempt.run) overlap")
      run.attempts = attempt.number
      run.forgetLateStop()
      run.begunCount += 1
      run.isAwaited = true
      isAboutToStart(attempt.run)
      inFlight[attempt.run] = run
      return
    }
    require(attempt.number == 1, "run \(attempt.run) begins with attempt \(attempt.number)")
    require(attempt.run > lastRun, "run numbers do not ascend")
    lastRun = attempt.run
    checkFirst(attempt, now, hasStarted: hasStarted)
    checkPlaces(attempt, now)
    inFlight[attempt.run] = InFlight(entry: attempt.entry)
  }

  /// Checks that this entry may be started now. The room for it is checked elsewhere.
  private mutating func checkFirst(_ attempt: Attempt, _ now: WallInstant, hasStarted: Bool) {
    let key = attempt.entry
    guard let job = jobs[key.job] else { return violations.append("a run of the unknown job \(key.job)") }
    let isSame = (upcoming[key.job] ?? job.definition) == job.definition && !job.hasChanged
    let schedule = job.definition.schedule
    let mayRepeat = mayShareInstant(schedule, attempt.cause)
    let mayComeAgain = mayRepeat || wentBack && job.settledFormerly.contains(key.nominal)
    require(mayComeAgain || !job.settled.contains(key.nominal), "\(key) started after it was settled")
    if isSame, crashes == 0, !mayRepeat, attempt.cause.isOfSchedule {
      require(!hasStarted, "\(key) started again when the clock showed it again")
    }
    require(mayRepeat || !inFlight.values.contains { $0.entry == key && !isGone($0) }, "\(key) started twice")
    // An entry that fell due before a reload may be of a schedule that is too fast to be claimed.
    if claimsMatter, isSame {
      require(
        granted.contains(key) || schedule.hasMoreThanOneEntryPerSecond, "\(key) started without its claim")
      if job.definition.policies.delivery == .atMostOnce, !mayRepeat, crashes > 0 {
        require(!startedInEarlierLife.contains(key), "\(key) started in two lives, at most once")
      }
    }
    guard attempt.cause.isOfSchedule else { return }
    checkMove(attempt, by: schedule, isSame: (upcoming[key.job] ?? job.definition) == job.definition)
    checkMode(attempt, schedule)
    require(!job.isPaused || schedule.isClosedLoop, "\(key) started while its job was paused")
    require(wentBack || now >= key.nominal, "\(key) started before its instant")
    let due = isSame ? dueInstant(of: key.nominal, job.definition) : key.nominal
    require(wentBack || now >= due, "\(key) started before its jitter was over")
    guard !schedule.isClosedLoop else { return }
    let isOfSchedule = schedule.latest(atOrBefore: key.nominal) == key.nominal
    require(!isSame || isOfSchedule, "\(key) is no entry of its job")
    // In the reload that makes its job a closed loop, it may be the first entry of the loop.
    guard isOfSchedule || !(upcoming[key.job]?.schedule.isClosedLoop ?? false) else { return }
    checkOrder(of: key, now)
    let policies = job.definition.policies
    if !claimsMatter, attempt.cause == .schedule, policies.overlap == .skip, policies.groups.isEmpty, isSame,
      !wentBack, upcoming.isEmpty
    {
      let hasWaited = isBesideBackfill(key.job, since: due)
      require(due > previousEventAt || hasWaited, "\(key) started later than it could have")
    }
  }

  /// Whether an instant can have two entries after the clock was set back: without a ledger, entries of closed loops, triggers
  /// and reactions can; with a ledger, entries of a job can whose closed loop is too fast to have rows there.
  private func mayShareInstant(_ schedule: ScheduleRule, _ cause: RunCause) -> Bool {
    guard wentBack else { return false }
    if claimsMatter { return schedule.isClosedLoop && schedule.hasMoreThanOneEntryPerSecond }
    return schedule.isClosedLoop || !cause.isOfSchedule
  }

  /// Checks that an entry of the schedule starts after all earlier entries. Exempt are entries ahead of the clock, entries
  /// that waited when the clock was set back to before them, and entries that were claimed again before the answer.
  private mutating func checkOrder(of key: EntryKey, _ now: WallInstant) {
    guard let job = jobs[key.job], key.nominal <= now, !job.leftAhead.contains(key.nominal),
      !askedAgain.contains(key)
    else { return }
    require(key.nominal > job.lastStarted, "\(key) started after a later entry")
    jobs[key.job]?.lastStarted = key.nominal
  }

  private mutating func settled(_ record: EntryRecord, _ now: WallInstant) {
    require(record.endedAt == now, "settled at another time")
    let begunCount = record.run.map { inFlight[$0]?.begunCount ?? 1 } ?? 0
    let isCancelled = record.outcome == .cancelled && record.run != nil
    let didRun = begunCount > 0
    require(
      record.outcome.ran == didRun || record.outcome == .unknown || isCancelled, "\(record) ran?")
    require(
      (record.startedAt != nil) == didRun || record.run == nil, "\(record) has a start that was not made")
    var hasOutput = false
    if let run = record.run {
      hasOutput = inFlight[run]?.hasOutput ?? false
      require((inFlight[run]?.entry ?? dying[run]) == record.entry, "run \(run) settled what it did not run")
      require(record.entryCount == 1, "a run settles one entry")
      let isLostPause = backingOff.remove(run) != nil && [.unknown, .lost].contains(record.outcome)
      require(
        !isLostPause || dying[run] != nil, "run \(run) was between two attempts, and its end is not known")
      inFlight[run] = nil
      dying[run] = nil
    }
    // Entries that were jumped over together are settled without claims, and former denials do not count after a crash or a
    // takeover.
    let isOthers = denied.contains(record.entry) && record.entryCount == 1 && crashes + takeovers == 0
    require(!isOthers, "\(record.entry) was settled here although another was granted it")
    if record.outcome == .superseded {
      let since = min(jobs[record.entry.job]?.placeSince ?? .max, arrival(of: record.entry, at: now))
      jobs[record.entry.job]?.placeSince = since
    }
    require(record.rerun == reruns[record.entry], "\(record.entry) has repeated another entry")
    require(
      record.rerun.map { $0.cause == record.cause } ?? true,
      "\(record.entry) is a repetition by the cause \(record.cause)"
    )
    if reruns[record.entry]?.backfill != nil { backfillEndedAt[record.entry.job] = now }
    reruns[record.entry] = nil
    if let violation = overlapViolation(record) { violations.append(violation) }
    if record.outcome == .lowFrequency { checkLeftOut(record, now) }
    // What windows exclude is no entry.
    if record.outcome == .excluded { return }
    let nominals = nominals(of: record)
    // An outcome that is written stays, even if a second one is lost.
    let fresh = nominals.filter { !(jobs[record.entry.job]?.settled.contains($0) ?? false) }
    let again = nominals.filter { jobs[record.entry.job]?.settledFormerly.contains($0) ?? false }
    for nominal in nominals {
      let isNew = jobs[record.entry.job]?.settled.insert(nominal).inserted ?? true
      let isOfFormer = !isNew && jobs[record.entry.job]?.settledFormerly.remove(nominal) != nil
      let schedule = jobs[record.entry.job]?.definition.schedule
      let mayRepeat = wentBack && isOfFormer || schedule.map { mayShareInstant($0, record.cause) } ?? false
      require(isNew || mayRepeat, "\(record.entry.job) \(nominal) was settled twice")
    }
    if record.entryCount > 1 { jobs[record.entry.job]?.ranged.formUnion(fresh) }
    uncommitted.append((record.entry.job, fresh, again))
    let known = jobs
    stories.note(record, by: known[record.entry.job]?.definition, hasOutput: hasOutput) { known[$0] != nil }
  }
}
