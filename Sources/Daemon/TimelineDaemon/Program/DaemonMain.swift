import TimelineClocks
import TimelineConfiguration
import TimelineCore
import TimelineEngine
import TimelineLedger
import TimelineLoading
import TimelineHostPool
import TimelineSystem
import TimelineSystemd

/// Parts of a daemon, made before the daemon.
struct DaemonParts {
  let options: DaemonOptions
  let loop: EventLoop
  let announcer: Announcer
  var loader: Loader
  let hosts: PluginHosts
  let clock: DaemonClock
  let service: ServiceNotifier
  /// Processes that the daemon starts itself, other than plugin hosts.
  let children: OwnChildren
  /// Descriptors that systemd passed, including those that an earlier daemon left in systemd's descriptor store.
  let passed: [PassedDescriptor]
}

/// Entry point of the daemon.
package enum DaemonMain {
  /// Runs the daemon on this thread until it is stopped; returns the process's exit status.
  package static func run(_ options: DaemonOptions) -> DaemonExit {
    CurrentProcess.ignoreBrokenPipes()
    CurrentProcess.setTimerSlack(nanoseconds: 1)
    // The daemon runs for some 50 microseconds per wake-up; meanwhile a start waits, or the processor would be idle.
    TimeSlice.short.begin()
    // Taken before any process is started, so that no host inherits descriptors that are meant for the daemon.
    let passed = PassedDescriptor.takeAll()
    do {
      return try Starter(options, passed).run()
    } catch {
      CurrentProcess.printError(error.text)
      if error.exit == .configuration { RefusedClients.answer(passed) }
      return error.exit
    }
  }
}

/// Makes the parts, wires them, waits for the plugins' answers and hands over to the loop.
private final class Starter {
  private let options: DaemonOptions
  private let loop: EventLoop
  private let passed: [PassedDescriptor]
  private var daemon: Daemon?
  private var control: ControlService?
  private var failure: DaemonFailure?
  private var signals: SignalSource?
  private var hosts: PluginHosts?
  private var writer: LedgerWriter?
  /// Result of the load, once all plugins have answered.
  private var answer: Result<LoadedConfiguration, LoadFailure>?
  private var stopAsked = false
  private var users: ControlUsers?
  private var service: ServiceNotifier?
  private var outlet: OutboundThread?

  /// Timeout at the end of the process for writing its last messages.
  private static let lastWordsLimit = ElapsedTime.seconds(2)
  /// Whether the users of the control socket are looked up, or the look-up has timed out.
  private var areUsersReady = false
  /// Timeout for a name service at the start: users whom it finds later have their rights from then on.
  private static let usersPatience = ElapsedTime.seconds(1)

  init(_ options: DaemonOptions, _ passed: [PassedDescriptor]) throws(DaemonFailure) {
    (self.options, self.passed) = (options, passed)
    do {
      loop = try EventLoop()
    } catch {
      throw DaemonFailure(.cannotStart, error.description)
    }
  }

  func run() throws(DaemonFailure) -> DaemonExit {
    do {
      // The default action of the unused signals would end the daemon. The clock uses SIGUSR2 if it has an offset file.
      let unused = Signal.meaningless + (options.clockOffsetPath == nil ? [.user1, .user2] : [.user1])
      signals = try SignalSource(loop: loop, signals: [.terminate, .interrupt, .hangUp] + unused) {
        [weak self] signal in
        self?.take(signal)
      }
      let (parts, configuration) = try makeParts()
      hosts = parts.hosts
      parts.service.status("asking plugins who they are")
      parts.loader.inspect(
        configuration, at: parts.loader.locate(configuration), with: parts.hosts, depth: { _ in .run }
      ) { [weak self] result in
        self?.answer = result
        self?.startWhenComplete(parts)
      }
      // Meanwhile plugins are loaded in other processes.
      openLedger(parts, configuration.daemon)
      lookUpUsers(parts, configuration.daemon.control)
    } catch let error as SystemError {
      throw DaemonFailure(.cannotStart, error.description)
    } catch let error as DaemonFailure {
      throw error
    } catch {
      preconditionFailure("no other error is thrown")
    }
    loop.run()
    control?.close()
    daemon?.finish()
    if failure == nil { daemon?.announcer.announce(.notice, "stopped") }
    outlet?.flush(atMost: Self.lastWordsLimit)
    service?.flush(atMost: Self.lastWordsLimit)
    if let failure { throw failure }
    return .success
  }

  private func makeParts() throws -> (parts: DaemonParts, configuration: Configuration) {
    if let fault = options.installation.hostFault {
      throw DaemonFailure(.cannotStart, "\(options.installation.hostPath): \(fault)")
    }
    let children = OwnChildren()
    let loader = Loader(
      path: options.configurationPath, installation: options.installation, children: children)
    let configuration: Configuration
    do {
      configuration = try loader.read(
        refusingForeignWriters: CurrentProcess.effectiveUser == 0, refusingUnknownPlugins: false,
        refusingUnknownGroup: !passed.contains(where: \.isUnixListener), keepingJobsThatLackFiles: true,
        now: SystemTime.now())
    } catch {
      throw DaemonFailure(error)
    }
    let clock = try DaemonClock(options.clock, offsetPath: options.clockOffsetPath, loop: loop) {
      [weak self] event in self?.daemon?.engine.take(event)
    }
    let announcer = makeAnnouncer(now: { clock.now })
    announcer.zone = configuration.daemon.zone
    var hostConfiguration = loader.hostConfiguration(for: configuration)
    // Children of an in-process plugin must end with its call. So a child process that is not in `children` is an orphan of a
    // plugin host.
    hostConfiguration.delegatedGroup = DelegatedGroup.find()
    hostConfiguration.isOrphan = { !children.mayContain($0) }
    // Credentials are kept beside the control socket, which is in a memory file system if the machine has one.
    let socket = options.normalizedControlSocket(configured: configuration.daemon.control.socketPath)
    // Made before the check of the socket's directory, which may be the directory of the ledger.
    try StateDirectory.prepare(options.ledgerDirectory(configured: configuration.daemon.stateDirectory))
    if !passed.contains(where: \.isUnixListener) { try ControlService.checkDirectory(of: socket) }
    hostConfiguration.credentialsDirectory = socket + ".credentials"
    let service = ServiceNotifier(environment: CurrentProcess.environment)
    self.service = service
    // A rehearsal's ledger is in memory, so the next daemon could not identify its runs.
    let keeper = !options.clock.isRehearsal && service.isHeard ? service.keeper : nil
    let parts = DaemonParts(
      options: options, loop: loop, announcer: announcer, loader: loader,
      hosts: PluginHosts(
        loop: loop, configuration: hostConfiguration, keeper: keeper
      ) { [weak self] event in self?.daemon?.engine.take(event) },
      clock: clock, service: service, children: children, passed: passed)
    return (parts, configuration)
  }

  /// Makes the announcer of a daemon. Its messages are written by a separate thread, because a journal that hangs, or a stopped
  /// terminal, would delay every start.
  private func makeAnnouncer(now: @escaping () -> WallInstant) -> Announcer {
    let usesJournal = Journal.isConnected(environment: CurrentProcess.environment)
    let tellOfLoss: @Sendable (Int) -> Void = { count in
      let text = "\(count) messages were lost: they came faster than they were read"
      if usesJournal { Journal.send(text, priority: .warning) } else { CurrentProcess.print(text + "\n") }
    }
    guard let outlet = try? OutboundThread(name: "timeline-log", tellOfLoss: tellOfLoss) else {
      return Announcer(usesJournal: usesJournal, now: now)
    }
    self.outlet = outlet
    return Announcer(
      usesJournal: usesJournal, now: now,
      send: { text, priority, fields in
        outlet.put(byteCount: fields.reduce(text.utf8.count) { $0 + $1.value.utf8.count }) {
          Journal.send(text, priority: priority, fields: fields)
        }
      },
      write: { text in outlet.put(byteCount: text.utf8.count) { CurrentProcess.print(text) } })
  }

  private func openLedger(_ parts: DaemonParts, _ settings: DaemonSettings) {
    let clock = parts.clock
    do throws(DaemonFailure) {
      writer = try LedgerWriter(
        directory: options.ledgerDirectory(configured: settings.stateDirectory), settings: settings.ledger,
        announcer: parts.announcer, loop: loop,
        now: { clock.now })
      startWhenComplete(parts)
    } catch {
      fail(error, parts.hosts)
    }
  }

  private func lookUpUsers(_ parts: DaemonParts, _ settings: ControlSettings) {
    let users = ControlUsers(loop: loop, announcer: parts.announcer)
    self.users = users
    let goOn = { [weak self] in
      guard let self, !areUsersReady else { return }
      areUsersReady = true
      startWhenComplete(parts)
    }
    users.adopt(settings.users, completion: goOn)
    if !areUsersReady { loop.after(Self.usersPatience, goOn) }
  }

  private func fail(_ error: DaemonFailure, _ hosts: PluginHosts) {
    failure = error
    hosts.shutDown { [loop] in loop.stop() }
  }

  /// Starts the daemon when the ledger is open, the plugins have answered and the users are ready.
  private func startWhenComplete(_ parts: DaemonParts) {
    guard let writer, let answer, let users, areUsersReady else { return }
    self.answer = nil
    start(parts, writer, users, answer)
  }

  private func start(
    _ parts: DaemonParts, _ writer: LedgerWriter, _ users: ControlUsers,
    _ result: Result<LoadedConfiguration, LoadFailure>
  ) {
    // If a stop was requested before, the daemon is not started.
    if stopAsked { return }
    do throws(DaemonFailure) {
      var loaded: LoadedConfiguration
      switch result {
      case .success(let value): loaded = value
      case .failure(let failure):
        throw DaemonFailure(failure)
      }
      loaded.configuration.settle()
      let daemon = try Daemon(parts, writer, loaded: loaded)
      self.daemon = daemon
      let control = try ControlService(
        daemon: daemon,
        path: options.controlSocket(configured: loaded.configuration.daemon.control.socketPath), users: users,
        passed: passed.first(where: \.isUnixListener))
      self.control = control
      daemon.reloader.whenInForce { [weak control] completion in
        guard let control else { return completion() }
        control.adoptUsers(completion: completion)
      }
      greet(daemon, control)
      daemon.begin()
      daemon.engine.status.tellReady()
      beginWatchdog(daemon)
      daemon.tidy()
      // 1 s after the start the first jobs have run and the first status line is sent. Memory for the start, these texts
      // included, is then unused.
      loop.after(.milliseconds(1_500)) {
        writer.dropCache()
        CurrentProcess.returnUnusedMemory()
      }
    } catch {
      fail(error, parts.hosts)
    }
  }

  private func greet(_ daemon: Daemon, _ control: ControlService) {
    let what =
      "\(daemon.jobs.count == 1 ? "1 job" : "\(daemon.jobs.count) jobs") from \(options.configurationPath); control socket \(control.path)"
    switch options.clock {
    case .system:
      daemon.announcer.announce(.notice, "timelined \(DaemonOptions.version): \(what)", kind: .started)
    case .scaled(let pace, _):
      let pace = pace.map { "at speed \($0) from" } ?? "paused at"
      daemon.announcer.announce(
        .notice, "timelined \(DaemonOptions.version): rehearsal \(pace) \(daemon.startedAt): \(what)",
        kind: .started)
    }
  }

  private func take(_ signal: Signal) {
    let sender = signals?.sender.map { Operator($0, name: $0.user == 0 ? "root" : nil) }
    switch signal {
    case .hangUp:
      guard let daemon, !daemon.stopping.isDraining else { return }
      if let sender { daemon.operators.note(.reload, by: sender) }
      daemon.reloader.reload { _ in }
    case .terminate, .interrupt:
      if let daemon {
        if let sender { daemon.operators.note(.stop, by: sender) }
        return signal == .terminate ? daemon.stopping.handOverOrDrain() : daemon.stopping.drain()
      }
      stopAsked = true
      hosts?.shutDown { [loop] in loop.stop() }
    default: break
    }
  }

  /// Notifies the watchdog at half its interval, as sd_watchdog_enabled(3) recommends.
  private func beginWatchdog(_ daemon: Daemon) {
    guard let interval = ServiceManager.watchdogInterval else { return }
    daemon.engine.status.proveProgress()
    loop.after(ElapsedTime(roundingUp: interval / 2)) { [weak self] in self?.beginWatchdog(daemon) }
  }
}
