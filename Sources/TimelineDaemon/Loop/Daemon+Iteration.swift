import TimelineConfiguration
import TimelineCore
import TimelineEngine
import TimelineHostPool
import TimelineSystem
import TimelineSystemd

// The loop of events and effects.
extension Daemon {
  /// Passes an event to the engine and performs its effects: at once, or after the current effects if called from within an
  /// effect.
  func post(_ event: EngineEvent) {
    if iteration.phase == .sleeping {
      cluster?.wakeIfLate()
      // Cron is looked for before a due job is started, even if the job is late.
      cron.lookAtProcess()
    }
    guard iteration.phase.takesEvents else { return iteration.inbox.append(event) }
    if iteration.phase == .sleeping { loop.atEndOfTurn { [weak self] in self?.endIteration() } }
    iteration.move(.event)
    // A report is handled before later messages of its host, and an operator's request after all due work.
    if !event.comesAfterDueWork { iteration.inbox.append(event) }
    var asked = event.comesAfterDueWork ? event : nil
    // Events that follow from those of one round have a later instant, so they are handled in the next round.
    repeat {
      var now = look()
      // The clock is read again, because an end of a run must not be recorded as earlier than it was.
      if hearRuns(ifLateAt: now) { now = look() }
      if let event = asked.take() { iteration.inbox.append(event) }
      for left in (0..<iteration.inbox.count).reversed() {
        if let event = iteration.inbox.popFirst() { handle(event, at: now, isLast: left == 0) }
      }
    } while iteration.inbox.count > 0
    iteration.move(.inboxEmptied)
  }

  /// Returns the instant of the next event. If the clock has a step that was not reported yet, passes it to the engine first.
  private func look() -> WallInstant {
    let (now, step) = clock.look()
    if let step {
      iteration.ahead = nil
      note(step: step)
      handle(.clockStepped(by: step), at: now, isLast: false)
      if step < .zero { loop.atEndOfTurn { [weak self] in self?.tellOfClockWaits() } }
    }
    return iteration.ahead?.deadline ?? now
  }

  /// Reads the waiting messages of all active runs into the inbox if a deadline has come and ends may be unread. So a run that
  /// ended in time does not block a due entry, in any order of the messages. Returns whether messages were read.
  private func hearRuns(ifLateAt now: WallInstant) -> Bool {
    guard !runs.isEmpty, let deadline = iteration.armedAt,
      WakeLead.mayHaveUnread(lateness: now - deadline, readyCount: loop.readyCount)
    else { return false }
    hosts.hearRuns()
    return true
  }

  /// Passes an event to the engine, and then the answers to the claims that follow from it, before any other event.
  private func handle(_ event: EngineEvent, at now: WallInstant, isLast: Bool = true) {
    var next: EngineEvent? = event
    while let event = next {
      next = answer(to: event, at: now, isLast: isLast)
      // If the run continues after the attempt, its back-off comes first.
      if case .attemptEnded(let run, _) = event { tellWait(of: run) }
    }
  }

  /// Passes an event to the engine and performs the effects. Returns the answer to the claims among the effects.
  private func answer(to event: EngineEvent, at now: WallInstant, isLast: Bool) -> EngineEvent? {
    if case .resume(let job, _) = event {
      iteration.resumption = LoopIteration.Resumption(
        job: job, heldCount: engine.heldCount(of: job, at: now))
    }
    engine.handle(
      addingDecidedEntries(to: event, at: now), at: now, isLast: isLast, into: &iteration.effects)
    if case .clockStepped = event { writer.attend(engine.attended) }
    if case .trigger(let job) = event {
      iteration.trigger = engine.latestOfItsOwn(job).map { LoopIteration.PendingTrigger(entry: $0) }
    }
    iteration.move(.effects)
    let answer = performEffects(of: event)
    iteration.move(.performed)
    recordEffects()
    iteration.move(.recorded)
    return answer
  }

  /// Returns a backward clock step together with the entries after `now` that the ledger has decided. Returns any other event
  /// unchanged.
  private func addingDecidedEntries(to event: EngineEvent, at now: WallInstant) -> EngineEvent {
    guard case .clockStepped(by: let step, decided: _) = event, now < engine.lastSeen else { return event }
    return .clockStepped(by: step, decided: writer.decided(after: now))
  }

  /// Queries the engine in place. A query through the daemon's property would copy the engine.
  func ask<Answer>(_ question: (inout EngineState) -> Answer) -> Answer { question(&engine) }

  /// Performs the effects of an event in their order. Returns the answer to the claims among the effects. All effects are
  /// performed before any of them is recorded or reported, so that records and reports do not delay a start.
  private func performEffects(of event: EngineEvent) -> EngineEvent? {
    var answer: EngineEvent?
    var next = 0
    while next < iteration.effects.count {
      if case .start = iteration.effects[next] {
        next = start(from: next)
        continue
      }
      waitForDeadline()
      if let claimsAnswered = perform(iteration.effects[next], of: event) { answer = claimsAnswered }
      next += 1
    }
    waitForDeadline()
    return answer
  }

  /// Records and reports the performed effects. Then handles the plugin reports that arrived meanwhile.
  private func recordEffects() {
    if !iteration.effects.isEmpty { scheduleStatus() }
    var clocks: DaemonClock.Reading?
    for index in iteration.effects.indices {
      switch iteration.effects[index] {
      case .start(let attempt):
        let reading = clocks ?? clock.reading
        clocks = reading
        noteStart(attempt, reading)
      case .settle: tellSettled()
      case .drained: tellWhoWaitsForKept()
      default: break
      }
    }
    iteration.effects.removeAll(keepingCapacity: iteration.effects.count <= LoopIteration.effectsKept)
    let reports = iteration.reports
    iteration.reports.removeAll(keepingCapacity: reports.isEmpty)
    for report in reports { receive(report) }
  }

  /// Performs an effect of an event; returns the answer to a claim, or `nil` for any other effect.
  private func perform(_ effect: EngineEffect, of event: EngineEvent) -> EngineEvent? {
    switch effect {
    case .start:
      preconditionFailure("made by performEffects")
    case .claim(let keys):
      return .claimsAnswered(claim(keys))
    case .settle(let record):
      settle(record, by: event)
    case .arm(let instant):
      iteration.armedAt = instant
      let (count, isDeadline) = ask { engine in
        (engine.entryCountNext(atMost: WakeLead.entriesMax), instant == engine.nextDeadline)
      }
      clock.arm(at: instant, count: count, isDeadline: isDeadline)
    case .withdraw(let keys):
      writer.withdraw(keys)
      cluster?.withdraw(keys)
    case .askToStop(let run, let reason):
      runs.askToStop(run, reason)
      hosts.askToStop(run, reason)
    case .kill(let run, let reason):
      runs.askToStop(run, reason)
      hosts.kill(run, reason)
    case .dequeue(let run):
      if runs.takeWithheld(run) {
        post(.attemptEnded(run, AttemptResult(status: .cancelled)))
      } else {
        hosts.dequeue(run)
      }
    case .notePause(let job, let since):
      writer.pause(job, since: since)
      cluster?.note(pauseOf: job, since: since)
      if since == nil { pauseActions[job] = nil }
    case .noteWaiting(let waiting):
      writer.wait(waiting)
    case .noteRetry(_, let entry, let instant):
      writer.retry(entry, at: instant)
    case .cutRanges(let cuts):
      writer.cut(cuts)
    case .noteWatermarks(let watermarks):
      writer.note(watermarks)
    case .noteIncidents(let incidents):
      writer.note(incidents)
      cluster?.note(incidents)
    case .drained:
      service.status("every run has ended; closing the plugins")
      let shutDown = { [loop, hosts] in hosts.shutDown { loop.stop() } }
      if let cluster { cluster.leave(shutDown) } else { shutDown() }
    }
    return nil
  }

  /// Claims entries. If the instant of a manually triggered entry is taken, the client that triggered it gets the answer at
  /// once, because no run follows.
  private func claim(_ keys: [EntryKey]) -> [ClaimAnswer] {
    var answers = writer.claim(keys, at: clock.now)
    for place in answers.indices where answers[place].verdict == .denied {
      let key = answers[place].entry
      guard ask({ $0.isAskingForItsOwn(key) }) else { continue }
      // A record for many entries of the schedule does not cover a manually triggered entry between them.
      if let answer = writer.claim([key], at: clock.now, alone: true).first { answers[place] = answer }
      guard answers[place].verdict == .denied else { continue }
      tellTrigger(of: key, .taken)
      runs.tellObservers(of: key, .taken)
    }
    return cluster?.claim(answers) ?? answers
  }

  private func settle(_ settled: EntryRecord, by event: EngineEvent) {
    let endedRun = if case .attemptEnded(let run, _) = event { run } else { RunID?.none }
    let (record, token) = runs.settle(settled, after: endedRun)
    cluster?.noteOutcome(record, token: token)
    iteration.resumption?.note(record)
    tellTrigger(of: record.entry, .settled(record))
    iteration.settled.append(record)
  }

  /// Sets the outcome of the pending manual trigger, if `entry` is its entry.
  func tellTrigger(of entry: EntryKey, _ outcome: Triggered) {
    if entry == iteration.trigger?.entry { iteration.trigger?.outcome = outcome }
  }

  private func tellSettled() {
    guard let record = iteration.settled.popFirst() else { return }
    let announcement = jobs.settle(record, in: settings.zone)
    if let announcement { announcer.announce(announcement) }
    subscribers.tell(.settled(record))
    if let announcement, jobs.isSummarized(record.entry.job) {
      subscribers.tell(.busy(record.entry.job, announcement.text))
    }
    runs.tellObservers(of: record.entry, .end(record))
  }

  private func endIteration() {
    iteration.move(.turnEnded)
    clock.runsChanged()
    writer.endIteration(nextDeadline: realDeadline, attendedThrough: engine.attendedThrough)
    guard clock.hasRunOutOfSpins, !hasToldOfSpins else { return }
    hasToldOfSpins = true
    announcer.announce(
      .warning,
      "jobs with precision = \"spin\" fall due more often than \(WakeLead.spinsPerSecond) times in a second; beyond that the timer wakes for them"
    )
  }
}
