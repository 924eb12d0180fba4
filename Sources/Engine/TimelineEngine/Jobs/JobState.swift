import TimelineCore

/// State of one job.
struct JobState: Sendable {
  private(set) var definition: JobDefinition
  /// Tie break between entries that fall due at one instant.
  private(set) var tie: TieBreak
  /// Maximum number of concurrent runs before the overlap policy applies.
  private var capacity = 1
  /// Whether the job's rule can name instants and leave them out.
  private(set) var mayOmit = false
  /// Whether the job's schedule moves entries that its windows exclude, or a former schedule has.
  private(set) var movesEntries = false
  /// Whether the next entry depends on the end of the last run.
  private(set) var isClosedLoop = false
  /// Whether entries fall due at their nominal instants.
  private(set) var isExact = false
  /// Whether the job has so many entries that they are counted and not claimed.
  private(set) var isCounted = false
  /// Whether the start of a run is reported to another job.
  private(set) var hasBeginListener = false

  /// Nominal instant of the next entry. The entry is not due yet, and is the job's only entry in the queue.
  private(set) var next: WallInstant?
  private(set) var nextClaim: ClaimState = .granted
  /// Fencing token of the claim to the next entry.
  private(set) var nextToken: Int64?
  /// Entries of the schedule that are decided.
  var watermark: JobWatermark
  /// Position in the omissions of the job's rule.
  var omissions: OmissionCursor
  /// Runs whose entries had moved.
  var moves = MovedRuns() {
    didSet { if !moves.isEmpty { movesEntries = true } }
  }
  /// Last settled entry of the schedule. The schedule brings only later entries to a later owner.
  private(set) var lastSettled: WallInstant = .min
  /// Earliest instant of a closed loop's next start.
  private(set) var earliestStart: WallInstant = .min
  /// First entry of a closed loop that low-frequency mode leaves out and that has no outcome yet. The others follow at the
  /// interval.
  private(set) var leftOutSince: WallInstant?

  private(set) var runCount = 0
  /// Number of these runs that a backfill has requested.
  private var backfilledCount = 0
  /// Due entries that have neither a run nor an outcome.
  var waiting = WaitingEntries()
  /// `nil` if the job is not paused.
  private(set) var pause: Pause?
  /// Whether the job is in ``JobTable/withPastWaits``.
  var hasWaited = false
  /// Instant at which this node became the owner of the job. Earlier entries count as missed. `.min` for a job that every node
  /// runs.
  private(set) var ownedSince: WallInstant = .min
  /// Whether the job was removed from the configuration while it had an active run. It starts no more runs.
  private(set) var isRetired = false
  /// Whether the job was handed over to another node while it had an active run.
  private(set) var isHandedOver = false
  /// Whether the claims of entries that were not started were given up with the job.
  private(set) var isGivenUp = false

  /// Failures of the job, which are reported to other jobs.
  var failures = JobFailures()
  /// Result of the last attempt; `nil` if unknown.
  private(set) var previous: AttemptResult?
  /// Entries outside the schedule.
  private var own = OwnEntries()

  /// Makes the initial state of a job. `decided` is its watermark from a ledger, from the cluster's store, or from before its
  /// removal.
  init(_ definition: JobDefinition, at now: WallInstant, decided: WallInstant?) {
    self.definition = definition
    tie = TieBreak(priority: definition.policies.priority)
    watermark = JobWatermark(decided)
    omissions = OmissionCursor(decided)
    noteDefinition()
    if isClosedLoop { earliestStart = now }
  }

  /// Moves the watermark to the next entry, which must exist. Returns the entry with its claim.
  mutating func decideNext() -> (nominal: WallInstant, claim: ClaimState, token: Int64?) {
    guard let next else { preconditionFailure("only a planned entry falls due") }
    watermark.move(to: next)
    return (next, nextClaim, nextToken)
  }

  /// Resets the state of the job, because this node became its owner. `decided` is the watermark in the cluster's store. Active
  /// runs go on.
  mutating func beginOwnership(decided: WallInstant?, at now: WallInstant) {
    var job = JobState(definition, at: now, decided: decided)
    (job.runCount, job.own, job.previous, job.ownedSince) = (runCount, own, previous, now)
    job.backfilledCount = backfilledCount
    job.moves = moves
    self = job
  }

  /// Continues the same job under a definition that may differ.
  mutating func take(_ definition: JobDefinition) {
    if isRetired || definition.schedule != self.definition.schedule { omissions.restart() }
    // The ledger has no incidents that the job's last runs opened after its removal.
    if isRetired { failures.endIncidents() }
    failures.keepOnly(from: self.definition.policies.reactions, to: definition.policies.reactions)
    self.definition = definition
    tie = TieBreak(priority: definition.policies.priority)
    (isRetired, isHandedOver, isGivenUp) = (false, false, false)
    noteDefinition()
  }

  /// Leaves the entries of the schedule to cron, including due entries.
  mutating func leaveToCron() { definition.isLeftToCron = true }

  /// Stores the properties of the definition that are read for every entry.
  private mutating func noteDefinition() {
    let policies = definition.policies
    capacity = policies.capacity
    mayOmit = definition.schedule.mayOmit
    movesEntries = definition.schedule.movesEntries || !moves.isEmpty
    isClosedLoop = definition.schedule.isClosedLoop
    isExact = definition.timing.isExact || isClosedLoop
    isCounted = definition.schedule.hasMoreThanOneEntryPerSecond
    hasBeginListener = policies.reactions.onStart != nil
  }

  /// Makes `nominal` the next entry; `nil` for none.
  mutating func setNext(_ nominal: WallInstant?, _ claim: ClaimState = .granted) {
    (nextClaim, nextToken) = (claim, nil)
    next = nominal
    if isClosedLoop, let nominal { own.note(nominal) }
  }
}

// Events of the job.
extension JobState {
  /// Counts a run that begins (1) or ends (-1).
  mutating func countRun(_ change: Int) {
    runCount += change
    assert(runCount >= 0)
  }

  /// Counts a run of a backfill that begins (1) or ends (-1), beside ``countRun(_:)``.
  mutating func countBackfilled(_ change: Int) { backfilledCount += change }

  /// Records a start of a closed loop.
  mutating func beginLoop(at instant: WallInstant) { earliestStart = instant + loopInterval }

  /// Records the last start of a closed loop before this state was made. A start later than now, from before the clock was set
  /// back, counts as now. A start of a loop with more than one start per second also counts as now, because the ledger has no
  /// row of the loop's last start.
  mutating func noteFormerStart(_ start: WallInstant?, _ now: WallInstant) {
    guard isClosedLoop, let start else { return }
    earliestStart = max(earliestStart, (isCounted ? now : min(start, now)) + loopInterval)
  }

  /// Begins to leave out entries of a closed loop, the first of them at `nominal`.
  mutating func leaveOut(from nominal: WallInstant) {
    leftOutSince = nominal
    own.note(nominal)
  }

  /// Stops leaving entries out. Returns the entries before `end` that were left out; `nil` for none.
  mutating func takeLeftOut(before end: WallInstant) -> MissedRange? {
    guard leftOutSince != nil else { return nil }
    let range = leftOut(before: end)
    leftOutSince = nil
    if let range { own.note(range.latest) }
    return range
  }

  /// Records the answer to the claim of the entry at `nominal`, if this is the next entry and its claim was requested.
  ///
  /// A closed loop goes on after an entry that was granted to another daemon. No other entry of the job gets the same instant.
  mutating func noteAnswer(_ answer: ClaimAnswer) {
    let nominal = answer.entry.nominal
    guard next == nominal, nextClaim == .asked else { return }
    (nextClaim, nextToken) = (ClaimState(answer.verdict), answer.token)
    guard isClosedLoop, nextClaim == .denied else { return }
    beginLoop(at: nominal)
    if lastOwn(following: nominal) == nil { own.setLastOfOthers(nominal) }
  }

  /// Pauses the job: undecided entries after `origin` are held.
  mutating func beginPause(since start: WallInstant, holdingAfter origin: WallInstant) {
    pause = Pause(since: start, origin: max(watermark.instant, origin))
  }

  /// Moves the instant after which undecided entries are held.
  mutating func movePause(holdingAfter origin: WallInstant) { pause?.origin = max(watermark.instant, origin) }

  /// Ends the pause.
  mutating func endPause() { pause = nil }

  /// Records the result of an attempt.
  mutating func noteResult(_ result: AttemptResult) { previous = result }

  /// Records that the last attempt was stopped.
  mutating func noteStop() { previous?.status = .cancelled }

  /// Records that an entry of the schedule is settled.
  mutating func noteSettled(_ nominal: WallInstant) { lastSettled = max(lastSettled, nominal) }

  /// Stops all starts, because the job is no longer configured.
  mutating func retire() {
    isRetired = true
    failures.endIncidents()
  }

  /// Stops all starts, because another node is to own the job.
  mutating func handOver(isGivenUp: Bool) {
    retire()
    (isHandedOver, self.isGivenUp) = (true, isGivenUp)
  }
}

extension JobState {
  /// Whether the missed policy has a window. An entry that is later than the window is missed.
  var hasMissedWindow: Bool { definition.policies.missed.window != nil }
  /// Timeout of an attempt; `nil` for none.
  var timeout: ElapsedTime? { definition.policies.timeout }
  /// Whether another run may be started before the overlap policy applies.
  var hasRoom: Bool { runCount < capacity }
  /// Whether there would be room without the runs of a backfill. Other entries wait for the end of these, and are not overlapped.
  var hasRoomOfItsOwn: Bool { runCount - backfilledCount < capacity }
  /// Whether one node of a cluster runs the job, so that the cluster's store answers its claims.
  var isOfCluster: Bool { ownedSince > .min }
  /// Number of due entries that have neither a run nor an outcome.
  var waitingEntries: Int { waiting.count }
  /// Whether one more entry may wait behind `count` other entries.
  func mayWait(behind count: Int) -> Bool { count < definition.policies.waitingMax }
  /// Whether an entry waits for room.
  var isBuffering: Bool { !waiting.buffered.isEmpty }
  /// Rank among the jobs that wait for groups, the lowest first: arrival minus priority. `nil` if the job has nothing to start,
  /// or no room of its own.
  var groupRank: WallInstant? {
    guard let entry = waiting.buffered.first, hasRoom else { return nil }
    return entry.waitingSince - EngineLimits.ageingStep * Int64(definition.policies.priority)
  }

  /// Nominal instant of the last entry outside the schedule, such as a manual trigger. The next entry outside the schedule
  /// gets another instant.
  var lastTrigger: WallInstant? {
    get { own.lastTrigger }
    set { own.setLastTrigger(newValue) }
  }
  /// Records that an earlier daemon had an entry outside the schedule at `nominal`, so that no other entry has this instant.
  mutating func noteTaken(_ nominal: WallInstant) { own.noteOthers(nominal) }

  /// Returns the last entry outside the schedule at `instant` or less than 1 ms later; `nil` for none.
  func lastOwn(following instant: WallInstant) -> WallInstant? { own.last(following: instant) }

  /// Adapts lengths of time to a clock step of `length`. `now` is the time after the step.
  mutating func clockStepped(by length: ElapsedTime, _ now: WallInstant) {
    waiting.clockStepped(by: length, now)
    // Held entries that the clock will show again are held again, and not twice.
    if let pause { movePause(holdingAfter: min(pause.origin, now - .nanoseconds(1))) }
    own.noteStep()
    failures.clockStepped(to: now)
    ownedSince = min(ownedSince, now)
    if isClosedLoop { earliestStart = min(earliestStart + length, now + loopInterval) }
  }

  /// Returns `instant`, or an instant at most 2 µs later if the clock was set and the job may have an entry outside the schedule
  /// there.
  func besideFormerEntries(of instant: WallInstant) -> WallInstant { own.free(at: instant) }

  /// Returns `instant`, or an instant less than 1 µs earlier if the job may have an entry from before a clock step there.
  func besideFormerEntries(atOrBefore instant: WallInstant) -> WallInstant { own.free(atOrBefore: instant) }
}
