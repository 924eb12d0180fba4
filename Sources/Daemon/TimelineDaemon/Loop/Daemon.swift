import TimelineConfiguration
import TimelineCore
import TimelineEngine
import TimelineHostPool
import TimelineLedger
import TimelineLoading
import TimelineSystem

/// The daemon: makes the owners of its facts, connects them, and puts configurations in force.
final class Daemon {
  let startedAt: WallInstant
  let jobs: LoadedJobs
  let runs: RunBoard
  let engine: EngineLoop
  /// Membership of this node in its cluster; `nil` for a daemon without a cluster, and in a rehearsal.
  let cluster: ClusterMember?
  let subscribers: EventSubscribers
  private let modes: ModeMonitor
  private let cron: CronMonitor
  private let cronAtStart: CronActivity
  private let pauses: PauseActions
  private let writer: LedgerWriter
  /// The last entry of each job in the ledger when the ledger was opened.
  private let decidedAtStart: [JobName: WallInstant]
  private let parts: DaemonParts
  private lazy var zones = ZoneMonitor(parts, jobs: jobs) { [unowned self] in reload($0) }
  private lazy var imports = ImportMonitor(parts, jobs: jobs)
  private(set) lazy var reloader = Reloader(
    parts, jobs: jobs, engine: engine, writer: writer, subscribers: subscribers, cron: cron,
    imports: imports
  ) { [unowned self] in reload($0, $1) }
  private(set) lazy var stopping = Stopping(
    of: engine, jobs: jobs, cluster: cluster, subscribers: subscribers, parts
  ) { [unowned self] in endMonitors() }
  private(set) lazy var answers = Answers(
    startedAt: startedAt, decidedAtStart: decidedAtStart, engine: engine, jobs: jobs, runs: runs,
    cluster: cluster, writer: writer, pauses: pauses, modes: modes, cron: cron, zones: zones,
    imports: imports, reloader: reloader, stopping: stopping, parts)
  private(set) lazy var operators = Operators(
    parts, answers: answers, engine: engine, runs: runs, cluster: cluster, writer: writer, pauses: pauses,
    modes: modes, subscribers: subscribers)
  private(set) lazy var backfills = Backfills(
    parts, answers: answers, engine: engine, jobs: jobs, runs: runs, stopping: stopping, writer: writer,
    subscribers: subscribers)
  private(set) lazy var rehearsal = RehearsalClock(
    parts, answers: answers, engine: engine, jobs: jobs, writer: writer, subscribers: subscribers)

  init(_ parts: DaemonParts, _ writer: LedgerWriter, loaded: LoadedConfiguration) throws(DaemonFailure) {
    startedAt = parts.clock.begin()
    var (parts, loaded) = (parts, loaded)
    let startOfMachine = writer.startOfMachine(at: startedAt)
    parts.loader.startOfMachine = startOfMachine
    loaded.configuration.resolve(startOfMachine: startOfMachine)
    cronAtStart = CronMonitor.activityAtStart(loaded.configuration, below: parts.options.machineRoot)
    loaded.configuration.leaveJobsToCron(cronAtStart.isActive)
    let memory = try writer.open(loaded, at: startedAt)
    jobs = LoadedJobs(loaded, lastRuns: memory.lastRuns)
    modes = ModeMonitor(
      jobs.settings.mode, former: memory.mode, loop: parts.loop, announcer: parts.announcer,
      root: parts.options.machineRoot, now: { [clock = parts.clock] in clock.now })
    let former = FormerWork(memory, of: loaded.configuration, parts)
    let state = former.engine(
      of: loaded.configuration, startedAt: startedAt,
      loopStarts: writer.loopStarts(of: loaded.configuration.definitions), mode: modes.current)
    subscribers = EventSubscribers()
    runs = RunBoard(parts, jobs: jobs, writer: writer, subscribers: subscribers)
    runs.inherit(former.open)
    pauses = PauseActions(memory.pauseActions)
    cron = CronMonitor(parts, jobs: jobs)
    engine = EngineLoop(
      state, parts, writer: writer, jobs: jobs, runs: runs, pauses: pauses, cron: cron, modes: modes,
      subscribers: subscribers)
    writer.attend(state.attended)
    if memory.mode.map(modes.current.isOther) ?? (modes.current.mode != .normal) {
      writer.note(modes.current)
    }
    Self.announce(jobs, parts)
    for complaint in former.complaints { parts.announcer.announce(.warning, complaint) }
    cluster = try ClusterMember(
      of: jobs, following: former, runs: runs, writer: writer, events: engine, parts)
    decidedAtStart = memory.lastSettled
    (self.parts, self.writer) = (parts, writer)
    modes.whenChanged { [unowned self] change in take(change) }
    if let cluster { engine.join(cluster) }
    if memory.hasUploads { cluster?.noteRecords() }
  }

  /// Applies the settings of the log and of the plugin hosts, and logs the warnings of a new configuration.
  private static func announce(_ jobs: LoadedJobs, _ parts: DaemonParts) {
    parts.announcer.level = Announcement.Level(jobs.settings.logLevel)
    parts.announcer.zone = jobs.settings.zone
    parts.announcer.jobWidth = jobs.nameWidth
    parts.hosts.retain(jobs.retained)
    AdoptionNotices(parts).announce(jobs.loaded)
  }
}

// Start, reload and end.
extension Daemon {
  /// Begins to run jobs.
  func begin() {
    zones.begin()
    cron.begin(
      with: cronAtStart, reload: { [unowned self] in reload(jobs.loaded) },
      reloadCrontabs: { [unowned self] in reloader.reload(onlyCrontabs: true) { _ in } })
    imports.follow()
    if modes.current.mode != .normal { announce(modes.current) }
    modes.begin()
    cluster?.configure()
    // Ends of inherited runs are collected before the engine checks its deadlines, because runs that ended in time must not
    // count as late.
    parts.hosts.collect()
    backfills.begin()
    engine.post(.wake)
    engine.tellOfClockWaits()
  }

  /// Puts a configuration in force; `changes` lists the changed jobs, if they are known. Active runs go on.
  private func reload(_ loaded: LoadedConfiguration, _ changes: ReloadChanges? = nil) {
    var loaded = loaded
    loaded.configuration.leaveJobsToCron(cron.activity.isActive)
    writer.adopt(loaded, changes, at: parts.clock.now)
    jobs.adopt(loaded)
    Self.announce(jobs, parts)
    zones.follow()
    cron.follow()
    imports.follow()
    modes.adopt(jobs.settings.mode)
    cluster?.configure()
    engine.post(
      .reload(cluster?.definitions ?? jobs.definitions, groups: jobs.loaded.configuration.groups))
  }

  /// Applies a change of the mode: passes it to the ledger, the log, clients, the engine and active runs.
  private func take(_ change: ModeChange) {
    writer.note(change)
    announce(change)
    subscribers.tell(.modeChanged(change))
    engine.post(.cadence(change.cadence))
    engine.post(.mode(change.mode))
    parts.hosts.tell(CurrentMode(change.mode, change.cadence))
  }

  /// Logs the mode and its cause.
  private func announce(_ change: ModeChange) {
    parts.announcer.announce(.notice, "mode \(change)", kind: .modeChanged)
  }

  private func endMonitors() {
    modes.end()
    zones.end()
    cron.end()
    imports.end()
  }

  /// Removes old records and saves the watermarks of busy jobs, in portions.
  func tidy() { writer.tidy() }

  /// Writes all pending changes and closes the ledger; the last call on the daemon.
  func finish() {
    tidy()
    // Includes the catch-up of jobs without rows, which is recorded nowhere else after the start log is cleared.
    let state = engine.state
    writer.attend(state.attended)
    writer.endIteration(nextDeadline: nil, attendedThrough: state.attendedThrough)
    cluster?.end()
    writer.close()
  }
}

// Parts that the control service shares.
extension Daemon {
  var loop: EventLoop { parts.loop }
  var announcer: Announcer { parts.announcer }
  var options: DaemonOptions { parts.options }
  var hosts: PluginHosts { parts.hosts }
  var service: ServiceNotifier { parts.service }
  var ledger: Ledger { writer.ledger }
  var now: WallInstant { parts.clock.now }
}
