import TimelineCore
import TimelineEngine

/// Watches an engine's events and effects, and says what must never be.
///
/// It knows the rules and nothing of how the engine keeps them: it sees the stream alone, and asks the schedules. It
/// outlives the engines that it watches, as a world outlives its daemons: what ran has run, and what was settled
/// counts when it was committed.
struct Invariants {
  /// Violations, in words.
  var violations: [String] = []

  struct InFlight {
    var entry: EntryKey
    var attempts = 1
    var isAwaited = true
    /// Whether an attempt of it has written something.
    var hasOutput = false
    /// Number of its attempts that have called their plugin, and whether the latest waits for that.
    var begunCount = 1
    var waitsForHost = false
    /// Whether its job was handed over while its attempt waited for a plugin host.
    var isLeft = false
    /// Whether the present event takes it over: what falls due at the same instant may start before that.
    var isBeingTaken = false
    var wasAsked = false
    var wasKilled = false
    /// Whether the attempt had ended before it was asked, so that a further one may be asked.
    var wasAskedTooLate = false

    /// Begins a further attempt, which was not asked to stop.
    mutating func forgetLateStop() {
      if wasAskedTooLate { (wasAsked, wasKilled, wasAskedTooLate) = (false, false, false) }
    }
  }

  struct Watched {
    var definition: JobDefinition
    /// Instant from which all entries must be accounted for; `nil` when a reload made that hard to say.
    var since: WallInstant?
    var hasChanged = false
    var settled: Set<WallInstant> = []
    /// Those of them, and of what runs, that are of former definitions, or of a clock that was far ahead; one may come again, once, when the clock has been set back.
    var settledFormerly: Set<WallInstant> = []
    /// Those of them that share a record.
    var ranged: Set<WallInstant> = []
    var lastStarted: WallInstant = .min
    var isPaused = false
    /// Instant since which it is seen to wait for room.
    var waitsSince: WallInstant?
    /// Instant at which each waiting entry was first seen to wait.
    var arrivals: [WallInstant: WallInstant] = [:]
    /// Entries that had been seen to wait when the clock was set back to before them.
    var leftAhead: Set<WallInstant> = []
    /// Instant at which the first of those came whose place in the queue was taken over.
    var placeSince: WallInstant?
  }

  var jobs: [JobName: Watched] = [:]
  /// In a reload, what is being taken over: entries due at its instant can go by the old rules or by the new.
  var upcoming: [JobName: JobDefinition] = [:]
  var groups: [GroupName: Int]
  let seed: UInt64
  let claimsMatter: Bool
  var asked: Set<EntryKey> = []
  /// Entries that were asked for again before they were answered, because the clock was set back.
  var askedAgain: Set<EntryKey> = []
  /// Entries that were asked for before the clock was set, and not since.
  var askedBefore: Set<EntryKey> = []
  var granted: Set<EntryKey> = []
  var denied: Set<EntryKey> = []
  var everLost: Set<EntryKey> = []
  /// Entries whose claim could not be written, or was another's: after a crash nobody here knows of them.
  var unwritten: Set<EntryKey> = []
  /// Entries that a plugin was called for, in whatever life.
  var everStarted: Set<EntryKey> = []
  var startedInEarlierLife: Set<EntryKey> = []
  /// Outcomes that are not written yet: those that are the first of their entries, and those that came once more.
  var uncommitted: [(job: JobName, nominals: [WallInstant], again: [WallInstant])] = []
  /// Outcomes that were taken back, which is not written yet.
  var uncommittedCuts: [(job: JobName, nominals: Set<WallInstant>)] = []
  var inFlight: [RunID: InFlight] = [:]
  /// Whether a daemon has begun to leave what it does not come to any more to the next one.
  var isLeaving = false
  /// Runs whose next attempt is due at an instant that the ledger was told, and those of which it keeps that.
  var backingOff: Set<RunID> = []
  var keptBackingOff: Set<RunID> = []
  /// Entries of no schedule that the ledger was told to wait, and those of which it keeps that.
  var waitingOwn: Set<EntryKey> = []
  var keptOwn: Set<EntryKey> = []
  /// Runs that died with their daemon and are to be settled without another attempt.
  var dying: [RunID: EntryKey] = [:]
  var lastRun = RunID(number: 0)
  var armed: WallInstant?
  var previousEventAt: WallInstant = .min
  var isDraining = false
  var isDrained = false
  var wentBack = false
  /// The latest instant that the clock has shown.
  var furthestSeen: WallInstant = .min
  var crashes = 0
  /// Mode of the daemon, and when it last changed.
  var (mode, modeChangedAt) = (ScheduleMode.normal, WallInstant.min)
  var stories = Stories()
  /// Jobs that another node owns, and those of them that are being handed over.
  var elsewhere: Set<JobName> = []
  var handingOver: Set<JobName> = []
  /// Number of times that jobs were taken over.
  var takeovers = 0
  /// Fencing tokens of the claims that were granted.
  var tokens: [EntryKey: Int64] = [:]
  /// Entries of which another node was granted the claim, and that this one must not run.
  var givenUp: Set<EntryKey> = []

  init(
    jobs: [JobDefinition], groups: [GroupName: Int], seed: UInt64, startedAt: WallInstant,
    watermarks: [JobName: WallInstant], claims: ClaimRule
  ) {
    (self.groups, self.seed) = (groups, seed)
    for job in jobs {
      let since = watermarks[job.name].map { $0 + .nanoseconds(1) } ?? startedAt
      self.jobs[job.name] = Watched(definition: job, since: since)
    }
    self.claimsMatter = claims == .ask
  }

  mutating func require(_ holds: Bool, _ sentence: @autoclosure () -> String) {
    if !holds { violations.append(sentence()) }
  }
}

// What is told from outside.
extension Invariants {
  /// Notes that all that was settled so far is durable.
  mutating func committed() {
    uncommitted.removeAll(keepingCapacity: true)
    uncommittedCuts = []
    keptBackingOff = backingOff
    keptOwn.formUnion(waitingOwn)
  }

  /// Notes that another attempt of a run is about to be started.
  mutating func isAboutToStart(_ run: RunID) {
    backingOff.remove(run)
    keptBackingOff.remove(run)
  }

  /// The daemon died before it heard that the run's plugin was not called.
  mutating func neverStarted(_ run: RunID) {
    if let flight = inFlight[run], flight.begunCount == 1 { everStarted.remove(flight.entry) }
  }

  /// The daemon died and another one starts with what the ledger gave it.
  mutating func restarted(
    with open: [OpenRun], paused: [JobName: WallInstant], lastRun: RunID, configured: Set<JobName>
  ) {
    for (job, nominals, again) in uncommitted {
      jobs[job]?.settled.subtract(nominals)
      jobs[job]?.ranged.subtract(nominals)
      // As far as the ledger knows they have not come again.
      jobs[job]?.settledFormerly.formUnion(again)
    }
    for (job, nominals) in uncommittedCuts {
      jobs[job]?.settled.formUnion(nominals)
      jobs[job]?.ranged.formUnion(nominals)
    }
    (uncommitted, uncommittedCuts) = ([], [])
    crashes += 1
    startedInEarlierLife = everStarted
    inFlight = [:]
    dying = [:]
    asked = []
    (isDraining, isDrained, isLeaving) = (false, false, false)
    (elsewhere, handingOver, tokens) = ([], [], [:])
    let due = Set(open.filter { $0.retryAt != nil && !$0.isAlive }.map(\.run))
    let forgotten = keptBackingOff.subtracting(open.filter(\.isAlive).map(\.run)).subtracting(due)
    require(forgotten.isEmpty, "runs \(forgotten.sorted()) were between two attempts, and nobody knows")
    (backingOff, keptBackingOff) = (due, due)
    waitingOwn = keptOwn
    previousEventAt = .max
    self.lastRun = lastRun
    for run in open { takeOver(run, isConfigured: configured.contains(run.entry.job)) }
    for name in jobs.keys {
      jobs[name]?.lastStarted = .min
      jobs[name]?.isPaused = paused[name] != nil
      jobs[name]?.waitsSince = nil
      // Nobody knows any more which groups a job was in that had been taken out while it ran.
      if !configured.contains(name) { jobs[name]?.definition.policies.groups = [] }
      if jobs[name]?.definition.schedule.hasMoreThanOneEntryPerSecond ?? false { jobs[name]?.since = nil }
    }
  }

  /// Takes in that an earlier daemon or owner left a run or an entry open.
  mutating func takeOver(_ run: OpenRun, isConfigured: Bool) {
    // A line in the ledger is a claim, whether or not its answer was heard.
    granted.insert(run.entry)
    guard run.attempts > 0 else { return }
    let policies = jobs[run.entry.job]?.definition.policies ?? JobPolicies()
    let bound = policies.retry?.attempts ?? (run.retryAt != nil ? 0 : EngineLimits.recoveryAttemptsMax)
    let isPromised =
      isConfigured && (run.retryAt != nil || policies.delivery == .atLeastOnce)
      && (run.cause != .reaction || run.upstream != nil) && run.attempts < bound
    if run.node != nil {
      if !isPromised { givenUp.insert(run.entry) }
    } else if run.isAlive || isPromised {
      inFlight[run.run] = InFlight(
        entry: run.entry, attempts: run.attempts, isAwaited: run.isAlive, begunCount: run.attempts)
    } else {
      dying[run.run] = run.entry
    }
  }
}
