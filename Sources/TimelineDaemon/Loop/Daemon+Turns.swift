import TimelineConfiguration
import TimelineCore
import TimelineEngine
import TimelineHostPool
import TimelineSystem
import TimelineSystemd

// The one loop of events and effects.
extension Daemon {
  /// Hands an event to the engine and performs what follows from it, now or, from within an effect, right after it.
  func post(_ event: EngineEvent) {
    turn.inbox.append(event)
    guard !turn.isTaking else { return }
    turn.isTaking = true
    while let event = turn.inbox.popFirst() {
      let (now, step) = clock.look()
      if let step {
        turn.ahead = nil
        note(step: step)
        handle(.clockStepped(by: step), at: now)
        if step < .zero { loop.atEndOfTurn { [weak self] in self?.tellOfClockWaits() } }
      }
      handle(event, at: turn.ahead ?? now)
    }
    turn.isTaking = false
    guard !turn.hasEnd else { return }
    turn.hasEnd = true
    loop.atEndOfTurn { [weak self] in self?.endTurn() }
  }

  private func handle(_ event: EngineEvent, at now: WallInstant) {
    turn.ended = if case .attemptEnded(let run, _) = event { run } else { nil }
    if case .resume(let job, _) = event {
      turn.resumption = LoopIteration.Resumption(job: job, heldCount: engine.heldCount(of: job, at: now))
    }
    engine.handle(addingDecidedEntries(to: event, at: now), at: now, into: &turn.effects)
    if case .clockStepped = event { writer.attend(engine.attended) }
    if case .trigger(let job) = event { turn.asked = engine.latestOfItsOwn(job) }
    if !turn.effects.isEmpty { turn.hadEffects = true }
    performAll()
    // What goes on after an attempt has its back-off first.
    if case .attemptEnded(let run, _) = event { tellWait(of: run) }
  }

  /// Returns a step of the clock back together with the entries that the ledger has decided after `now`; any other event unchanged.
  private func addingDecidedEntries(to event: EngineEvent, at now: WallInstant) -> EngineEvent {
    guard case .clockStepped(by: let step, decided: _) = event, now < engine.lastSeen else { return event }
    return .clockStepped(by: step, decided: writer.decided(after: now))
  }

  /// Asks the engine where it lies. As the daemon's variable it would be copied for an answer, with all that it holds on to.
  func ask<Answer>(_ question: (inout EngineState) -> Answer) -> Answer { question(&engine) }

  /// Performs the effects at hand in their order and tells of them when all are performed: a start is never kept waiting by
  /// what is written or said about another.
  private func performAll() {
    turn.isPerforming = true
    var next = 0
    while next < turn.effects.count {
      if case .start = turn.effects[next] {
        next = start(from: next)
      } else {
        waitForDeadline()
        perform(turn.effects[next])
        next += 1
      }
    }
    waitForDeadline()
    turn.isPerforming = false
    var clocks: DaemonClock.Reading?
    for index in turn.effects.indices {
      switch turn.effects[index] {
      case .start(let attempt):
        let reading = clocks ?? clock.reading
        clocks = reading
        noteStart(attempt, reading)
      case .settle: tellSettled()
      case .drained: tellWhoWaitsForKept()
      default: break
      }
    }
    turn.effects.removeAll(keepingCapacity: turn.effects.count <= LoopIteration.effectsKept)
    let reports = turn.reports
    turn.reports.removeAll(keepingCapacity: reports.isEmpty)
    for report in reports { receive(report) }
  }

  private func perform(_ effect: EngineEffect) {
    switch effect {
    case .arm(let instant):
      turn.armedAt = instant
      let (count, isDeadline) = ask { engine in
        (engine.entryCountNext(atMost: WakeLead.entriesMax), instant == engine.nextDeadline)
      }
      turn.armedCount = count
      clock.arm(at: instant, count: count, isDeadline: isDeadline)
    case .claim(let keys):
      turn.inbox.append(.claimsAnswered(claim(keys)))
    case .withdraw(let keys):
      writer.withdraw(keys)
    case .start:
      preconditionFailure("made by performAll")
    case .askToStop(let run, let reason):
      runs[run]?.wasAskedToStop(reason, at: SystemTime.monotonic())
      hosts.askToStop(run, reason)
    case .kill(let run, let reason):
      runs[run]?.wasAskedToStop(reason, at: SystemTime.monotonic())
      hosts.kill(run, reason)
    case .dequeue(let run):
      hosts.dequeue(run)
    case .settle(let record):
      settle(record)
    case .notePause(let job, let since):
      writer.pause(job, since: since)
      if since == nil { pauseActions[job] = nil }
    case .noteWaiting(let waiting):
      writer.wait(waiting)
    case .noteRetry(_, let entry, let instant):
      writer.retry(entry, at: instant)
    case .cutRanges(let cuts):
      writer.cut(cuts)
    case .noteWatermarks(let watermarks):
      writer.note(watermarks)
    case .drained:
      service.status("every run has ended; closing the plugins")
      hosts.shutDown { [loop] in loop.stop() }
    }
  }

  /// Claims entries. One that was asked for is told of at once when its instant is taken, for nothing will follow.
  private func claim(_ keys: [EntryKey]) -> [ClaimAnswer] {
    var answers = writer.claim(keys, at: clock.now)
    for place in answers.indices where answers[place].verdict == .lost {
      let key = answers[place].entry
      guard ask({ $0.isAskingForItsOwn(key) }) else { continue }
      // A record that stands for many entries of the schedule says nothing of what somebody asked for in between.
      if let answer = writer.claim([key], at: clock.now, alone: true).first { answers[place] = answer }
      guard answers[place].verdict == .lost else { continue }
      if key == turn.asked { turn.answer = .taken }
      tellObservers(of: key, .taken)
    }
    return answers
  }

  private func settle(_ settled: EntryRecord) {
    let run = settled.run.flatMap { runs.removeValue(forKey: $0) }
    let record = run?.completing(settled, endedByItself: settled.run == turn.ended) ?? settled
    writer.settle(record, cursor: record.run.flatMap { cursors.removeValue(forKey: $0) })
    turn.resumption?.note(record)
    if record.entry == turn.asked { turn.answer = .settled(record) }
    turn.settled.append((record, run?.attempt.upstream?.entry))
  }

  private func tellSettled() {
    guard let (record, upstream) = turn.settled.popFirst() else { return }
    let announcement = jobs.settle(record, toldOf: upstream, in: settings.zone)
    if let announcement { announcer.announce(announcement) }
    subscribers.tell(.settled(record))
    if let announcement, jobs.isSummarized(record.entry.job) {
      subscribers.tell(.busy(record.entry.job, announcement.text))
    }
    tellObservers(of: record.entry, .end(record))
  }

  private func endTurn() {
    turn.hasEnd = false
    writer.endIteration(nextDeadline: turn.armedAt, attendedThrough: engine.attendedThrough)
    if turn.hadEffects { scheduleStatus() }
    turn.hadEffects = false
    guard clock.hasRunOutOfSpins, !turn.hasToldOfSpins else { return }
    turn.hasToldOfSpins = true
    announcer.announce(
      .warning,
      "jobs with precision = \"spin\" fall due more often than \(WakeLead.spinsPerSecond) times in a second; beyond that the timer wakes for them"
    )
  }
}
