import TimelineCore

/// State of one job: 64 bytes that every job needs, and a separate part that few jobs need.
struct JobState: Sendable {
  /// The job as configured: one reference, shared with whoever configured it.
  private(set) var definition: JobDefinition
  /// State that only some jobs need: an array of at most one, so that it is a value and takes no room where it is not needed.
  private var extra: [JobExtra] = []

  private var nextNominal: WallInstant = .max
  private var decided: WallInstant = .min
  private var omitted: WallInstant = .min
  /// Instant before which omissions of its rule are not settled; `.max` for a job that has not been planned yet.
  var omissionsSince: WallInstant = .max

  /// Number of active runs.
  var runCount: Int32 = 0
  /// Tie break between entries that fall due at one instant.
  private(set) var tie: TieBreak
  private var flags: JobFlags = []
  /// Claim to the next entry.
  var nextClaim: ClaimState = .won
  /// Largest number of runs at a time before the overlap policy applies.
  private var capacity: UInt8 = 1

  /// Makes the state of a job that nothing has happened to; `decided` is what a ledger or a former life remembers.
  init(_ definition: JobDefinition, at now: WallInstant, decided: WallInstant?) {
    self.definition = definition
    tie = TieBreak(priority: definition.policies.priority)
    decidedThrough = decided
    omittedThrough = decided
    noteDefinition()
    if isClosedLoop { earliestStart = now }
  }

  /// Decides about the next entry, which there must be: everything up to it has been dealt with.
  @inline(__always)
  mutating func decideNext() -> (nominal: WallInstant, claim: ClaimState) {
    precondition(flags[.hasNext], "only a planned entry falls due")
    flags[.hasDecided] = true
    decided = nextNominal
    return (nextNominal, nextClaim)
  }

  /// Takes note of how an attempt ended.
  @inline(__always)
  mutating func notePrevious(_ outcome: AttemptOutcome) {
    // Most succeed like the one before, without a word.
    let isPlain = outcome.status == .succeeded && !outcome.isWorthRetrying && outcome.message.isEmpty
    if isPlain, flags.contains([.hasPrevious, .previousSucceeded]), !flags[.previousWasWorthRetrying],
      extra.isEmpty
    {
      return
    }
    previous = outcome
  }

  /// Goes on as the same job under a definition that may differ.
  mutating func take(_ definition: JobDefinition) {
    if isRetired || definition.schedule != self.definition.schedule { omissionsSince = .max }
    self.definition = definition
    tie = TieBreak(priority: definition.policies.priority)
    isRetired = false
    noteDefinition()
  }

  /// Keeps at hand what every entry asks of the definition.
  private mutating func noteDefinition() {
    let policies = definition.policies
    let concurrency = policies.overlap == .allowAll ? EngineLimits.concurrentRunsMax : policies.concurrency
    capacity = UInt8(min(max(1, concurrency), EngineLimits.concurrentRunsMax))
    flags[.mayOmit] = definition.schedule.mayOmit
    flags[.isClosedLoop] = definition.schedule.isClosedLoop
    flags[.isExact] = definition.timing.isExact || flags[.isClosedLoop]
    flags[.isCounted] = definition.schedule.firesMoreThanOncePerSecond
    flags[.takesAnyLateness] = policies.missed.window == nil
    flags[.hasTimeout] = policies.timeout != nil
    flags[.isExpectedToLast] = policies.expect != .zero
  }

  /// Makes `nominal` the next entry; `nil` for none.
  mutating func setNext(_ nominal: WallInstant?, _ claim: ClaimState = .won) {
    nextClaim = claim
    flags[.hasNext] = nominal != nil
    if isClosedLoop, let nominal { modifyExtra { $0.noteOwn(nominal) } }
    nextNominal = nominal ?? .max
  }
}

extension JobState {
  /// The nominal instant of the next entry: not due yet, and the only one that is in the queue.
  var next: WallInstant? { flags[.hasNext] ? nextNominal : nil }
  /// Every entry up to here, this one included, is settled, waits or runs; `nil` when nothing is known.
  var decidedThrough: WallInstant? {
    get { flags[.hasDecided] ? decided : nil }
    set {
      flags[.hasDecided] = newValue != nil
      decided = newValue ?? .min
    }
  }
  /// Instant up to which the omissions of its rule are settled; `nil` when none has been settled yet.
  var omittedThrough: WallInstant? {
    get { flags[.hasOmitted] ? omitted : nil }
    set {
      flags[.hasOmitted] = newValue != nil
      omitted = newValue ?? .min
    }
  }
  /// Whether it was removed from the configuration while it had an active run; it starts nothing any more.
  var isRetired: Bool {
    get { flags[.isRetired] }
    set { flags[.isRetired] = newValue }
  }
  /// Whether it has a place in ``EngineState/line``.
  var isListedAsWaiting: Bool {
    get { flags[.isListedAsWaiting] }
    set { flags[.isListedAsWaiting] = newValue }
  }
  /// Whether it is among ``EngineState/everWaited``.
  var hasWaited: Bool {
    get { flags[.hasWaited] }
    set { flags[.hasWaited] = newValue }
  }
  /// Whether its last run failed.
  var hasFailed: Bool {
    get { flags[.hasFailed] }
    set { flags[.hasFailed] = newValue }
  }
  /// Result of the last attempt; `nil` when none is known.
  var previous: AttemptOutcome? {
    get {
      guard flags[.hasPrevious] else { return nil }
      let status: AttemptOutcome.Status =
        flags[.previousSucceeded] ? .succeeded : flags[.previousFailed] ? .failed : .cancelled
      return AttemptOutcome(
        status: status, isWorthRetrying: flags[.previousWasWorthRetrying],
        message: extra.isEmpty ? "" : extra[0].previousMessage)
    }
    set {
      flags[.hasPrevious] = newValue != nil
      flags[.previousSucceeded] = newValue?.status == .succeeded
      flags[.previousFailed] = newValue?.status == .failed
      flags[.previousWasWorthRetrying] = newValue?.isWorthRetrying ?? false
      let message = newValue?.message ?? ""
      if !extra.isEmpty || !message.isEmpty { modifyExtra { $0.previousMessage = message } }
    }
  }

  /// Whether its rule can name instants and leave them out.
  var mayOmit: Bool { flags[.mayOmit] }
  /// Whether the next entry depends on the end of the last run.
  var isClosedLoop: Bool { flags[.isClosedLoop] }
  /// Whether its entries fall due at their nominal instants.
  var isExact: Bool { flags[.isExact] }
  /// Whether it fires so often that its entries are counted and not claimed.
  var isCounted: Bool { flags[.isCounted] }
  /// Whether an entry that is late is run all the same, however late it is.
  var takesAnyLateness: Bool { flags[.takesAnyLateness] }
  /// Timeout of an attempt; `nil` for none.
  var timeout: ElapsedTime? { flags[.hasTimeout] ? definition.policies.timeout : nil }
  /// Whether a run is expected to take any time.
  var isExpectedToLast: Bool { flags[.isExpectedToLast] }
  /// Whether another run may be started before the overlap policy is asked.
  var hasRoom: Bool { runCount < Int32(capacity) }
}

// What only some jobs have.
extension JobState {
  /// Due entries whose claim has not been answered, oldest first.
  var unclaimed: [DueEntry] {
    get { extra.isEmpty ? [] : extra[0].unclaimed }
    set { if !extra.isEmpty || !newValue.isEmpty { modifyExtra { $0.unclaimed = newValue } } }
    _modify {
      makeExtra()
      yield &extra[0].unclaimed
    }
  }
  /// Due entries that wait for room in this job or its groups, oldest first.
  var buffered: [DueEntry] {
    get { extra.isEmpty ? [] : extra[0].buffered }
    set { if !extra.isEmpty || !newValue.isEmpty { modifyExtra { $0.buffered = newValue } } }
    _modify {
      makeExtra()
      yield &extra[0].buffered
    }
  }
  /// Due entries that a pause keeps from running, oldest first.
  var held: [DueEntry] {
    get { extra.isEmpty ? [] : extra[0].held }
    set { if !extra.isEmpty || !newValue.isEmpty { modifyExtra { $0.held = newValue } } }
    _modify {
      makeExtra()
      yield &extra[0].held
    }
  }
  /// Due entries that have neither a run nor a disposition.
  var waitingEntries: Int {
    extra.isEmpty ? 0 : extra[0].unclaimed.count + extra[0].buffered.count + extra[0].held.count
  }
  /// Whether an entry waits for room.
  var isBuffering: Bool { !extra.isEmpty && !extra[0].buffered.isEmpty }

  /// The places of its groups in ``EngineState/groups``; those without a limit are left out.
  var groups: [Int] {
    get { extra.isEmpty ? [] : extra[0].groups }
    set { if !extra.isEmpty || !newValue.isEmpty { modifyExtra { $0.groups = newValue } } }
  }
  /// Whether it is in a group that has a limit.
  var hasGroups: Bool { !extra.isEmpty && !extra[0].groups.isEmpty }
  /// Pause of the job; `nil` when it is not paused.
  var pause: Pause? {
    get { extra.isEmpty ? nil : extra[0].pause }
    set { if !extra.isEmpty || newValue != nil { modifyExtra { $0.pause = newValue } } }
  }
  /// The nominal instant of the last entry of its own, such as a manual trigger, so that the next one gets another.
  var lastTrigger: WallInstant? {
    get { extra.isEmpty ? nil : extra[0].lastTrigger }
    set {
      guard !extra.isEmpty || newValue != nil else { return }
      modifyExtra { extra in
        extra.lastTrigger = newValue
        if let newValue { extra.noteOwn(newValue) }
      }
    }
  }
  /// Notes that an earlier daemon has had an entry of the job's own at `nominal`, which no other is to have.
  mutating func noteTaken(_ nominal: WallInstant) { lastTrigger = max(lastTrigger ?? .min, nominal) }
  /// The time ahead of the clock, ascending, in which entries have been decided.
  var decidedAhead: [ClosedRange<WallInstant>] {
    get { extra.isEmpty ? [] : extra[0].decidedAhead }
    set {
      if !extra.isEmpty || !newValue.isEmpty { modifyExtra { $0.decidedAhead = newValue } }
      flags[.hasDecidedAhead] = !newValue.isEmpty
    }
  }
  /// The last entry that was decided before the clock was set back, while there are entries before it that are decided anew.
  var repeatedThrough: WallInstant {
    get { extra.isEmpty ? .min : extra[0].repeatedThrough }
    set {
      if !extra.isEmpty || newValue != .min { modifyExtra { $0.repeatedThrough = newValue } }
      flags[.decidesAnew] = newValue != .min
    }
  }
  /// Whether the job decides entries anew, which it had decided before the clock was set back.
  var decidesAnew: Bool { flags[.decidesAnew] }
  /// Whether entries have been decided ahead of the clock.
  var hasDecidedAhead: Bool { flags[.hasDecidedAhead] }
  /// The last entry that was settled while others waited, of a job whose entries are counted: a later daemon comes only to what is
  /// after it.
  var settledWhileWaiting: WallInstant {
    get { extra.isEmpty ? .min : extra[0].settledWhileWaiting }
    set { modifyExtra { $0.settledWhileWaiting = newValue } }
  }
  /// A closed loop's next start is not earlier than this.
  var earliestStart: WallInstant {
    get { extra.isEmpty ? .min : extra[0].earliestStart }
    set { modifyExtra { $0.earliestStart = newValue } }
  }

  /// Notes that the clock was set, so that the job may come to instants once more at which it has had entries of its own.
  mutating func noteStep() {
    guard !extra.isEmpty else { return }
    modifyExtra { $0.steps = ($0.steps + 1) % 1_000 }
  }

  /// Returns `instant`, or an instant at most 2 µs later if the clock was set and the job may have had an entry of its own
  /// at `instant`. Entries of its own between two clock steps share the nanoseconds within their microsecond, so that they
  /// meet earlier ones only by chance.
  func besideFormerEntries(of instant: WallInstant) -> WallInstant {
    guard !extra.isEmpty, extra[0].steps > 0, extra[0].ownFrom <= instant, instant <= extra[0].ownThrough
    else { return instant }
    func beyondMicrosecond(_ instant: WallInstant) -> Int64 {
      instant.nanosecondsSinceEpoch - instant.nanosecondsSinceEpoch.flooredQuotient(by: 1_000) * 1_000
    }
    let wanted = (beyondMicrosecond(extra[0].ownThrough) + extra[0].steps) % 1_000
    return instant + .nanoseconds(1_000 - beyondMicrosecond(instant) + wanted)
  }

  private mutating func makeExtra() {
    if extra.isEmpty { extra = [JobExtra()] }
  }

  private mutating func modifyExtra(_ body: (inout JobExtra) -> Void) {
    makeExtra()
    body(&extra[0])
  }
}
