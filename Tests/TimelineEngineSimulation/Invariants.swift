import TimelineCore
import TimelineEngine

/// Checks an engine's events and effects against rules that must always hold.
///
/// It does not depend on the implementation of the engine: its input is the stream of events and effects, and the schedules.
/// It outlives the engines that it checks: it keeps all starts, and the outcomes that are committed.
struct Invariants {
  /// Violations, in words.
  var violations: [String] = []

  struct InFlight {
    var entry: EntryKey
    var attempts = 1
    var isAwaited = true
    /// Whether an attempt of it has written output.
    var hasOutput = false
    /// Number of its attempts whose plugin was called, and whether the latest attempt waits for a plugin host.
    var begunCount = 1
    var waitsForHost = false
    /// Whether its job was handed over while its attempt waited for a plugin host.
    var isLeft = false
    /// Whether the present event takes the run over. Entries due at the same instant may start before the takeover.
    var isBeingTaken = false
    var wasAsked = false
    var wasKilled = false
    /// Whether the attempt had ended before it was asked to stop, so that a further attempt may be asked to stop.
    var wasAskedTooLate = false

    /// Begins a further attempt, which was not asked to stop.
    mutating func forgetLateStop() {
      if wasAskedTooLate { (wasAsked, wasKilled, wasAskedTooLate) = (false, false, false) }
    }
  }

  struct Watched {
    var definition: JobDefinition
    /// Instant from which all entries must be accounted for; `nil` if that cannot be decided after a reload.
    var since: WallInstant?
    var hasChanged = false
    var settled: Set<WallInstant> = []
    /// Settled or active entries that a former definition or a clock that was far ahead has decided. Each may come again once
    /// after the clock has been set back.
    var settledFormerly: Set<WallInstant> = []
    /// Settled entries that share a record.
    var ranged: Set<WallInstant> = []
    var lastStarted: WallInstant = .min
    var isPaused = false
    /// Instant since which the job waits for room.
    var waitsSince: WallInstant?
    /// Instant at which each waiting entry was first seen to wait.
    var arrivals: [WallInstant: WallInstant] = [:]
    /// Entries that waited when the clock was set back to before them.
    var leftAhead: Set<WallInstant> = []
    /// Arrival of the first superseded entry, whose place in the queue the present entry has.
    var placeSince: WallInstant?
  }

  var jobs: [JobName: Watched] = [:]
  /// Definitions that a reload takes over: entries due at its instant can follow the old rules or the new ones.
  var upcoming: [JobName: JobDefinition] = [:]
  var groups: [GroupName: Int]
  let seed: UInt64
  let claimsMatter: Bool
  var asked: Set<EntryKey> = []
  /// Entries that were claimed again before the answer, because the clock was set back.
  var askedAgain: Set<EntryKey> = []
  /// Entries that were claimed before the clock was set, and not since.
  var askedBefore: Set<EntryKey> = []
  var granted: Set<EntryKey> = []
  var denied: Set<EntryKey> = []
  var everLost: Set<EntryKey> = []
  /// Entries whose claim could not be written, or was granted to another node. After a crash this node has no record of them.
  var unwritten: Set<EntryKey> = []
  /// Entries for which a plugin was called, by any daemon.
  var everStarted: Set<EntryKey> = []
  var startedInEarlierLife: Set<EntryKey> = []
  /// Outcomes that are not written yet: `nominals` are entries without an earlier outcome, `again` are entries that were
  /// decided once more.
  var uncommitted: [(job: JobName, nominals: [WallInstant], again: [WallInstant])] = []
  /// Withdrawn outcomes whose withdrawal is not written yet.
  var uncommittedCuts: [(job: JobName, nominals: Set<WallInstant>)] = []
  var inFlight: [RunID: InFlight] = [:]
  /// Whether a daemon has begun to leave open work to the next one.
  var isLeaving = false
  /// Runs whose next attempt was written to the ledger with its instant, and those for which that is committed.
  var backingOff: Set<RunID> = []
  var keptBackingOff: Set<RunID> = []
  /// Entries outside of the schedule that were written to the ledger as waiting, and those for which that is committed.
  var waitingOwn: Set<EntryKey> = []
  var keptOwn: Set<EntryKey> = []
  /// Reruns that wait or run, by their own entries.
  var reruns: [EntryKey: RerunOrigin] = [:]
  /// Instants at which runs of backfills last ended.
  var backfillEndedAt: [JobName: WallInstant] = [:]
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
  /// The origins of runs whose entries had moved, by job and nominal instant.
  var moved: [JobName: [WallInstant: [WallInstant]]] = [:]
  /// Entries of removed holidays that have moved and run, until their instants have passed.
  var awaited: Set<EntryKey> = []
  var moveCounts = MoveCounts()
  /// Entries whose claim was granted to another node, and that this one must not run.
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

// Input from the simulation.
extension Invariants {
  /// Notes that all outcomes so far are durable.
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

  /// Notes that the daemon died before it received the report that the run's plugin was not called.
  mutating func neverStarted(_ run: RunID) {
    if let flight = inFlight[run], flight.begunCount == 1 { everStarted.remove(flight.entry) }
  }

  /// Notes that the daemon died and that another one starts with the contents of the ledger.
  mutating func restarted(
    with open: [OpenRun], paused: [JobName: WallInstant], moved: [JobName: [MovedEntry]], lastRun: RunID,
    configured: Set<JobName>
  ) {
    // A start that could not be written is not known to the next daemon.
    self.moved = moved.mapValues { entries in
      Dictionary(uniqueKeysWithValues: entries.map { ($0.nominal, $0.origins) })
    }
    for (job, nominals, again) in uncommitted {
      jobs[job]?.settled.subtract(nominals)
      jobs[job]?.ranged.subtract(nominals)
      // The ledger has no second outcome of these entries.
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
    reruns = [:]
    for run in open { reruns[run.entry] = run.rerun }
    previousEventAt = .max
    self.lastRun = lastRun
    for run in open { takeOver(run, isConfigured: configured.contains(run.entry.job)) }
    for name in jobs.keys {
      jobs[name]?.lastStarted = .min
      jobs[name]?.isPaused = paused[name] != nil
      jobs[name]?.waitsSince = nil
      // The groups of a job that was removed while it ran are not recorded.
      if !configured.contains(name) { jobs[name]?.definition.policies.groups = [] }
      if jobs[name]?.definition.schedule.hasMoreThanOneEntryPerSecond ?? false { jobs[name]?.since = nil }
    }
  }

  /// Records that an earlier daemon or owner left a run or an entry open.
  mutating func takeOver(_ run: OpenRun, isConfigured: Bool) {
    // A line in the ledger is a claim, whether or not its answer has arrived.
    granted.insert(run.entry)
    guard run.attempts > 0 else { return }
    let policies = jobs[run.entry.job]?.definition.policies ?? JobPolicies()
    let bound = policies.retry?.attempts ?? (run.retryAt != nil ? 0 : EngineLimits.recoveryAttemptsMax)
    let isPromised =
      isConfigured && (run.retryAt != nil || policies.delivery == .atLeastOnce)
      && (run.cause != .reaction || run.upstream != nil) && (!run.cause.repeatsEntry || run.rerun != nil)
      && run.attempts < bound
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
