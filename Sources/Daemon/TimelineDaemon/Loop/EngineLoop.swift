import TimelineConfiguration
import TimelineCore
import TimelineEngine
import TimelineHostPool
import TimelineSystem
import TimelineSystemd

/// Loop of events and effects: passes events to the engine one at a time, and performs the effects of each.
///
/// All events enter through ``post(_:)``. The answer to a claim is handled right after the claim, before any other event. So
/// there is one order of events: the order of the inbox.
final class EngineLoop: EventInbox {
  private(set) var state: EngineState
  private let steps: ClockSteps
  private var iteration = LoopIteration()
  private var cluster: ClusterMember?
  private let starter: RunStarter
  private let settled: SettledEntries
  private let performer: EffectPerformer
  private let runs: RunBoard
  private let jobs: LoadedJobs
  private let cron: CronMonitor
  private let writer: LedgerWriter
  private let subscribers: EventSubscribers
  private let parts: DaemonParts
  private(set) lazy var status = StatusLine(of: self, runs: runs, jobs: jobs, parts)
  private(set) lazy var waits = WaitReports(engine: self, runs: runs, jobs: jobs, parts)

  init(
    _ engine: EngineState, _ parts: DaemonParts, writer: LedgerWriter, jobs: LoadedJobs, runs: RunBoard,
    pauses: PauseActions, cron: CronMonitor, modes: ModeMonitor, subscribers: EventSubscribers
  ) {
    (state, self.parts, self.writer, self.jobs, self.runs) = (engine, parts, writer, jobs, runs)
    (self.cron, self.subscribers) = (cron, subscribers)
    starter = RunStarter(parts, writer: writer, jobs: jobs, runs: runs, modes: modes)
    settled = SettledEntries(jobs: jobs, runs: runs, announcer: parts.announcer, subscribers: subscribers)
    performer = EffectPerformer(parts, writer: writer, runs: runs, settled: settled, pauses: pauses)
    steps = ClockSteps(runs: runs, writer: writer, announcer: parts.announcer, subscribers: subscribers)
    parts.clock.leapWhenIdle { [unowned self] in state.runCount == state.backingOffCount }
  }

  /// Adds the membership of this node in a cluster.
  func join(_ cluster: ClusterMember) {
    self.cluster = cluster
    starter.join(cluster)
    performer.join(cluster)
    steps.join(cluster)
  }

  /// Passes an event to the engine and performs its effects: at once, or after the current effects if called from within an
  /// effect.
  func post(_ event: EngineEvent) {
    // Checks for cron before a due job is started, even if the job is late.
    if iteration.phase == .sleeping { cron.lookAtProcess() }
    guard iteration.phase.takesEvents else { return iteration.add(event) }
    if iteration.phase == .sleeping { parts.loop.atEndOfTurn { [weak self] in self?.endIteration() } }
    iteration.move(.event)
    // A report is handled before later messages of its host, and an operator's request after all due work.
    if !event.comesAfterDueWork { iteration.inbox.append(event) }
    var asked = event.comesAfterDueWork ? event : nil
    // Events that result from one round have a later instant, so they are handled in the next round.
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
  /// Before that, jobs of the cluster are handed over if the lease may have ended.
  private func look() -> WallInstant {
    cluster?.wakeIfLate()
    let (now, step) = parts.clock.look()
    if let step {
      starter.prepare(for: nil)
      steps.note(step)
      while let handOver = iteration.takeHandOver() { handle(handOver, at: now, isLast: false) }
      handle(.clockStepped(by: step), at: now, isLast: false)
      if step < .zero { parts.loop.atEndOfTurn { [weak self] in self?.tellOfClockWaits() } }
    }
    return starter.ahead?.deadline ?? now
  }

  /// Reads the waiting messages of all active runs into the inbox, if a deadline has come and ends of runs may be unread. So a
  /// run that ended in time does not block a due entry, in any order of the messages. Returns whether messages were read.
  private func hearRuns(ifLateAt now: WallInstant) -> Bool {
    guard !runs.isEmpty, let deadline = iteration.armedAt,
      WakeLead.mayHaveUnread(lateness: now - deadline, readyCount: parts.loop.readyCount)
    else { return false }
    parts.hosts.hearRuns()
    return true
  }

  /// Passes an event to the engine, and then the answers to the claims that follow from it, before any other event.
  private func handle(_ event: EngineEvent, at now: WallInstant, isLast: Bool = true) {
    var next: EngineEvent? = event
    while let event = next {
      next = answer(to: event, at: now, isLast: isLast)
      // If the run continues after the attempt, the back-off of the run comes first.
      if case .attemptEnded(let run, _) = event { tellWait(of: run) }
    }
  }

  /// Passes an event to the engine and performs the effects. Returns the answer to the claims among the effects.
  private func answer(to event: EngineEvent, at now: WallInstant, isLast: Bool) -> EngineEvent? {
    if case .resume(let job, _) = event { settled.resume(job, held: state.heldCount(of: job, at: now)) }
    state.handle(
      addingDecidedEntries(to: event, at: now), at: now, isLast: isLast, into: &iteration.effects)
    if case .clockStepped = event { writer.attend(state.attended) }
    if event.comesAfterDueWork { settled.noteRequest(event, state, iteration.effects) }
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
    guard case .clockStepped(by: let step, decided: _) = event, now < state.lastSeen else { return event }
    return .clockStepped(by: step, decided: writer.decided(after: now))
  }

  /// Performs the effects of an event in their order. Returns the answer to the claims among the effects. All effects are
  /// performed before any of them is recorded or reported, so that records and reports do not delay a start.
  private func performEffects(of event: EngineEvent) -> EngineEvent? {
    var answer: EngineEvent?
    var next = 0
    while next < iteration.effects.count {
      if case .start = iteration.effects[next] {
        next = starter.start(iteration.effects, from: next)
        continue
      }
      starter.waitForDeadline()
      if case .arm(let instant) = iteration.effects[next] {
        arm(at: instant)
      } else if let claimsAnswered = performer.perform(iteration.effects[next], of: event, self) {
        answer = claimsAnswered
      }
      next += 1
    }
    starter.waitForDeadline()
    return answer
  }

  private func arm(at instant: WallInstant?) {
    iteration.armedAt = instant
    let (count, isDeadline) = ask { engine in
      (engine.entryCountNext(atMost: WakeLead.entriesMax), instant == engine.nextDeadline)
    }
    parts.clock.arm(at: instant, count: count, isDeadline: isDeadline)
  }

  /// Queries the engine in place. A query through the property would copy the engine.
  private func ask<Answer>(_ question: (inout EngineState) -> Answer) -> Answer { question(&state) }

  /// Records and reports the performed effects. Then handles the plugin reports that arrived meanwhile.
  private func recordEffects() {
    if !iteration.effects.isEmpty { status.schedule() }
    var clocks: DaemonClock.Reading?
    for index in iteration.effects.indices {
      switch iteration.effects[index] {
      case .start(let attempt):
        let reading = clocks ?? parts.clock.reading
        clocks = reading
        noteStart(attempt, reading)
      case .settle: settled.tellNext()
      case .drained: tellKept()
      default: break
      }
    }
    iteration.effects.removeAll(keepingCapacity: iteration.effects.count <= LoopIteration.effectsKept)
    let reports = iteration.reports
    iteration.reports.removeAll(keepingCapacity: reports.isEmpty)
    for report in reports { receive(report) }
  }

  /// Records and reports the next of the starts that were made; `clocks` is a reading of the clocks after all starts.
  private func noteStart(_ decided: Attempt, _ clocks: DaemonClock.Reading) {
    guard let attempt = starter.noteStart(decided, clocks) else { return tellWait(of: decided.run) }
    let delay = attempt.startedAt - decided.startedAt
    if attempt.reportsCall || attempt.deadline != nil && delay > .zero {
      iteration.inbox.append(.attemptBegan(attempt.run, late: delay))
    }
    starter.noteCall(attempt)
    if attempt.number == 1 { settled.tellTrigger(of: attempt.entry, .started(attempt.entry, attempt.run)) }
  }

  private func endIteration() {
    iteration.move(.turnEnded)
    parts.clock.runsChanged()
    writer.endIteration(nextDeadline: realDeadline, attendedThrough: state.attendedThrough)
    starter.warnOfSpins()
  }

  /// Instant for which the clock was last armed.
  var deadline: WallInstant? { iteration.armedAt }

  var clockSteps: ClockSteps { steps }
  var realDeadline: WallInstant? { parts.options.clock.isRehearsal ? nil : iteration.armedAt }
}

// Events of the clock.
extension EngineLoop {
  /// Handles an event of the clock.
  func take(_ event: DaemonClock.Event) {
    switch event {
    case .due(let ahead):
      // The end of a run must not stay unread for long, because it may make room for entries of this deadline.
      if let ahead, !runs.isEmpty, ahead - parts.clock.now > WakeLead.lead {
        return parts.clock.arm(at: ahead)
      }
      starter.prepare(for: ahead)
      post(.wake)
    case .stepped(let step):
      steps.note(step)
      post(.clockStepped(by: step))
      if step < .zero { tellOfClockWaits() }
    case .offsetUnreadable(let error):
      parts.announcer.announce(.error, "\(error) (the clock stands where it stood)")
    }
  }

  /// Moves the clock of a rehearsal by a step that an operator has made. The step is not elapsed time.
  func leap(by step: ElapsedTime) {
    steps.follow(step)
    post(.clockStepped(by: step))
  }

  func tellOfClockWaits() { ClockWaits.announce(of: state, jobs, parts.announcer, at: parts.clock.now) }
}

// Reports of plugin hosts.
extension EngineLoop {
  /// Handles a report, or keeps it until the current effects are performed.
  func take(_ event: PluginEvent) {
    // A start without a wait is recorded already.
    if case .started(_, _, hasWaited: false) = event { return }
    guard iteration.phase.keepsReports else { return receive(event) }
    if case .waits(let run) = event { starter.noteWait(of: run) }
    iteration.reports.append(event)
  }

  /// Handles a report. Must not be called while effects are performed.
  private func receive(_ event: PluginEvent) {
    switch event {
    case .waits(let run): noteWait(of: run)
    case .started(let run, _, let hasWaited):
      if hasWaited, let began = starter.noteLateCall(of: run) { post(began) }
    case .line(let line): runs.note(line)
    case .progress(let run, _, let millionths, let text): runs.noteProgress(of: run, millionths, text)
    case .ended(let run, let end) where starter.isTooLate(run, end):
      noteWait(of: run)
      cluster?.wake()
      var result = end.outcome
      result.isUncalled = true
      post(.attemptEnded(run, result))
    case .ended(let run, let end): post(.attemptEnded(run, runs.end(run, end)))
    case .note(let note): parts.announcer.announce(note.level, note.description)
    }
  }

  private func noteWait(of run: RunID) {
    // The run's host may have turned out to be dead.
    if runs.noteWait(of: run) { tellWait(of: run) }
    post(.attemptWaits(run))
  }

  private func tellWait(of run: RunID) { subscribers.tell { waits.event(of: run) } }
}

// Operators who wait for the answer.
extension EngineLoop {
  /// Passes a trigger or a rerun to the engine; must not be called from within an effect. Returns `nil` if it makes no entry.
  func request(_ event: EngineEvent) -> Triggered? {
    settled.forgetTrigger()
    post(event)
    return settled.takeTrigger()
  }

  /// Ends the pause of a job; must not be called from within an effect. Returns how many entries the pause held and dropped.
  func resume(_ job: JobName, catchUp: MissedPolicy.Choice) -> (held: Int, dropped: Int) {
    post(.resume(job, catchUp: catchUp))
    return settled.takeResumption()
  }

  /// Reports entries that are kept for the next daemon to the clients that wait for them.
  func tellKept() {
    if !parts.options.clock.isRehearsal { runs.tellKept(state) }
  }
}
