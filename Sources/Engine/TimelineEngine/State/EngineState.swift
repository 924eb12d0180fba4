package import TimelineCore

/// State of the engine: a value that turns each event, with the instant at which it happened, into effects.
///
/// The state reads no clock and performs nothing. The shell makes a state, first passes `.wake`, then passes every event in
/// the order in which the events happened. It performs the effects in the order in which they are returned. Equal states
/// return equal effects for equal events at equal instants.
///
/// Every entry of every job ends with exactly one outcome. There are three exceptions. An entry whose claim is denied has its
/// outcome at another daemon. ``EngineEvent/leave`` leaves work to the next daemon. ``EngineEvent/handOver(_:isGivenUp:)``
/// leaves work to the next owner of its job.
///
/// The parts of the state are values in layers. Each layer calls only lower layers: ``Dispatch`` decides about due entries,
/// ``Execution`` starts, queues and ends runs, ``Outcomes`` settles entries, and ``Timetable`` plans them. Workflows that need
/// several layers are values in `Workflows`. All of them get decisions from values in `Policies` and append effects.
package struct EngineState: Sendable {
  /// The jobs, their entries and the runs.
  private var dispatch: Dispatch
  /// Pauses of jobs that are not configured.
  private var pauses = Pauses()
  /// Work of an earlier daemon that is decided with the first event.
  private var inherited = InheritedWork()
  /// Last wake-up that was sent to the shell.
  private var wakePlan = WakePlan()

  /// Makes the initial state. Its first event must be ``EngineEvent/wake``.
  ///
  /// - Parameters:
  ///   - jobs: The configuration, with unique names. The order of the jobs breaks ties.
  ///   - startedAt: Now. For a job without a watermark no earlier entry is missed. An entry at exactly this instant is run.
  ///   - watermarks: Nominal instant of each job's last settled entry, for its present schedule. Entries since then are
  ///     missed.
  ///   - loopStarts: Last start of each closed loop, if known.
  ///   - attended: Wall time that earlier daemons attended, as far as the clock may show it again; ascending.
  ///   - repeated: Decisions of jobs from before the clock was set back, from the ledger.
  ///   - groups: The limits of the groups that jobs name, each at least 1.
  ///   - open: Runs that an earlier daemon left open. If the host of a run is dead and its last attempt is not known to have
  ///     failed, the delivery policy of its job decides. An entry without an attempt goes on waiting if it is known to have
  ///     waited. Otherwise it counts as missed, unless no later entry was decided: then the schedule brings it again.
  ///   - paused: Instants since which jobs are paused. The pause of a job that is not configured counts when the job comes
  ///     back.
  ///   - failing: Jobs whose last run failed. Their next success is a recovery.
  ///   - incidents: Incidents of earlier daemons. Incidents of jobs whose policy has changed are dropped.
  ///   - lastRun: The highest run number that any daemon has used.
  ///   - seed: Seed of the jitter. It is the same after every restart of the machine, so the jitter stays the same.
  ///   - claims: Whether entries are claimed before they are run.
  ///   - mode: Mode of the daemon. In low-frequency mode closed loops begin with their entries left out.
  ///   - cadence: Cadence that is passed to runs.
  ///   - horizon: End of the timeline (exclusive); `nil` for no end.
  package init(
    jobs definitions: [JobDefinition], groups: [GroupName: Int] = [:], startedAt: WallInstant,
    watermarks: [JobName: WallInstant] = [:], loopStarts: [JobName: WallInstant] = [:],
    attended: [ClosedRange<WallInstant>] = [], repeated: RepeatedTime = RepeatedTime(),
    open: [OpenRun] = [], paused: [JobName: WallInstant] = [:], failing: Set<JobName> = [],
    incidents: [IncidentNote] = [], lastRun: RunID = RunID(number: 0), seed: UInt64 = 0,
    claims: ClaimRule = .ask,
    mode: ScheduleMode = .normal, cadence: Cadence = .live, horizon: WallInstant? = nil
  ) {
    let timetable = Timetable(
      startedAt: startedAt, attended: attended,
      watermarks: Watermarks(unknownThrough: repeated.unknownThrough, released: repeated.released),
      taken: TakenInstants(repeated.decided), mode: mode, claims: claims, seed: seed, horizon: horizon)
    dispatch = Dispatch(execution: Execution(of: timetable, after: lastRun, cadence: cadence))
    dispatch.timetable.removeAllJobs(makingRoomFor: definitions.count)
    for definition in definitions {
      var job = JobState(definition, at: startedAt, decided: watermarks[definition.name])
      job.noteFormerStart(loopStarts[definition.name], startedAt)
      dispatch.jobs.append(job)
    }
    dispatch.execution.setGroups(groups)
    var takeover = Takeover(
      watermarks: watermarks, repeated: repeated, open: open, paused: paused, failing: failing,
      incidents: incidents, at: startedAt)
    inherited = takeover.perform(&dispatch.execution, of: dispatch.jobs.configured)
    for (name, start) in paused where dispatch.jobs.index(named: name) == nil {
      pauses.keep(name, since: start)
    }
  }

  /// Handles one event at `now` and appends the effects, including the effects of due entries.
  ///
  /// At one instant the event comes first, then due work: a run that ends just now does not block an entry, and a drain starts
  /// no run. Triggers, pauses and their ends, releases, reloads and changes of the mode come after due work, because they were
  /// requested later. A job that a reload leaves to cron is left to cron before due work, because cron may have started the
  /// due entries. Reactions to the entries that this event settled come last.
  ///
  /// - Parameter isLast: Whether this is the last known event that happened by `now`. Due work waits for the last event of an
  ///   instant. Otherwise a run that has ended could block an entry.
  package mutating func handle(
    _ event: EngineEvent, at now: WallInstant, isLast: Bool = true, by effects: inout some EffectSink
  ) {
    guard !dispatch.lifecycle.hasEnded else { return }
    if hasInheritance { settleInheritance(now, &effects) }
    if case .clockStepped = event {} else { dispatch.enqueueClosedLoops(before: now, &effects) }
    if case .reload(let definitions, _) = event { Reload.leaveToCron(definitions, &dispatch) }
    if event.comesAfterDueWork { dispatch.doDueWork(now, &effects) }
    switch event {
    case .wake: break
    case .clockStepped(by: let length, decided: let decided):
      wakePlan.forget()
      ClockStep(length: length, decided: decided, now: now).perform(&dispatch, &effects)
    case .claimsAnswered(let answers): dispatch.claimsAnswered(answers, now, &effects)
    case .attemptWaits(let run): dispatch.execution.attemptWaits(run, now, &effects)
    case .attemptBegan(let run, let delay): dispatch.execution.attemptBegan(run, late: delay, now)
    case .attemptEnded(let run, let result): dispatch.execution.attemptEnded(run, result, now, &effects)
    case .trigger(let name): dispatch.trigger(name, now, &effects)
    case .rerun(let name, let rerun): dispatch.rerun(name, rerun, now, &effects)
    case .backfillsFailed(let records): for record in records { dispatch.outcomes.report(record) }
    case .cancel(let run): dispatch.execution.cancel(run, now, &effects)
    case .pause(let name): Pausing(of: name, dispatch.jobs, now)?.begin(&dispatch, &effects)
    case .resume(let name, let catchUp):
      Pausing(of: name, dispatch.jobs, now)?.end(catchUp, &dispatch, &effects)
    case .release(let name): dispatch.timetable.release(name, dispatch.execution.runs, now)
    case .reload(let definitions, let groups):
      Reload(definitions: definitions, limits: groups, now: now).perform(&dispatch, &pauses, &effects)
    case .takeOver(let taken, among: let definitions): takeOver(taken, definitions, now, &effects)
    case .handOver(let names, let isGivenUp):
      HandOver(names: names, isGivenUp: isGivenUp, now: now).perform(&dispatch, &pauses, &effects)
    case .mode(let mode): ModeSwitch(mode: mode, now: now).perform(&dispatch, &effects)
    case .cadence(let cadence): dispatch.execution.cadence = cadence
    case .leave: Shutdown(now: now).leave(&dispatch, &effects)
    case .drain(let patience): Shutdown(now: now).drain(patience, &dispatch, &effects)
    }
    if isLast { finish(now, &effects) }
  }

  /// Handles one event at `now` and appends the effects.
  package mutating func handle(
    _ event: EngineEvent, at now: WallInstant, isLast: Bool = true, into effects: inout [EngineEffect]
  ) {
    handle(event, at: now, isLast: isLast, by: &effects)
  }

  /// Handles one event at `now` and returns the effects.
  package mutating func handle(_ event: EngineEvent, at now: WallInstant) -> [EngineEffect] {
    var effects: [EngineEffect] = []
    handle(event, at: now, into: &effects)
    return effects
  }

  /// Takes over jobs, unless the engine drains.
  private mutating func takeOver(
    _ taken: [TakenJob], _ definitions: [JobDefinition], _ now: WallInstant, _ effects: inout some EffectSink
  ) {
    guard dispatch.lifecycle.isRunning else { return }
    let limits = dispatch.execution.groupGate.limits
    Reload(definitions: definitions, limits: limits, taken: taken, now: now)
      .perform(&dispatch, &pauses, &effects)
  }

  /// Whether work of an earlier daemon is still to be settled.
  private var hasInheritance: Bool { !dispatch.timetable.watermarks.isEmpty || !inherited.isEmpty }

  /// Settles the work that an earlier daemon left, before any other work.
  private mutating func settleInheritance(_ now: WallInstant, _ effects: inout some EffectSink) {
    dispatch.timetable.watermarks.flush(&effects)
    inherited.settle(&dispatch, now, &effects)
  }

  /// Does the work that is due after an event, and runs the reminders and the reactions.
  private mutating func finish(_ now: WallInstant, _ effects: inout some EffectSink) {
    dispatch.timetable.lastSeen = now
    dispatch.doDueWork(now, &effects)
    dispatch.doReminders(now, &effects)
    while dispatch.outcomes.hasReactions {
      dispatch.react(now, &effects)
      dispatch.doDueWork(now, &effects)
    }
    close(now, &effects)
  }

  /// Adds the effects that come once for an event: claims, the wake-up and the end.
  private mutating func close(_ now: WallInstant, _ effects: inout some EffectSink) {
    let isDone = dispatch.lifecycle.isDraining && runCount == 0
    if isDone { dispatch.timetable.end() }
    dispatch.timetable.flushClaims(&effects)
    let deadline = dispatch.instantToWake(wakePlan, now)
    assert(deadline.map { $0 > now } ?? true, "what is due has been dealt with")
    wakePlan.arm(deadline, &effects)
    if isDone { effects.append(.drained) }
  }
}

// Answers.
extension EngineState {
  private var execution: Execution { _read { yield dispatch.execution } }

  /// Returns the state of every configured job at `now`, in the order of the configuration.
  package func statuses(at now: WallInstant) -> [JobStatus] { execution.statuses(at: now) }

  /// Returns the state at `now` of the configured jobs in `names`; O(these jobs and all runs).
  package func statuses(of names: some Sequence<JobName>, at now: WallInstant) -> [JobStatus] {
    execution.statuses(of: names, at: now)
  }

  /// Returns the state of one job at `now`; `nil` if there is no such job.
  package func status(of job: JobName, at now: WallInstant) -> JobStatus? {
    execution.status(of: job, at: now)
  }

  /// The entry that falls due first, of all jobs, for a status line; O(jobs).
  package var nextEntry: EntryKey? { execution.nextEntry }

  /// The first of all deadlines. The shell's wake-up is armed for it, unless entries only join a queue at this deadline.
  package var nextDeadline: WallInstant? { execution.timetable.firstDeadline?.deadline }

  /// The next instant of a reminder of an incident or of a check for late entries; `nil` for none.
  package var nextReminder: WallInstant? { execution.timetable.firstReminder?.deadline }

  /// Approximate number of entries that fall due at ``nextDeadline``, at most `limit`; O(that number).
  package func entryCountNext(atMost limit: Int) -> Int { execution.timetable.entryCountNext(atMost: limit) }

  /// Number of active runs.
  package var runCount: Int { execution.runs.count }

  /// The earliest entry whose nominal instant may have passed and that has no outcome yet; O(runs, and jobs with jitter, an
  /// accuracy or an entry that has waited). Entries that low-frequency mode leaves out are not among them; see
  /// ``earliestLeftOut(settledFrom:)``.
  package var earliestOpenEntry: WallInstant? { execution.earliestOpenEntry }

  /// Whether the engine has a job, other than those that it keeps only until their runs have ended; none after its end.
  package func has(_ job: JobName) -> Bool {
    !execution.lifecycle.hasEnded && execution.jobs.index(named: job) != nil
  }

  /// Returns the incidents of a job; `nil` for a job that the engine does not have, or keeps only until its runs have ended.
  package func incidents(of job: JobName) -> [IncidentNote]? { execution.incidents(of: job) }

  /// Whether the run is active. A run that was left to the next daemon is not active.
  package func isInFlight(_ run: RunID) -> Bool { execution.runs.slot(of: run) != nil }

  /// Returns the instant at which an active run exceeds its job's timeout; `nil` for never.
  package func timeoutInstant(of run: RunID) -> WallInstant? { execution.timeoutInstant(of: run) }

  /// Returns the nominal instants, ascending, of a job's due entries that wait for room, for the answer of the ledger or for
  /// the end of a pause. Entries that fell due in a pause are not included.
  package func waitingEntries(of job: JobName) -> [WallInstant] { execution.waitingEntries(of: job) }

  /// Whether the entry is of no schedule, for example a manual trigger, and waits for the answer of the ledger.
  package func isAskingForItsOwn(_ entry: EntryKey) -> Bool { execution.isAskingForItsOwn(entry) }

  /// Returns the reason why a job's entry at `nominal` cannot be repeated at `now`; `nil` if it can, or for an unknown job.
  package func rerunRefusal(_ job: JobName, of nominal: WallInstant, at now: WallInstant) -> RerunRefusal? {
    execution.jobs.index(named: job).flatMap { execution.rerunRefusal($0, of: nominal, now) }
  }

  /// Number of waiting entries; O(jobs that have had a waiting entry since the last reload).
  package var waitingEntryCount: Int { execution.waitingEntryCount }

  /// Number of runs in back-off.
  package var backingOffCount: Int { execution.runs.backingOffCount }

  /// Number of runs that wait for a plugin host.
  package var hostWaitCount: Int { execution.runs.hostWaitCount }

  /// Returns the wait of the run's entry; `nil` while its plugin is being called.
  package func wait(of run: RunID) -> EntryWait? { execution.wait(of: run) }

  /// Number of runs that wait for a plugin host or for the end of a back-off; O(runs).
  package var idleRunCount: Int { execution.idleRunCount }

  /// Returns the waits of a job with their reasons, oldest entry first.
  package func waits(of job: JobName, at now: WallInstant) -> [EntryWait] {
    execution.waits(of: job, at: now)
  }

  /// Returns the next entry of each configured job that skips entries of its schedule, because the skipped entries were
  /// decided while the clock was ahead.
  package func waitingForClock(at now: WallInstant) -> [EntryKey] { execution.waitingForClock(at: now) }

  /// Returns the number of entries that a paused job holds at `now`, until the end of the pause; 0 if it is not paused.
  package func heldCount(of name: JobName, at now: WallInstant) -> Int {
    execution.heldCount(of: name, at: now)
  }

  /// Returns the entry of a job's last trigger or reaction; `nil` if there is no such job, or if there was none.
  package func latestOfItsOwn(_ name: JobName) -> EntryKey? { execution.latestOfItsOwn(name) }

  /// Whether entries only join a queue at ``nextDeadline`` and up to `instant`. The shell may then wake later. O(jobs and
  /// runs).
  package func onlyEnqueues(through instant: WallInstant) -> Bool { dispatch.onlyEnqueues(through: instant) }

  /// Intervals of wall time in which a daemon decided entries as they fell due.
  package var attended: AttendedTime { execution.timetable.attended }

  /// Last instant whose due entries this daemon decides.
  package var attendedThrough: WallInstant { execution.timetable.attendedThrough }

  /// Instant of the last event; before the first event, just before the start.
  package var lastSeen: WallInstant { execution.timetable.lastSeen }

  /// The earliest nominal instant of a record about left-out entries that is made at `end` or later; `nil` for none. O(jobs),
  /// only in low-frequency mode.
  package func earliestLeftOut(settledFrom end: WallInstant) -> WallInstant? {
    execution.timetable.earliestLeftOut(settledFrom: end)
  }

  /// Mode of the daemon, which is passed to runs. Closed loops start in normal mode only.
  package var mode: ScheduleMode { execution.timetable.mode }
}
