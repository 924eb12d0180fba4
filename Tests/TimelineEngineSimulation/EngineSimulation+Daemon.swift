import TimelineCore
import TimelineEngine
import TimelineEngineTestSupport
import TimelineTestSupport

/// The daemon around the engine: performs its effects, and dies.
extension EngineSimulation {
  /// Passes an event to the engine and performs its effects; now and then the daemon dies meanwhile.
  mutating func handle(_ event: EngineEvent, wentBack: Bool = false, isLast: Bool = true) {
    eventCount += 1
    let former = witness.map { _ in engine }
    var effects: [EngineEffect] = []
    engine.handle(event, at: now, isLast: isLast, into: &effects)
    if let former { witness?.see(former, event, at: now, isLast: isLast, as: effects) }
    fault.doctor(&effects)
    if isTraced { print(now, event, effects.map { "\n      \($0)" }.joined()) }
    if wentBack { invariants.clockWentBack() }
    checkPlaces(effects, after: event)
    // Starts are durable before any effect is performed.
    let dies = mayCrash && !invariants.isDraining && dice.happens(percent: 1, "dies")
    var performed = effects
    if dies, dice.happens(percent: 30, "dies before all effects") {
      performed = []
    } else {
      let areNoted = claims == .ask && noteStarts(effects)
      if dies {
        performed = Array(
          effects.prefix(Int(dice.number(in: 0...Int64(effects.count), "effects before its death"))))
      }
      if areNoted { invariants.stories.noted(in: effects, performed: performed.count) }
    }
    invariants.check(event, at: now, performed, dies || !isLast ? nil : engine)
    for effect in performed { perform(effect) }
    if dies { return restart() }
    attendedSoFar = engine.attended.spans(through: engine.attendedThrough)
    if dice.happens(percent: 70, quietly: true, "commits") { commit() }
    // A daemon that dies during a report does not receive the later reports.
    while !reports.isEmpty { handle(reports.removeFirst()) }
  }

  /// Makes starts durable. Returns `false` if there are no starts, or if the disk is full.
  private mutating func noteStarts(_ effects: [EngineEffect]) -> Bool {
    var starts: [ClosedRange<WallInstant>] = []
    for case .start(let attempt) in effects {
      ledger.write(.start(attempt))
      // Entries outside the schedule are there too, in a span that is never read.
      starts.append(attempt.entry.nominal...attempt.entry.nominal)
      invariants.isAboutToStart(attempt.run)
    }
    noted += starts
    guard !starts.isEmpty, ledger.commit() else { return false }
    invariants.committed()
    (attended, noted) = (attendedSoFar, starts)
    return true
  }

  mutating func commit() {
    guard ledger.commit() else { return }
    invariants.committed()
    attended = engine.attended.spans(through: engine.attendedThrough)
    noted = []
  }

  private mutating func perform(_ effect: EngineEffect) {
    switch effect {
    case .arm(let deadline): armed = deadline
    case .claim(let keys): for key in keys { unanswered.append(claim(key)) }
    case .withdraw(let keys):
      unanswered.removeAll { keys.contains($0.entry) }
      for key in keys { ledger.write(.withdraw(key)) }
    case .start(let attempt):
      startCount += 1
      // If the clock is set far ahead now and then, decided entries come again, and waiting entries would come again too.
      if !isClockFarOut, dice.happens(percent: 15, "waits for a host") {
        waiting.append(attempt)
        reports.append(.attemptWaits(attempt.run))
        return ledger.write(.unstart(attempt))
      }
      begin(attempt.run)
    case .askToStop(let run, _):
      if endWait(of: run) { return }
      if dice.happens(percent: 70, quietly: true, "stops when asked") {
        end(run, after: .milliseconds(dice.number(in: 0...5_000, "milliseconds to its stop")))
      }
    case .kill(let run, _):
      if endWait(of: run) { return }
      end(run, after: .milliseconds(dice.number(in: 0...10, "milliseconds to its death")))
    case .dequeue(let run): _ = endWait(of: run)
    case .settle(let record):
      ledger.write(.settle(record))
      if record.cause == .backfill, record.outcome != .succeeded { lastBackfillFailure = record }
    case .notePause(let job, let since): ledger.write(.pause(job, since: since))
    case .noteRerun(let entry, let origin): ledger.write(.rerun(entry, origin))
    case .noteWaiting(let waiting): ledger.write(.wait(waiting))
    case .noteRetry(_, let entry, let instant): ledger.write(.retry(entry, at: instant))
    case .cutRanges(let cuts):
      for cut in cuts { ledger.write(.cut(cut)) }
    case .noteWatermarks(let watermarks): for watermark in watermarks { ledger.write(.watermark(watermark)) }
    case .noteIncidents(let notes):
      for note in notes { ledger.write(.incident(note)) }
      // Incidents that end with the ownership go on at the next owner.
      let wrong = incidents.see(notes.filter { !elsewhere.contains($0.job) })
      invariants.require(wrong.isEmpty, "\(wrong)")
    case .drained: break
    }
  }

  private mutating func begin(_ run: RunID) {
    let isEndless = dice.happens(percent: 5, "does not end")
    let endsAtOnce = dice.happens(percent: 50, quietly: true, "ends at once")
    let length = ElapsedTime.milliseconds(
      endsAtOnce ? 0 : dice.number(in: 1...30_000, "milliseconds of a run"))
    attempts.append((run, isEndless ? nil : now + length))
  }

  /// Gives a plugin host to a waiting attempt, or ends the attempt because there is no host.
  mutating func serve(_ position: Int) {
    var attempt = waiting.remove(at: position)
    attempt.startedAt = now
    ledger.write(.start(attempt))
    commit()
    if dice.happens(percent: 10, "there is no host") { return handle(.attemptEnded(attempt.run, failure)) }
    begin(attempt.run)
    handle(.attemptBegan(attempt.run, late: .milliseconds(1)))
  }

  /// Ends the wait of an attempt. Returns `false` if the attempt did not wait, or has just got its host.
  private mutating func endWait(of run: RunID) -> Bool {
    guard let position = waiting.firstIndex(where: { $0.run == run }) else { return false }
    if dice.happens(percent: 10, "has just got its host") {
      var attempt = waiting.remove(at: position)
      attempt.startedAt = now
      ledger.write(.start(attempt))
      begin(run)
      reports.append(.attemptBegan(run, late: .zero))
      return false
    }
    waiting.remove(at: position)
    reports.append(.attemptEnded(run, AttemptResult(status: .cancelled)))
    return true
  }

  private mutating func end(_ run: RunID, after delay: ElapsedTime) {
    for index in attempts.indices where attempts[index].run == run { attempts[index].endsAt = now + delay }
  }

  /// Kills the daemon between two events, or lets it leave, with or without a wait for its last run. Then starts another
  /// daemon.
  mutating func crash() {
    let crashesBefore = crashCount
    if dice.happens(percent: 60, "leaves in order") {
      handle(.leave)
      // The daemon may have died during the leave.
      if crashCount > crashesBefore { return }
      if dice.happens(percent: 50, "awaits its last run") { awaitLastRun() }
      commit()
    }
    if isTraced { print(now, "the daemon is gone") }
    restart()
  }

  /// Waits for the last run of a daemon that was stopped.
  private mutating func awaitLastRun() {
    ledger.isFull = false
    handle(.drain(patience: patience()))
    var rounds = 0
    while engine.runCount > 0, rounds < 400, invariants.violations.isEmpty {
      rounds += 1
      advance()
    }
  }

  /// Starts another daemon from the ledger; plugin hosts may survive.
  private mutating func restart() {
    crashCount += 1
    // The engine died before it received these reports.
    for case .attemptWaits(let run) in reports { invariants.neverStarted(run) }
    let hostsLiveOn = dice.happens(percent: 50, "hosts live on")
    let alive = attempts.map(\.run).filter { _ in
      hostsLiveOn && dice.happens(percent: 80, quietly: true, "this one lives on")
    }
    pass(until: now + .milliseconds(dice.number(in: 1...60_000, "milliseconds without a daemon")))
    var open = ledger.crash(at: furthest) { alive.contains($0) }
    let kept = Set(open.filter(\.isAlive).map(\.run))
    attempts.removeAll { !kept.contains($0.run) }
    waiting = []
    reports = []
    unanswered = []
    var watermarks = ledger.watermarks
    (elsewhere, tokens) = ([], [:])
    // The store keeps these claims, also if their outcomes were lost with the daemon.
    denied.formUnion(grantedElsewhere)
    invariants.restarted(
      with: open, paused: ledger.paused, moved: ledger.moved, lastRun: ledger.lastRun,
      configured: Set(jobs.map(\.name)))
    invariants.stories.restarted(failing: ledger.failing, ledger.incidents)
    incidents.restarted(with: ledger.incidents)
    fault.memory(&watermarks, &open)
    let last = AttendedTime(former: attended + noted, since: now).last(before: now)
    if now < furthest { invariants.letUnstartedComeAgain(after: last ?? now) }
    var repeated = ledger.repeated(at: now)
    fault.decided(&repeated.decided, ledger)
    if isTraced { print(now, "another daemon starts with \(open), \(watermarks), paused \(ledger.paused)") }
    engine = EngineState(
      jobs: jobs.map(fault.disguise), groups: fault.limits(groups), startedAt: now, watermarks: watermarks,
      attended: attended + noted, repeated: repeated, open: open, paused: ledger.paused,
      failing: ledger.failing, incidents: ledger.incidents, lastRun: ledger.lastRun, seed: seed,
      claims: claims, mode: invariants.mode)
    armed = nil
    attendedSoFar = attended + noted
    handle(.wake)
  }
}
