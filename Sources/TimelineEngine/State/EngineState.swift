package import TimelineCore

/// All that the engine knows; a value that turns each event, with the instant at which it happened, into effects.
///
/// It reads no clock and performs nothing. The shell makes one, hands it `.wake` and from then on every event in
/// the order in which they happened, and performs the effects in the order in which they are returned. Equal
/// states given equal events at equal instants return equal effects.
///
/// Every entry of every job ends with exactly one outcome. There are two exceptions: an entry whose claim is denied,
/// for another daemon records its outcome, and what ``EngineEvent/leave`` leaves to the next daemon.
///
/// Each part of the state is a value with private storage. Workflows, which extend this type, ask values in `Policies` for decisions,
/// change the parts and append effects.
package struct EngineState: Sendable {
  /// The jobs.
  var jobs = JobTable(minimumCapacity: 0)
  /// Pauses of jobs that are not configured.
  var pauses = PauseBook()

  /// The active runs.
  var runs: RunTable
  /// The next entry of each job, and the timeout, grace or back-off of each run; its first is found between two events.
  var deadlines = DeadlineQueue()
  /// Instant for which the shell has been told to wake.
  var wakePlan = WakePlan()

  /// Limits of groups, and the jobs that wait for them.
  var groupGate = GroupGate()
  /// Reactions to run after this event, and the upstream entries of those that wait or run.
  var reactions = ReactionQueue()
  /// Work of an earlier daemon that is decided with the first event.
  var inherited = InheritedWork()

  /// Whether the engine starts runs, drains, or has ended.
  var lifecycle = Lifecycle()
  /// The wall time in which entries were decided as they fell due.
  package internal(set) var attended: AttendedTime
  /// Instant of the last event; before the first one, just before the start.
  package internal(set) var lastSeen: WallInstant
  /// Mode of the daemon, which runs are told. Closed loops start in normal mode only.
  package internal(set) var mode: ScheduleMode
  /// Cadence of the daemon, which runs are told.
  var cadence: Cadence

  /// Seed of the jitter, different on each machine.
  let seed: UInt64
  /// No entry at or after this exists.
  let horizon: WallInstant?
  /// Lookahead at the next entries of jobs, for a timeline that ends and on which no claims are asked for; `nil` for too many jobs.
  var lookahead: EntryLookahead?
  /// Claims to ask for and to give up with the effects of this event.
  var claims: ClaimBook
  /// Watermarks to be told, and those of removed jobs.
  var watermarks: WatermarkBook

  /// Makes the state in which nothing has happened yet; the first event to hand it is ``EngineEvent/wake``.
  ///
  /// - Parameters:
  ///   - jobs: The configuration, names unique; their order breaks ties.
  ///   - startedAt: Now. Without memory nothing before it is missed; an entry at this very instant is run.
  ///   - remembered: The nominal instant of each job's last settled entry, of its present schedule; entries since then are missed.
  ///   - attended: The wall time that earlier daemons attended, as far as the clock may show it again; ascending.
  ///   - repeated: What jobs had decided before the clock was set back, by the ledger.
  ///   - groups: The limits of the groups that jobs name, each at least 1.
  ///   - open: Runs that an earlier daemon left open; a job's delivery promise decides about those whose host is dead
  ///     and whose last attempt is not known to have failed. An entry with no attempt that is known to have waited goes
  ///     on waiting; any other is one of the missed ones unless nothing later was decided: the schedule brings it again.
  ///   - paused: Since when jobs are paused; of those that are not configured it counts when they come back.
  ///   - failing: The jobs whose last run failed, so that the next success is a recovery.
  ///   - lastRun: The highest number of a run that any daemon has given.
  ///   - seed: What jitter is rolled from: always the same on one machine, so that no restart rolls it again.
  ///   - claims: Whether entries are claimed before they are run.
  ///   - until: The end of the timeline: no entry at or after it exists.
  package init(
    jobs definitions: [JobDefinition], groups: [GroupName: Int] = [:], startedAt: WallInstant,
    remembered: [JobName: WallInstant] = [:], attended: [ClosedRange<WallInstant>] = [],
    repeated: RepeatedTime = RepeatedTime(),
    open: [OpenRun] = [], paused: [JobName: WallInstant] = [:], failing: Set<JobName> = [],
    lastRun: RunID = RunID(number: 0), seed: UInt64 = 0, claims: ClaimRule = .ask,
    mode: ScheduleMode = .normal, cadence: Cadence = .live, until horizon: WallInstant? = nil
  ) {
    self.attended = AttendedTime(former: attended, since: startedAt)
    lastSeen = startedAt - .nanoseconds(1)
    self.mode = mode
    self.cadence = cadence
    self.seed = seed
    self.claims = ClaimBook(claims)
    self.horizon = horizon
    watermarks = WatermarkBook(unknownThrough: repeated.unknownThrough, released: repeated.released)
    runs = RunTable(after: lastRun)
    removeAllJobs(makingRoomFor: definitions.count)
    for definition in definitions {
      jobs.append(JobState(definition, at: startedAt, decided: remembered[definition.name]))
    }
    setGroups(groups)
    for index in jobs.configured { noteRepeated(index, repeated, of: paused, startedAt) }
    takeOver(open, remembered, startedAt)
    for index in jobs.configured {
      let name = jobs[index].definition.name
      if failing.contains(name) { _ = jobs[index].noteOutcome(.failure) }
      begin(index, since: remembered[name], pausedSince: paused[name], startedAt)
    }
    for (name, start) in paused where jobs.index(named: name) == nil { pauses.keep(name, since: start) }
  }

  /// Takes in one event that happened at `now` and tells what is to be done about it, due entries included.
  ///
  /// At one instant the event comes first, then what is due: a run that ends just now is not in the way, and a
  /// drain starts nothing. Triggers, pauses and reloads come after what is due: they were asked for later. Reactions
  /// to what this event settled come last.
  package mutating func handle(
    _ event: EngineEvent, at now: WallInstant, by effects: inout some EffectSink
  ) {
    guard !lifecycle.hasEnded else { return }
    if hasInheritance { settleInheritedEntries(now, &effects) }
    if case .clockStepped = event {} else { enqueueClosedLoops(before: now, &effects) }
    switch event {
    case .wake: break
    case .clockStepped(by: let length, decided: let decided):
      clockStepped(by: length, decided, now, &effects)
    case .claimsAnswered(let answers): claimsAnswered(answers, now, &effects)
    case .attemptWaits(let run): attemptWaits(run, &effects)
    case .attemptBegan(let run, let delay): attemptBegan(run, late: delay, now)
    case .attemptEndedBeforeStop(let run): attemptEndedBeforeStop(run)
    case .attemptEnded(let run, let outcome): attemptEnded(run, outcome, now, &effects)
    case .trigger(let name): trigger(name, now, &effects)
    case .cancel(let run): cancel(run, now, &effects)
    case .pause(let name): pause(name, now, &effects)
    case .resume(let name, let catchUp): resume(name, catchUp, now, &effects)
    case .release(let name): release(name, now, &effects)
    case .reload(let definitions, let groups): reload(definitions, groups, now, &effects)
    case .mode(let mode): change(mode, now)
    case .cadence(let cadence): self.cadence = cadence
    case .leave: leave(now, &effects)
    case .drain(let patience): drain(patience, now, &effects)
    }
    finish(now, &effects)
  }

  /// Whether something of an earlier daemon is still to be settled.
  private var hasInheritance: Bool {
    !watermarks.isEmpty || !inherited.isEmpty
  }

  /// Takes in all attempts that end at `now` as one event: `next` gives them one after the other, `nil` after the last.
  ///
  /// Each is taken in before anything that is due, so that none of these runs is in the way of an entry of this instant.
  package mutating func handleEnds<Sink: EffectSink>(
    at now: WallInstant, by effects: inout Sink,
    _ next: (inout Sink) -> (run: RunID, outcome: AttemptResult)?
  ) {
    if hasInheritance { settleInheritedEntries(now, &effects) }
    enqueueClosedLoops(before: now, &effects)
    while let ending = next(&effects) {
      if !lifecycle.hasEnded { attemptEnded(ending.run, ending.outcome, now, &effects) }
    }
    if !lifecycle.hasEnded { finish(now, &effects) }
  }

  /// Does what is due after an event, and what follows from that.
  private mutating func finish(_ now: WallInstant, _ effects: inout some EffectSink) {
    lastSeen = now
    doDueWork(now, &effects)
    while !reactions.isEmpty {
      react(now, &effects)
      doDueWork(now, &effects)
    }
    close(now, &effects)
  }

  /// Takes in one event that happened at `now` and appends what is to be done about it.
  package mutating func handle(
    _ event: EngineEvent, at now: WallInstant, into effects: inout [EngineEffect]
  ) {
    handle(event, at: now, by: &effects)
  }

  /// Takes in one event that happened at `now` and returns what is to be done about it.
  package mutating func handle(_ event: EngineEvent, at now: WallInstant) -> [EngineEffect] {
    var effects: [EngineEffect] = []
    handle(event, at: now, into: &effects)
    return effects
  }

  /// Deals with every deadline that has come, in the order (deadline, priority, order of configuration).
  mutating func doDueWork(_ now: WallInstant, _ effects: inout some EffectSink) {
    while let head = deadlines.first, head.deadline <= now {
      if head.handle.isRun {
        runDeadlinePassed(head.handle.index, now, &effects)
      } else {
        entryFellDue(head.handle.index, now, &effects)
      }
    }
  }

  /// Adds the effects that come once for an event, however much happened in it.
  private mutating func close(_ now: WallInstant, _ effects: inout some EffectSink) {
    let isDone = lifecycle.isDraining && runs.count == 0
    if isDone {
      for index in jobs.indices { withdrawNext(index) }
      deadlines.removeAll()
      lifecycle.end()
    }
    claims.flush(&effects)
    let deadline = instantToWake(now)
    assert(deadline.map { $0 > now } ?? true, "what is due has been dealt with")
    wakePlan.arm(deadline, &effects)
    if isDone { effects.append(.drained) }
  }

  /// Lets go of all jobs and makes room for `count` others.
  mutating func removeAllJobs(makingRoomFor count: Int) {
    jobs = JobTable(minimumCapacity: count)
    deadlines.removeAll()
    deadlines.reserve(count)
    lookahead = !claims.hasLedger ? horizon.flatMap { EntryLookahead(of: count, before: $0) } : nil
  }
}
