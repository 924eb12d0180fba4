import TimelineCluster
import TimelineConfiguration
import TimelineCore
import TimelineEngine
import TimelineLedger
import TimelineLoading
import TimelineHostPool
import TimelineSystem
import TimelineSystemd

/// The shell around the engine: one loop on one thread that turns what happens into events and performs the effects.
///
/// Everything enters through ``post(_:)``. Claims are answered when they are performed, and the answer comes before any other event;
/// so there is one order of events, and it is the order of the inbox.
final class Daemon {
  let options: DaemonOptions
  let loop: EventLoop
  let announcer: Announcer
  let loader: Loader
  let hosts: PluginHosts
  let startedAt: WallInstant
  private(set) var clockMoved = ElapsedTime.zero
  /// The last entry of each job that the ledger had when it was opened.
  let decidedAtStart: [JobName: WallInstant]
  var engine: EngineState
  var jobs: LoadedJobs
  /// Counts since the start of what is of no single job.
  var tally = DaemonTally()
  private(set) var settings: DaemonSettings
  /// Those it was started with, some of which no reload changes.
  let settingsAtStart: DaemonSettings
  var runs: [RunID: ActiveRun] = [:]
  var isDraining = false
  /// Carries out requested reloads, one at a time.
  private(set) lazy var reloader = Reloader(daemon: self)
  private(set) lazy var zones = ZoneKeeper(daemon: self)
  private(set) lazy var cron = CronKeeper(daemon: self)
  private(set) lazy var imports = ImportKeeper(daemon: self)
  /// Whether cron was active when the daemon was started.
  private let cronAtStart: CronActivity
  let modes: ModeKeeper
  /// Keeps this node's part in its cluster; `nil` for a daemon by itself, and in a rehearsal.
  private(set) var cluster: ClusterKeeper?
  /// Keeps this node's epoch for the next daemon of the service.
  private(set) var keptEpoch: KeptEpoch?
  /// Runs of the cluster's jobs that an earlier daemon left open, until this node owns the jobs.
  var openAtStart: [JobName: [OpenRun]] = [:]
  /// Runs whose plugins were not called because the node's lease had ended.
  var withheldRuns: Set<RunID> = []
  /// Timer for the next look at records that the cluster's store is to be told.
  var recordsDelay: Delay?
  /// Incidents of the cluster's jobs that the store does not have.
  var unsentIncidents = UnsentIncidents()
  /// The configuration in force.
  private(set) var loaded: LoadedConfiguration
  /// The number of configurations that have been in force.
  private(set) var adoptionCount = 0

  let clock: DaemonClock
  let service: ServiceNotifier
  let writer: LedgerWriter
  /// Sends the daemon's events to listeners.
  let subscribers = EventSubscribers()
  var iteration = LoopIteration()
  /// Whether it has been reported that more is to be spun for than may be.
  var hasToldOfSpins = false
  var cursors: [RunID: [UInt8]] = [:]
  /// Clients that wait for the outcome of an entry.
  var observers = EntryObservers()
  var statusLine = StatusLine()
  /// The question to systemd what the stop that was asked for is for.
  var unitQuestion: DetachedWork<OwnSystemdUnit?>?
  /// Has the users of the configuration in force looked up.
  var adoptUsers: (_ completion: @escaping () -> Void) -> Void = { $0() }
  /// The actions that pause jobs, where an operator did; those of jobs that are not configured included.
  var pauseActions: [JobName: OperatorAction]

  init(_ parts: DaemonParts, _ writer: LedgerWriter, loaded: LoadedConfiguration) throws(DaemonFailure) {
    options = parts.options
    loop = parts.loop
    announcer = parts.announcer
    hosts = parts.hosts
    clock = parts.clock
    service = parts.service
    self.writer = writer
    settings = loaded.configuration.daemon
    settingsAtStart = settings
    startedAt = parts.clock.begin()
    let startOfMachine = writer.startOfMachine(at: startedAt)
    var (loader, loaded) = (parts.loader, loaded)
    loader.startOfMachine = startOfMachine
    loaded.configuration.resolve(startOfMachine: startOfMachine)
    cronAtStart = CronKeeper.activityAtStart(loaded.configuration, below: options.machineRoot)
    loaded.configuration.leaveJobsToCron(cronAtStart.isActive)
    self.loader = loader
    self.loaded = loaded
    let memory = try writer.open(loaded, at: startedAt)
    decidedAtStart = memory.lastSettled
    jobs = LoadedJobs(lastRuns: memory.lastRuns)
    pauseActions = memory.pauseActions
    modes = ModeKeeper(
      settings.mode, former: memory.mode, loop: loop, announcer: announcer, root: options.machineRoot,
      now: { [clock] in clock.now })
    let kept = parts.passed.map { KeptDescriptor(name: $0.name, number: $0.number) }
    let inheritance = hosts.adopt(kept.filter(\.isOfHost), open: memory.open)
    let shared = parts.options.clock.isRehearsal ? [] : Self.clusterJobs(of: loaded.configuration)
    let all = inheritance.marking(memory.open)
    let open = all.filter { $0.isAlive || !shared.contains($0.entry.job) }
    openAtStart = Dictionary(
      grouping: all.filter { !$0.isAlive && shared.contains($0.entry.job) }, by: \.entry.job)
    engine = EngineState(
      jobs: loaded.configuration.definitions.filter { !shared.contains($0.name) },
      groups: loaded.configuration.groups, startedAt: startedAt,
      watermarks: memory.lastSettled, loopStarts: writer.loopStarts(of: loaded.configuration.definitions),
      attended: memory.attended, repeated: memory.repeated, open: open,
      paused: memory.paused.filter { !shared.contains($0.key) }, failing: memory.failing,
      incidents: memory.incidents.filter { !shared.contains($0.job) }, lastRun: memory.lastRun,
      seed: Machine.seed, claims: .ask, mode: modes.current.mode,
      cadence: modes.current.cadence)
    for run in open where run.isAlive || run.retryAt != nil {
      runs[run.run] = ActiveRun(Attempt(inheriting: run))
    }
    writer.attend(engine.attended)
    hosts.beforeLateCall = { [unowned self] run in recordLateCall(of: run) }
    clock.isIdle = { [unowned self] in engine.runCount == engine.backingOffCount }
    modes.changed = { [unowned self] change in take(change) }
    if memory.mode.map(modes.current.isOther) ?? (modes.current.mode != .normal) {
      writer.note(modes.current)
    }
    adopt(loaded)
    for complaint in inheritance.complaints { announcer.announce(.warning, complaint) }
    try joinCluster(parts, memory)
  }

  /// Makes this node a part of its cluster, if the configuration names one.
  private func joinCluster(_ parts: DaemonParts, _ memory: Ledger.Memory) throws(DaemonFailure) {
    guard !options.clock.isRehearsal, let configuration = settings.cluster else { return }
    let kept = KeptEpoch(parts.passed, keeper: parts.service.keeper)
    keptEpoch = kept
    cluster = try ClusterKeeper(
      configuration, following: FormerLife(epoch: kept.former, store: memory.node?.store), shell: self,
      parts: parts, wall: { [clock] in clock.now })
    if memory.hasUploads { cluster?.noteRecords() }
  }

  /// The jobs of a configuration that one node of its cluster is to run.
  private static func clusterJobs(of configuration: Configuration) -> Set<JobName> {
    guard configuration.daemon.cluster != nil else { return [] }
    return Set(configuration.jobs.lazy.filter { $0.placement.runOn == .one }.map(\.name))
  }

  /// Job definitions for the engine, in the order of the configuration: of the cluster's jobs those that this node owns.
  var definitions: [JobDefinition] {
    guard let running = cluster?.running else { return jobs.definitions }
    return jobs.all.lazy.filter { $0.placement.runOn == .every || running.contains($0.name) }.map(
      \.definition)
  }

  /// Current time of the daemon's clock.
  var now: WallInstant { clock.now }

  /// The deadline that work on the loop's thread must not delay; `nil` in a rehearsal, whose time is no measure of real time.
  var realDeadline: WallInstant? { options.clock.isRehearsal ? nil : iteration.armedAt }
}

// Events of the clock.
extension Daemon {
  /// Handles an event of the clock.
  func take(_ event: DaemonClock.Event) {
    switch event {
    case .due(let ahead):
      // The end of a run is not to be left unread for long before a deadline whose entries it may make way for.
      if let ahead, !runs.isEmpty, ahead - clock.now > WakeLead.lead { return clock.arm(at: ahead) }
      iteration.ahead = ahead.map { LoopIteration.DeadlineAhead(deadline: $0) }
      post(.wake)
    case .stepped(let step):
      note(step: step)
      post(.clockStepped(by: step))
      if step < .zero { tellOfClockWaits() }
    case .offsetUnreadable(let error):
      announcer.announce(.error, "\(error) (the clock stands where it stood)")
    }
  }

  /// Tells everybody but the engine that the clock was set.
  func note(step: ElapsedTime) {
    let text =
      step == .zero
      ? "the system clock was set, or the machine resumed; the clock of the rehearsal goes on"
      : "the system clock moved by \(step.signedApproximateText) (clock set, or resume from suspend); deadlines recalculated"
    tally.clockSteps += 1
    announcer.announce(.notice, text, kind: .clockStepped)
    follow(step: step)
    subscribers.tell(.clockStepped(by: step))
  }

  /// Takes in that the clock was moved by `step`, and time has not passed.
  func follow(step: ElapsedTime) {
    clockMoved = clockMoved + step
    for run in runs.keys { runs[run]?.clockWasMoved(by: step) }
    writer.clockWasStepped()
    cluster?.wake()
  }
}

// Life and death.
extension Daemon {
  /// Arms every job.
  func begin() {
    zones.begin()
    cron.begin(with: cronAtStart)
    imports.follow()
    if modes.current.mode != .normal { announce(modes.current) }
    modes.begin()
    cluster?.configure(clusterJobs)
    // Before the engine looks at its deadlines: what ended in time must not be found too late.
    hosts.collect()
    post(.wake)
    tellOfClockWaits()
  }

  /// Runs a job now, under its overlap policy; must not be called from within an effect.
  func trigger(_ job: JobName) -> Triggered {
    iteration.trigger = nil
    post(.trigger(job))
    guard let trigger = iteration.trigger.take() else {
      preconditionFailure("a job that is in the table is in the engine")
    }
    return trigger.outcome ?? .waiting(trigger.entry)
  }

  /// Tells who observes an entry.
  func tellObservers(of entry: EntryKey, _ event: EntryEvent) {
    guard !observers.isEmpty else { return }
    for tell in observers.told(of: entry, isLast: event.isLast) { tell(event) }
    if event.isLast { lendPlaces() }
  }

  /// The warnings of a configuration that are announced: more hide the errors among them, and the journal drops what comes after ten
  /// thousand lines in half a minute, whatever it says.
  private static let warningsMax = 100

  /// Takes in a new configuration; active runs go on.
  func adopt(_ loaded: LoadedConfiguration) {
    self.loaded = loaded
    adoptionCount += 1
    settings = loaded.configuration.daemon
    jobs.adopt(loaded)
    announcer.level = Announcement.Level(settings.logLevel)
    announcer.zone = settings.zone
    announcer.jobWidth = jobs.nameWidth
    hosts.retain(jobs.retained)
    let warnings = loaded.configuration.warnings
    for warning in warnings.prefix(Self.warningsMax) {
      announcer.announce(.warning, warning.redacted.text(withSeverity: false).trimmingNewline)
    }
    if warnings.count > Self.warningsMax {
      let rest = warnings.count - Self.warningsMax
      announcer.announce(
        .warning, "\(rest) more warnings about the configuration; `timelinectl check` shows all of them")
    }
    announceFaults(of: loaded)
    if let note = noteOnRunLimits(of: loaded) { announcer.announce(.warning, note) }
  }

  /// Takes a reloaded configuration into the engine; `changes` says what is new about it, if that is known.
  func reload(_ loaded: LoadedConfiguration, _ changes: ReloadChanges? = nil) {
    var loaded = loaded
    loaded.configuration.leaveJobsToCron(cron.activity.isActive)
    writer.adopt(loaded, changes, at: clock.now)
    adopt(loaded)
    zones.follow()
    cron.follow()
    imports.follow()
    modes.adopt(settings.mode)
    cluster?.configure(clusterJobs)
    post(.reload(definitions, groups: loaded.configuration.groups))
  }

  /// Removes old records and saves the watermarks of busy jobs, in portions.
  func tidy() {
    writer.tidy()
  }

  /// Files everything and lets go of the ledger; the last thing that is done.
  func finish() {
    tidy()
    // Includes the catch-up of jobs without rows, which nothing else keeps once the start log is cleared.
    writer.attend(engine.attended)
    writer.endIteration(nextDeadline: nil, attendedThrough: engine.attendedThrough)
    cluster?.end()
    writer.close()
  }
}
