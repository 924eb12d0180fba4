package import TimelineCore

/// All that the engine knows; a value that turns each event, with the instant at which it happened, into effects.
///
/// It reads no clock and performs nothing. The shell makes one, hands it `.wake` and from then on every event in
/// the order in which they happened, and performs the effects in the order in which they are returned. Equal
/// states given equal events at equal instants return equal effects.
///
/// Every entry of every job ends with exactly one outcome. There are two exceptions: an entry whose claim is lost,
/// for the machine that won it records its outcome, and what ``EngineEvent/leave`` leaves to the next daemon.
package struct EngineState: Sendable {
  /// Phase of the engine.
  enum Lifetime: Sendable, Hashable {
    /// Starting runs.
    case running
    /// Waiting for the last run to end.
    case draining
    /// Done: no event has an effect any more.
    case drained
  }

  /// The configured jobs in their order, then those that were removed while they ran.
  var jobs: [JobState] = []
  /// Number of configured jobs; they come first in ``jobs``.
  var configuredCount = 0
  /// Index of each configured job by its name.
  private var indices: [JobName: Int] = [:]
  /// Watermarks of the jobs that a reload removed, should they come back or the clock go back.
  var watermarksOfRemovedJobs: [JobName: WallInstant] = [:]
  /// Start of the pause of each paused job that is not configured, or not enabled, should it come back.
  var removedPauses: [JobName: WallInstant] = [:]

  /// The active runs.
  var runs = RunTable()
  /// The number of the run made last.
  var lastRunNumber: UInt64 = 0
  /// The next entry of each job, and the timeout, grace or pause of each run; its first is found between two events.
  var queue = DeadlineQueue()
  /// Instant of the wake-up that the shell was last told; the outer `nil` means that it must be told again.
  var armed: WallInstant??

  /// The groups that have a limit, in order of their names.
  var groups: [GroupState] = []
  /// Jobs whose entries may fall due after their nominal instants.
  var inexactJobs: [Int32] = []
  /// Jobs with an entry that has waited since the last reload; each once.
  var jobsWithPastWaits: [Int32] = []
  /// Jobs with a group of which an entry may be waiting.
  var line = GroupWaitQueue()
  /// Instant at which an entry last began to wait for room.
  var lastArrival = WallInstant.min
  /// Reactions to run after this event, in settlement order.
  var pendingReactions: [(listener: JobName, upstream: EntryRecord)] = []
  /// Upstream entries of the reactions that wait or run.
  var upstreamEntries: [EntryKey: EntryRecord] = [:]
  /// Records of runs and entries that an earlier daemon left and that cannot be run any more; settled with the first event.
  var interruptedRuns: [EntryRecord] = []
  /// Entries that an earlier daemon had claimed and not started; decided at the first event. The missed policy decides about each
  /// that does not go on in any case.
  var inheritedEntries: [(index: Int, entry: DueEntry, goesOn: Bool, hasWaited: Bool)] = []

  /// Whether the engine starts runs, drains, or has finished.
  var phase = Lifetime.running
  /// Whether a later daemon takes up what the ledger keeps, so that nothing of that is settled.
  var isLeaving = false
  /// Instant at which it began to leave; entries that fall due from then on are the next daemon's.
  var leftAt: WallInstant?
  /// Instant at which runs that outlive a drain are asked to stop; `nil` for never.
  var patienceEnd: WallInstant?
  /// Entries that fell due earlier than this count as missed: before the start, or in the time that a clock step jumped over.
  var missedBefore: WallInstant
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
  /// Whether entries are claimed before they are run.
  let claims: ClaimRule
  /// No entry at or after this exists.
  let until: WallInstant?
  /// Lookahead at the next entries of jobs, for a timeline that ends and on which no claims are asked for; `nil` for too many jobs.
  var ahead: EntryLookahead?
  /// Claims to be made with the effects of this event, all in one.
  var toClaim: [EntryKey] = []
  /// Claims to be given up with the effects of this event.
  var toWithdraw: [EntryKey] = []
  /// Watermarks to be told, and entries to be taken out of records, with the effects of the next event.
  var (watermarks, toCut): ([Watermark], [RangeCut]) = ([], [])
  /// Claimed entries up to here may have been decided by a ledger that was lost; `.min` for none.
  var unknownThrough: WallInstant

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
    mode: ScheduleMode = .normal, cadence: Cadence = .live, until: WallInstant? = nil
  ) {
    self.missedBefore = startedAt
    self.attended = AttendedTime(former: attended, since: startedAt)
    lastSeen = startedAt - .nanoseconds(1)
    self.mode = mode
    self.cadence = cadence
    (self.seed, self.claims) = (seed, claims)
    self.until = until
    unknownThrough = repeated.unknownThrough
    lastRunNumber = lastRun.number
    removeAllJobs(makingRoomFor: definitions.count)
    for definition in definitions {
      append(JobState(definition, at: startedAt, decided: remembered[definition.name]))
    }
    configuredCount = jobs.count
    setGroups(groups)
    for index in 0..<configuredCount { noteRepeated(index, repeated, of: paused, startedAt) }
    takeOver(open, remembered, startedAt)
    for index in 0..<configuredCount {
      let name = jobs[index].definition.name
      jobs[index].hasFailed = failing.contains(name)
      begin(index, since: remembered[name], pausedSince: paused[name], startedAt)
    }
    removedPauses = paused.filter { index(named: $0.key) == nil }
  }

  /// Takes in one event that happened at `now` and tells what is to be done about it, due entries included.
  ///
  /// At one instant the event comes first, then what is due: a run that ends just now is not in the way, and a
  /// drain starts nothing. Triggers, pauses and reloads come after what is due: they were asked for later. Reactions
  /// to what this event settled come last.
  package mutating func handle(
    _ event: EngineEvent, at now: WallInstant, by effects: inout some EffectSink
  ) {
    guard phase != .drained else { return }
    if hasInheritance { settleInheritedEntries(now, &effects) }
    if case .clockStepped = event {} else { enqueue(before: now, &effects) }
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
    !watermarks.isEmpty || !toCut.isEmpty || !interruptedRuns.isEmpty || !inheritedEntries.isEmpty
  }

  /// Takes in all attempts that end at `now` as one event: `next` gives them one after the other, `nil` after the last.
  ///
  /// Each is taken in before anything that is due, so that none of these runs is in the way of an entry of this instant.
  package mutating func handleEnds<Sink: EffectSink>(
    at now: WallInstant, by effects: inout Sink,
    _ next: (inout Sink) -> (run: RunID, outcome: AttemptResult)?
  ) {
    if hasInheritance { settleInheritedEntries(now, &effects) }
    enqueue(before: now, &effects)
    while let ending = next(&effects) {
      if phase != .drained { attemptEnded(ending.run, ending.outcome, now, &effects) }
    }
    if phase != .drained { finish(now, &effects) }
  }

  /// Does what is due after an event, and what follows from that.
  private mutating func finish(_ now: WallInstant, _ effects: inout some EffectSink) {
    lastSeen = now
    doDueWork(now, &effects)
    while !pendingReactions.isEmpty {
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
    while let head = queue.first, head.deadline <= now {
      if head.handle.isRun {
        runDeadlinePassed(head.handle.index, now, &effects)
      } else {
        entryFellDue(head.handle.index, now, &effects)
      }
    }
  }

  /// Adds the effects that come once for an event, however much happened in it.
  private mutating func close(_ now: WallInstant, _ effects: inout some EffectSink) {
    let isDone = phase == .draining && runs.count == 0
    if isDone {
      for index in jobs.indices { withdrawNext(index) }
      queue.removeAll()
      phase = .drained
    }
    if !toWithdraw.isEmpty {
      effects.append(.withdraw(toWithdraw))
      toWithdraw.removeAll()
    }
    if !toClaim.isEmpty {
      effects.append(.claim(toClaim))
      toClaim.removeAll()
    }
    let deadline = instantToWake(now)
    assert(deadline.map { $0 > now } ?? true, "what is due has been dealt with")
    if armed != .some(deadline) {
      armed = .some(deadline)
      effects.append(.arm(deadline))
    }
    if isDone { effects.append(.drained) }
  }

  /// Takes in a configured job.
  mutating func append(_ job: JobState) {
    jobs.append(job)
    let former = indices.updateValue(jobs.count - 1, forKey: job.definition.name)
    precondition(former == nil, "job names are unique")
    if !job.isExact { inexactJobs.append(Int32(jobs.count - 1)) }
  }

  /// Lets go of all jobs and makes room for `count` others.
  mutating func removeAllJobs(makingRoomFor count: Int) {
    jobs = []
    jobs.reserveCapacity(count)
    indices = Dictionary(minimumCapacity: count)
    (inexactJobs, jobsWithPastWaits) = ([], [])
    queue.removeAll()
    queue.reserve(count)
    ahead = claims == .takeAsWon ? until.flatMap { EntryLookahead(of: count, before: $0) } : nil
  }

  /// Returns the index of the configured job with this name; `nil` for none.
  func index(named name: JobName) -> Int? { indices[name] }
}
