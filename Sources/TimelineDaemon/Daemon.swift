import TimelineConfiguration
import TimelineCore
import TimelineEngine
import TimelineLedger
import TimelineLoading
import TimelinePlugins
import TimelineSystem
import TimelineSystemd

/// The shell around the engine: one loop on one thread that turns what happens into events and performs the effects.
///
/// Everything enters through ``post(_:)``. An effect that has an answer at once, such as a claim, posts it, and it is taken
/// in before anything else happens; so there is one order of events, and it is the order of the inbox.
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
  private(set) var engine: EngineState
  private(set) var jobs = JobTable()
  private(set) var settings: DaemonSettings
  private(set) var runs: [RunID: ActiveRun] = [:]
  var isDraining = false
  /// What is asked for by hand goes through here, so that one reload is done at a time.
  private(set) lazy var reloader = Reloader(daemon: self)
  private(set) lazy var zones = ZoneKeeper(daemon: self)
  /// The configuration in force.
  private(set) var loaded: LoadedConfiguration

  private let clock: DaemonClock
  let book: LedgerBook
  /// Where whoever watches hears of what happens.
  let news = NewsDesk()
  private var inbox: [EngineEvent] = []
  private var isPerforming = false
  private var effects: [EngineEffect] = []
  private var cursors: [RunID: [UInt8]] = [:]
  private var observers: [RunID: [(RunNews) -> Void]] = [:]
  private var triggered: Triggered?
  private var armedAt: WallInstant?
  private var statusDelay: Delay?
  /// A message that once could not be sent is no reason to fall silent; that nobody listens is.
  private let hasServiceManager = CurrentProcess.environment["NOTIFY_SOCKET"] != nil

  init(_ parts: DaemonParts, loaded: LoadedConfiguration) throws(DaemonFailure) {
    options = parts.options
    loop = parts.loop
    announcer = parts.announcer
    hosts = parts.hosts
    clock = parts.clock
    book = parts.book
    settings = loaded.configuration.daemon
    startedAt = parts.clock.begin()
    let startOfMachine = parts.book.startOfMachine(at: startedAt)
    var (loader, loaded) = (parts.loader, loaded)
    loader.startOfMachine = startOfMachine
    loaded.configuration.resolve(startOfMachine: startOfMachine)
    self.loader = loader
    self.loaded = loaded
    let memory = try book.open(loaded, at: startedAt)
    decidedAtStart = memory.lastSettled
    let inheritance = hosts.adopt(parts.inherited, open: memory.open)
    let open = inheritance.marking(memory.open)
    engine = EngineState(
      jobs: loaded.configuration.definitions, groups: loaded.configuration.groups, startedAt: startedAt,
      remembered: memory.lastSettled, open: open, paused: memory.paused, failing: memory.failing,
      lastRun: memory.lastRun, seed: Machine.seed, claims: .ask)
    for run in open where run.isAlive { runs[run.run] = ActiveRun(Attempt(inheriting: run)) }
    adopt(loaded)
    for complaint in inheritance.complaints { announcer.announce(.warning, complaint) }
  }

  /// What the engine keeps.
  var definitions: [JobDefinition] { jobs.definitions }

  /// What the daemon's clock shows.
  var now: WallInstant { clock.now }
}

// The one loop of events and effects.
extension Daemon {
  /// Hands an event to the engine and performs what follows from it, now or, from within an effect, right after it.
  func post(_ event: EngineEvent) {
    inbox.append(event)
    guard !isPerforming else { return }
    isPerforming = true
    defer { isPerforming = false }
    while !inbox.isEmpty {
      let event = inbox.removeFirst()
      effects.removeAll(keepingCapacity: true)
      engine.handle(event, at: clock.now, into: &effects)
      book.noteStarts(in: effects)
      for effect in effects { perform(effect) }
    }
    loop.atEndOfTurn { [weak self] in
      guard let self else { return }
      book.endTurn(nextDeadline: armedAt)
    }
    scheduleStatus()
  }

  private func perform(_ effect: EngineEffect) {
    switch effect {
    case .arm(let instant):
      armedAt = instant
      clock.arm(at: instant)
    case .claim(let keys):
      inbox.append(.claimsAnswered(book.claim(keys, at: clock.now)))
    case .withdraw(let keys):
      book.withdraw(keys)
    case .start(let attempt):
      start(attempt)
    case .askToStop(let run, let reason):
      hosts.askToStop(run, reason)
    case .kill(let run, let reason):
      hosts.kill(run, reason)
    case .settle(let record):
      settle(record)
    case .notePause(let job, let since):
      book.pause(job, since: since)
      news.tell(.paused(job, since: since))
    case .drained:
      _ = ServiceManager.status("every run has ended; closing the plugins")
      hosts.shutDown { [loop] in loop.stop() }
    }
  }

  private func start(_ attempt: Attempt) {
    runs[attempt.run] = ActiveRun(attempt, following: runs[attempt.run])
    news.tell(.started(attempt))
    if attempt.cause == .trigger { triggered = .started(attempt.run) }
    let name = attempt.entry.job
    guard let row = jobs[name], let kind = row.kind else {
      let reason = jobs[name]?.fault ?? "job \(name) was taken out of the configuration"
      inbox.append(.attemptEnded(attempt.run, AttemptOutcome(status: .failed, message: reason)))
      return
    }
    hosts.start(
      PluginRun(
        attempt: attempt, kind: kind, parameters: row.job.parameters, revision: row.job.revision,
        cursor: book.cursor(of: name), isRehearsal: options.clock.isRehearsal))
  }

  private func settle(_ settled: EntryRecord) {
    let record = settled.run.flatMap { runs[$0] }?.completing(settled) ?? settled
    book.settle(record, cursor: record.run.flatMap { cursors.removeValue(forKey: $0) })
    announce(record)
    if record.cause == .trigger { triggered = .settled(record) }
    guard let run = record.run else { return }
    runs[run] = nil
    for observer in observers.removeValue(forKey: run) ?? [] { observer(.end(record)) }
  }

  private func announce(_ record: EntryRecord) {
    let story = record.run.flatMap { runs[$0]?.attempt.story?.entry }
    let announcement = jobs.settle(record, toldOf: story, in: settings.zone)
    if let announcement { announcer.announce(announcement) }
    news.tell(.settled(record))
    if let announcement, jobs[record.entry.job]?.summary != nil {
      news.tell(.busy(record.entry.job, announcement.text))
    }
  }

  /// What the pools report.
  func take(_ event: PluginEvent) {
    switch event {
    case .started:
      break
    case .line(let line):
      if let run = line.run { book.note(output: line.message, of: run) }
      announcer.announce(Announcement(line))
      if let run = line.run { runs[run]?.output.append(line.message) }
      news.tell(.line(line))
    case .progress(let run, _, let millionths, let text):
      runs[run]?.progressMillionths = millionths
      runs[run]?.progressText = text
      if let entry = runs[run]?.attempt.entry { news.tell(.progress(run, entry, millionths, text)) }
      for observer in observers[run] ?? [] { observer(.progress(millionths, text)) }
    case .ended(let run, let end):
      cursors[run] = end.cursor
      book.end(run, end.outcome)
      post(.attemptEnded(run, end.outcome))
    case .note(let note):
      announcer.announce(note.level, note.description)
    }
  }

  /// What the clock says.
  func take(_ event: DaemonClock.Event) {
    switch event {
    case .due:
      post(.wake)
    case .stepped(let step):
      announcer.announce(
        .notice,
        "the wall clock was set or the machine resumed (\(step.approximateText)); every deadline is computed anew",
        kind: .clockStepped)
      clockMoved = clockMoved + step
      for run in runs.keys { runs[run]?.clockWasMoved(by: step) }
      news.tell(.clockStepped(by: step))
      post(.clockStepped(by: step))
    case .offsetUnreadable(let error):
      announcer.announce(.error, "\(error) (the clock stands where it stood)")
    }
  }
}

// Life and death.
extension Daemon {
  /// Arms every job.
  func begin() {
    zones.begin()
    // Before the engine looks at its deadlines: what ended in time must not be found too late.
    hosts.collect()
    post(.wake)
  }

  /// Runs a job now, under its overlap policy; must not be called from within an effect.
  func trigger(_ job: JobName) -> Triggered {
    triggered = nil
    post(.trigger(job))
    return triggered ?? .waiting
  }

  /// Tells `observer` of a run's progress and of its end.
  func observe(_ run: RunID, _ observer: @escaping (RunNews) -> Void) {
    observers[run, default: []].append(observer)
  }

  /// Takes in a new configuration; runs in flight go on.
  func adopt(_ loaded: LoadedConfiguration) {
    self.loaded = loaded
    settings = loaded.configuration.daemon
    jobs.adopt(loaded)
    announcer.level = Announcement.Level(settings.logLevel)
    announcer.zone = settings.zone
    announcer.jobWidth = jobs.nameWidth
    hosts.retain(loaded.jobsByKind)
    for warning in loaded.configuration.warnings {
      announcer.announce(.warning, warning.text().trimmingNewline)
    }
    for fault in loaded.pluginFaults { announcer.announce(.error, fault.diagnostic.text().trimmingNewline) }
  }

  /// Takes a reloaded configuration into the engine.
  func reload(_ loaded: LoadedConfiguration) {
    book.adopt(loaded, at: clock.now)
    adopt(loaded)
    zones.follow()
    post(.reload(loaded.configuration.definitions, groups: loaded.configuration.groups))
  }

  /// Files what can wait: where busy jobs stand, and entries nobody will ask for any more.
  func tidy() {
    book.tidy()
  }

  /// Files everything and lets go of the ledger; the last thing that is done.
  func finish() {
    tidy()
    book.close()
  }

  /// Proves that the engine has done all that was due, and only then tells the watchdog that we are alive.
  func proveProgress() {
    post(.wake)
    let isOverdue = armedAt.map { $0 <= clock.now - .seconds(1) } ?? false
    if !isOverdue { _ = ServiceManager.watchdog() }
  }

  /// One line for `systemctl status`.
  var statusText: String {
    var parts = [jobs.count == 1 ? "1 job" : "\(jobs.count) jobs"]
    if let entry = engine.nextEntry {
      parts.append("next \(entry.job) at \(entry.nominal.text(in: settings.zone))")
    }
    if !runs.isEmpty { parts.append("\(runs.count) running") }
    if let failure = jobs.lastFailure {
      parts.append("last failure \(failure.entry.job) at \(failure.endedAt.text(in: settings.zone))")
    }
    return parts.joined(separator: ", ")
  }

  /// Tells systemd at most once a second.
  private func scheduleStatus() {
    guard hasServiceManager, statusDelay == nil, !isDraining else { return }
    statusDelay = loop.after(.seconds(1)) { [weak self] in
      guard let self else { return }
      statusDelay = nil
      if !isDraining { _ = ServiceManager.status(statusText) }
    }
  }
}
