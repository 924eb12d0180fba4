import TimelineCore

/// State of one job.
struct JobState: Sendable {
  /// The job as configured.
  private(set) var definition: JobDefinition
  /// Tie break between entries that fall due at one instant.
  private(set) var tie: TieBreak
  /// Largest number of runs at a time before the overlap policy applies.
  private var capacity = 1
  /// Whether its rule can name instants and leave them out.
  private(set) var mayOmit = false
  /// Whether the next entry depends on the end of the last run.
  private(set) var isClosedLoop = false
  /// Whether its entries fall due at their nominal instants.
  private(set) var isExact = false
  /// Whether it fires so often that its entries are counted and not claimed.
  private(set) var isCounted = false

  /// The nominal instant of the next entry: not due yet, and the only one that is in the queue.
  private(set) var next: WallInstant?
  /// Claim to the next entry.
  var nextClaim: ClaimState = .granted
  /// Entries of the schedule that are decided.
  var watermark: JobWatermark
  /// Position in the omissions of its rule.
  var omissions: OmissionCursor
  /// The last entry that was settled while others waited, of a job whose entries are counted: a later daemon comes only to what is
  /// after it.
  var settledWhileWaiting: WallInstant = .min
  /// A closed loop's next start is not earlier than this.
  var earliestStart: WallInstant = .min

  /// Number of active runs.
  var runCount = 0
  /// Due entries that have neither a run nor an outcome.
  var waiting = WaitingEntries()
  /// Pause of the job; `nil` when it is not paused.
  var pause: Pause?
  /// Whether it is among ``JobTable/withPastWaits``.
  var hasWaited = false
  /// Whether it was removed from the configuration while it had an active run; it starts nothing any more.
  var isRetired = false

  /// Whether its last run failed.
  var hasFailed = false
  /// Whether an operator released it from entries that a lost ledger may have decided.
  var isReleased = false
  /// Result of the last attempt; `nil` when none is known.
  var previous: AttemptResult?
  /// Entries that are not of the schedule.
  private var own = OwnEntries()

  /// Makes the state of a job that nothing has happened to; `decided` is what a ledger or a former life remembers.
  init(_ definition: JobDefinition, at now: WallInstant, decided: WallInstant?) {
    self.definition = definition
    tie = TieBreak(priority: definition.policies.priority)
    watermark = JobWatermark(decided)
    omissions = OmissionCursor(decided)
    noteDefinition()
    if isClosedLoop { earliestStart = now }
  }

  /// Decides about the next entry, which there must be: everything up to it has been dealt with.
  mutating func decideNext() -> (nominal: WallInstant, claim: ClaimState) {
    guard let next else { preconditionFailure("only a planned entry falls due") }
    watermark.move(to: next)
    return (next, nextClaim)
  }

  /// Goes on as the same job under a definition that may differ.
  mutating func take(_ definition: JobDefinition) {
    if isRetired || definition.schedule != self.definition.schedule { omissions.restart() }
    self.definition = definition
    tie = TieBreak(priority: definition.policies.priority)
    isRetired = false
    noteDefinition()
  }

  /// Stores the properties of the definition that are asked for at every entry.
  private mutating func noteDefinition() {
    let policies = definition.policies
    let concurrency = policies.overlap == .allowAll ? EngineLimits.concurrentRunsMax : policies.concurrency
    capacity = min(max(1, concurrency), EngineLimits.concurrentRunsMax)
    mayOmit = definition.schedule.mayOmit
    isClosedLoop = definition.schedule.isClosedLoop
    isExact = definition.timing.isExact || isClosedLoop
    isCounted = definition.schedule.firesMoreThanOncePerSecond
  }

  /// Makes `nominal` the next entry; `nil` for none.
  mutating func setNext(_ nominal: WallInstant?, _ claim: ClaimState = .granted) {
    nextClaim = claim
    next = nominal
    if isClosedLoop, let nominal { own.note(nominal) }
  }
}

extension JobState {
  /// Whether an entry that is later than a limit is missed.
  var hasMissedWindow: Bool { definition.policies.missed.window != nil }
  /// Timeout of an attempt; `nil` for none.
  var timeout: ElapsedTime? { definition.policies.timeout }
  /// Whether another run may be started before the overlap policy is asked.
  var hasRoom: Bool { runCount < capacity }
  /// Number of due entries that have neither a run nor an outcome.
  var waitingEntries: Int { waiting.count }
  /// Whether an entry waits for room.
  var isBuffering: Bool { !waiting.buffered.isEmpty }
  /// Rank among jobs that wait for groups, the lowest first: arrival minus priority; `nil` when it has nothing to start, or no room of
  /// its own.
  var groupRank: WallInstant? {
    guard let entry = waiting.buffered.first, hasRoom else { return nil }
    return entry.waitingSince - EngineLimits.ageingStep * Int64(definition.policies.priority)
  }

  /// Whether the next entry is later than the schedule's, because those before it were decided while the clock was ahead.
  func waitsForClock(at now: WallInstant) -> Bool {
    guard let next, !isClosedLoop, watermark.isAhead || watermark.instant > now else { return false }
    return definition.next(after: now).map { $0 < next } ?? false
  }
  /// Last instant before the next entry up to which entries are decided.
  var decidedBeforeNext: WallInstant {
    let ahead = next.flatMap { next in watermark.ahead.last { $0.upperBound < next }?.upperBound }
    return max(watermark.instant, ahead ?? .min)
  }

  /// The nominal instant of the last entry that is not of the schedule, such as a manual trigger, so that the next one gets another.
  var lastTrigger: WallInstant? {
    get { own.lastTrigger }
    set { own.setLastTrigger(newValue) }
  }
  /// Notes that an earlier daemon has had such an entry at `nominal`, which no other is to have.
  mutating func noteTaken(_ nominal: WallInstant) { lastTrigger = max(lastTrigger ?? .min, nominal) }
  /// Notes that the clock was set, so that the job may come once more to instants at which it has had such entries.
  mutating func noteStep() { own.noteStep() }
  /// Returns `instant`, or an instant at most 2 µs later if the clock was set and the job may have had such an entry at `instant`.
  func besideFormerEntries(of instant: WallInstant) -> WallInstant { own.free(at: instant) }

  /// Returns `instant`, or an instant less than 1 µs earlier if there may be an entry of before a clock step at it.
  func besideFormerEntries(atOrBefore instant: WallInstant) -> WallInstant { own.free(atOrBefore: instant) }
}

/// Nominal instants of a job's entries that are not of its schedule: triggers, reactions, and all of a closed loop.
struct OwnEntries: Sendable {
  /// Nominal instant of the last trigger or reaction.
  private(set) var lastTrigger: WallInstant?
  /// The earliest and the latest of all.
  private var (first, last): (WallInstant, WallInstant) = (.max, .min)
  /// Number of clock steps since the first of them, modulo 1,000.
  private var steps: Int64 = 0

  mutating func setLastTrigger(_ nominal: WallInstant?) {
    lastTrigger = nominal
    if let nominal { note(nominal) }
  }

  mutating func note(_ nominal: WallInstant) { (first, last) = (min(first, nominal), max(last, nominal)) }

  mutating func noteStep() {
    if first <= last { steps = (steps + 1) % 1_000 }
  }

  /// Returns `instant`, or an instant at most 2 µs later if there may be an entry at it.
  func free(at instant: WallInstant) -> WallInstant {
    distance(from: instant).map { instant + .nanoseconds(1_000 + $0) } ?? instant
  }

  /// Returns `instant`, or an instant less than 1 µs earlier if there may be an entry at it.
  func free(atOrBefore instant: WallInstant) -> WallInstant {
    distance(from: instant).map { instant + .nanoseconds($0 > 0 ? $0 - 1_000 : $0) } ?? instant
  }

  /// Nanoseconds, less than 1 µs either way, from `instant` to those that entries since the last clock step have within their
  /// microsecond; `nil` where no earlier entry can be. All of them share these, so that they meet earlier ones only by chance.
  private func distance(from instant: WallInstant) -> Int64? {
    guard steps > 0, first <= instant, instant <= last else { return nil }
    func beyondMicrosecond(_ instant: WallInstant) -> Int64 {
      instant.nanosecondsSinceEpoch - instant.nanosecondsSinceEpoch.flooredQuotient(by: 1_000) * 1_000
    }
    return (beyondMicrosecond(last) + steps) % 1_000 - beyondMicrosecond(instant)
  }
}
