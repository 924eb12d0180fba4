import TimelineCluster
import TimelineConfiguration
import TimelineCore
import TimelineEngine
import TimelineLedger
import TimelineLoading
import TimelineHostPool
import TimelineSystem
import TimelineSystemd

/// Shell around the engine: one loop on one thread that passes events to the engine and performs its effects.
///
/// All events enter through ``post(_:)``. Claims are answered when they are performed, and the answer comes before any other
/// event. So there is one order of events: the order of the inbox.
final class Daemon: EventInbox {
  let options: DaemonOptions
  let loop: EventLoop
  let announcer: Announcer
  let loader: Loader
  let hosts: PluginHosts
  let startedAt: WallInstant
  private(set) var clockMoved = ElapsedTime.zero
  /// The last entry of each job in the ledger when the ledger was opened.
  let decidedAtStart: [JobName: WallInstant]
  var engine: EngineState
  let jobs: LoadedJobs
  /// Counts since the start that concern no single job.
  var tally = DaemonTally()
  /// Active runs, and the clients that observe their entries.
  let runs: RunBoard
  var isDraining = false
  /// Carries out requested reloads, one at a time.
  private(set) lazy var reloader = Reloader(daemon: self)
  private(set) lazy var zones = ZoneMonitor(daemon: self)
  private(set) lazy var cron = CronMonitor(daemon: self)
  private(set) lazy var imports = ImportMonitor(daemon: self)
  /// Whether cron was active when the daemon was started.
  private let cronAtStart: CronActivity
  let modes: ModeMonitor
  /// Membership of this node in its cluster; `nil` for a daemon without a cluster, and in a rehearsal.
  private(set) var cluster: ClusterMember?
  let clock: DaemonClock
  let service: ServiceNotifier
  let writer: LedgerWriter
  /// Sends the daemon's events to listeners.
  let subscribers: EventSubscribers
  var iteration = LoopIteration()
  /// Whether it has been logged that more deadlines need spinning than are allowed.
  var hasToldOfSpins = false
  var statusLine = StatusLine()
  /// The query to systemd about the purpose of a requested stop.
  var unitQuestion: DetachedWork<OwnSystemdUnit?>?
  /// Looks up the users of the configuration in force.
  var adoptUsers: (_ completion: @escaping () -> Void) -> Void = { $0() }
  /// The actions of operators that paused jobs, including jobs that are not configured.
  var pauseActions: [JobName: OperatorAction]

  init(_ parts: DaemonParts, _ writer: LedgerWriter, loaded: LoadedConfiguration) throws(DaemonFailure) {
    options = parts.options
    loop = parts.loop
    announcer = parts.announcer
    hosts = parts.hosts
    clock = parts.clock
    service = parts.service
    self.writer = writer
    startedAt = parts.clock.begin()
    let startOfMachine = writer.startOfMachine(at: startedAt)
    var (loader, loaded) = (parts.loader, loaded)
    loader.startOfMachine = startOfMachine
    loaded.configuration.resolve(startOfMachine: startOfMachine)
    cronAtStart = CronMonitor.activityAtStart(loaded.configuration, below: options.machineRoot)
    loaded.configuration.leaveJobsToCron(cronAtStart.isActive)
    self.loader = loader
    let memory = try writer.open(loaded, at: startedAt)
    decidedAtStart = memory.lastSettled
    jobs = LoadedJobs(loaded, lastRuns: memory.lastRuns)
    subscribers = EventSubscribers()
    runs = RunBoard(parts, jobs: jobs, writer: writer, subscribers: subscribers)
    pauseActions = memory.pauseActions
    modes = ModeMonitor(
      jobs.settings.mode, former: memory.mode, loop: loop, announcer: announcer, root: options.machineRoot,
      now: { [clock] in clock.now })
    let kept = parts.passed.map { KeptDescriptor(name: $0.name, number: $0.number) }
    let inheritance = hosts.adopt(kept.filter(\.isOfHost), open: memory.open)
    let isNode = !options.clock.isRehearsal && jobs.settings.cluster != nil
    let shared =
      isNode ? Set(loaded.configuration.jobs.lazy.filter { $0.placement.runOn == .one }.map(\.name)) : []
    let all = inheritance.marking(memory.open)
    let open = all.filter { $0.isAlive || !shared.contains($0.entry.job) }
    engine = EngineState(
      jobs: loaded.configuration.definitions.filter { !shared.contains($0.name) },
      groups: loaded.configuration.groups, startedAt: startedAt,
      watermarks: memory.lastSettled, loopStarts: writer.loopStarts(of: loaded.configuration.definitions),
      attended: memory.attended, repeated: memory.repeated, open: open,
      paused: memory.paused.filter { !shared.contains($0.key) }, failing: memory.failing,
      incidents: memory.incidents.filter { !shared.contains($0.job) }, lastRun: memory.lastRun,
      seed: Machine.seed, claims: .ask, mode: modes.current.mode,
      cadence: modes.current.cadence)
    runs.inherit(open)
    writer.attend(engine.attended)
    hosts.beforeLateCall = { [unowned self] run in recordLateCall(of: run) }
    clock.isIdle = { [unowned self] in engine.runCount == engine.backingOffCount }
    modes.changed = { [unowned self] change in take(change) }
    if memory.mode.map(modes.current.isOther) ?? (modes.current.mode != .normal) {
      writer.note(modes.current)
    }
    announce(loaded)
    for complaint in inheritance.complaints { announcer.announce(.warning, complaint) }
    try joinCluster(parts, memory, all.filter { !$0.isAlive && shared.contains($0.entry.job) })
  }

  /// Makes this node a member of its cluster, if the configuration names one; `open` are runs of the cluster's jobs.
  private func joinCluster(
    _ parts: DaemonParts, _ memory: Ledger.Memory, _ open: [OpenRun]
  ) throws(DaemonFailure) {
    guard !options.clock.isRehearsal, let configuration = settings.cluster else { return }
    let kept = KeptEpoch(parts.passed, keeper: parts.service.keeper)
    cluster = try ClusterMember(
      configuration, following: FormerLife(epoch: kept.former, store: memory.node?.store), open: open,
      ClusterMember.Surroundings(
        events: self, jobs: jobs, runs: runs, writer: writer, announcer: announcer, loop: loop,
        keptEpoch: kept),
      parts)
    if memory.hasUploads { cluster?.noteRecords() }
  }

  /// The configuration in force.
  var loaded: LoadedConfiguration { jobs.loaded }
  /// The settings in force.
  var settings: DaemonSettings { jobs.settings }

  /// Current time of the daemon's clock.
  var now: WallInstant { clock.now }

  /// The deadline that work on the loop's thread must not delay; `nil` in a rehearsal, whose clock does not measure real time.
  var realDeadline: WallInstant? { options.clock.isRehearsal ? nil : iteration.armedAt }
}

// Events of the clock.
extension Daemon {
  /// Handles an event of the clock.
  func take(_ event: DaemonClock.Event) {
    switch event {
    case .due(let ahead):
      // The end of a run must not stay unread for long, because it may make room for entries of this deadline.
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

  /// Logs a clock step, and reports it to all parts except the engine.
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

  /// Adjusts runs, the ledger's writer and the cluster to a clock step. No time has passed in the step.
  func follow(step: ElapsedTime) {
    clockMoved = clockMoved + step
    runs.clockWasMoved(by: step)
    writer.clockWasStepped()
    cluster?.wake()
  }
}

// Start, reload and end.
extension Daemon {
  /// Begins to run jobs.
  func begin() {
    zones.begin()
    cron.begin(with: cronAtStart)
    imports.follow()
    if modes.current.mode != .normal { announce(modes.current) }
    modes.begin()
    cluster?.configure()
    // Ends of inherited runs are collected before the engine checks its deadlines, because runs that ended in time must not
    // count as late.
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

  /// Largest number of warnings of a configuration that are logged. More would hide the errors among them, and the journal drops
  /// all lines after 10,000 in half a minute.
  private static let warningsMax = 100

  /// Applies the settings of the log and of the plugin hosts, and logs the warnings of a new configuration.
  private func announce(_ loaded: LoadedConfiguration) {
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

  /// Puts a reloaded configuration in force; `changes` lists the changed jobs, if they are known.
  func reload(_ loaded: LoadedConfiguration, _ changes: ReloadChanges? = nil) {
    var loaded = loaded
    loaded.configuration.leaveJobsToCron(cron.activity.isActive)
    writer.adopt(loaded, changes, at: clock.now)
    jobs.adopt(loaded)
    announce(loaded)
    zones.follow()
    cron.follow()
    imports.follow()
    modes.adopt(settings.mode)
    cluster?.configure()
    post(.reload(cluster?.definitions ?? jobs.definitions, groups: loaded.configuration.groups))
  }

  /// Removes old records and saves the watermarks of busy jobs, in portions.
  func tidy() {
    writer.tidy()
  }

  /// Writes all pending changes and closes the ledger; the last call on the daemon.
  func finish() {
    tidy()
    // Includes the catch-up of jobs without rows, which is recorded nowhere else after the start log is cleared.
    writer.attend(engine.attended)
    writer.endIteration(nextDeadline: nil, attendedThrough: engine.attendedThrough)
    cluster?.end()
    writer.close()
  }
}
