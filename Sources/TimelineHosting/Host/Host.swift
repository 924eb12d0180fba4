internal import TimelineCore
internal import TimelineSystem
internal import TimelineWire

/// The host's main thread: takes what the daemon says, one message after the other, and calls the plugin.
struct Host: ~Copyable {
  private let socket: HostSocket
  private let outlet: MessageOutlet
  private let watcher: RunWatcher
  private let enterSandbox: SandboxFunction
  private var plugin: LoadedPlugin?
  private var instances: [UInt32: PluginInstance] = [:]
  private var workplace = Workplace()
  private var leftoverPolicy = LeftoverPolicy.kill
  /// Whether something that plugins have started still runs, and is to be reaped when it ends.
  private var hasChildren = false
  /// Copy of standard output, for a plugin that closes it.
  private let output: CInt
  /// Restorer of the state that the process had when its plugin was loaded.
  private var restorer: StateRestorer?
  /// Whether the wait for a message has a limit.
  private var isWaitLimited = false
  /// Whether no further run is begun here, because that state cannot be restored.
  private var isRetiring = false

  /// Serves the daemon at the other end of `socket` until it says `exit` or goes away. Returns the process's status.
  static func serve(_ socket: HostSocket, _ enterSandbox: @escaping SandboxFunction) -> CInt {
    let (outlet, watcher): (MessageOutlet, RunWatcher)
    do {
      outlet = try MessageOutlet(socket)
      watcher = try RunWatcher(socket, outlet)
    } catch {
      HostSystem.complain("timeline-host: \(error)")
      return HostExitStatus.failure
    }
    PluginExitGuard.notice { socket.send(.exiting(status: $0)) }
    var host = Host(socket: socket, outlet: outlet, watcher: watcher, enterSandbox: enterSandbox)
    return host.serve()
  }

  private init(
    socket: HostSocket, outlet: MessageOutlet, watcher: RunWatcher, enterSandbox: @escaping SandboxFunction
  ) {
    self.socket = socket
    self.outlet = outlet
    self.watcher = watcher
    self.enterSandbox = enterSandbox
    // Before the job's limit of descriptors is set.
    output = CurrentProcess.raisedCopy(of: 1) ?? -1
  }

  private mutating func serve() -> CInt {
    var buffer = HostSocket.makeBuffer()
    while true {
      switch next(into: &buffer) {
      case .nothing:
        restoreAtRest()
      case .end:
        closeAll()
        HostSystem.killGroup()
      case .message(let bytes):
        do {
          if let status = try handle(DaemonMessage(decoding: bytes)) { return status }
        } catch {
          HostSystem.complain("timeline-host: \(error)")
          return HostExitStatus.protocolBroken
        }
      }
    }
  }

  private mutating func next(into buffer: inout [UInt8]) -> HostSocket.Receiving {
    // What comes may be due, so it is not to wait for others who keep the processor busy. The daemon, whose slice is as short, is not
    // pushed aside while it sends.
    TimeSlice.short {
      awaitChildren()
      return socket.receive(into: &buffer, waiting: true)
    }
  }

  /// Reaps what ends while the host is idle, until there is a message or nothing left to reap.
  private mutating func awaitChildren() {
    while hasChildren, !socket.waitUntilReadable(atMost: Self.reapingPauseMilliseconds) {
      hasChildren = ProcessTree.reapEndedChildren()
    }
  }

  /// Pause between two checks of the children of an idle host: below a second, and rare enough to cost nothing.
  private static let reapingPauseMilliseconds: CInt = 500

  /// Returns the process's status when the message was the last.
  private mutating func handle(_ message: DaemonMessage) throws(ProtocolError) -> CInt? {
    switch message {
    case .load(let request):
      guard plugin == nil else { throw .outOfOrder("load") }
      do throws(Refusal) {
        try enterControlGroup(request)
        try HostSandbox.prepare(for: request, enterSandbox)
        Workplace.leave()
        workplace.directory = request.setup.workingDirectory
        leftoverPolicy = request.setup.leftovers
        // Only now: privileges, niceness and the like are a thread's own and pass to those that it starts.
        guard watcher.start() else { throw Self.hasNoThread(request) }
        let loaded = try watcher.whileInPlugin { () -> Result<LoadedPlugin, Refusal> in
          Result { () throws(Refusal) in
            try LoadedPlugin(path: request.path, contents: request.setup.pluginDigest)
          }
        }.get()
        plugin = loaded
        // With what loading has changed, which it changes in each host.
        restorer = try? StateRestorer(output: output)
        socket.send(.loaded(loaded.description))
      } catch {
        socket.send(.refused(error))
      }
    // They crossed with the message that says so.
    case .open where isRetiring, .run where isRetiring: break
    case .open(let request):
      guard let plugin, instances[request.instance] == nil else { throw .outOfOrder("open") }
      let outlet = outlet
      defer { hasChildren = ProcessTree.hasChildren }
      do throws(OpenFailure) {
        instances[request.instance] = try inWorkplace {
          watcher.whileInPlugin { () -> Result<PluginInstance, OpenFailure> in
            Result { () throws(OpenFailure) in try PluginInstance(plugin, request) { outlet.send($0) } }
          }
        }.get()
        socket.send(.opened)
      } catch {
        socket.send(.openFailed(error))
      }
      restorer?.instanceOpened()
    case .run(let request):
      try run(request)
      restoreAfterRun()
    case .cancel:
      // It crossed with the end of its run, which the daemon tells as the end of one that was asked to stop.
      HostSystem.killDescendants()
    // It crossed with the end of its run.
    case .mode: break
    case .close(let number):
      guard let instance = instances.removeValue(forKey: number) else { throw .outOfOrder("close") }
      watcher.whileInPlugin { instance.close() }
      socket.send(.closed)
    case .exit:
      closeAll()
      return HostExitStatus.success
    }
    return nil
  }

  private mutating func run(_ request: RunRequest) throws(ProtocolError) {
    guard let instance = instances[request.instance] else { throw .outOfOrder("run") }
    let (outlet, watcher) = (outlet, watcher)
    outlet.beginRun()
    let leftovers = Leftovers()
    let end = runInWorkplace(request.run) {
      watcher.whileInPlugin { instance.run(request, listener: watcher) { outlet.send($0) } }
    }
    let settlement = leftovers.settle(leftoverPolicy)
    hasChildren = ProcessTree.reapEndedChildren()
    HostSystem.flushOutput()
    if let line = LogLine(run: request.run, settlement) { outlet.send(.log(line)) }
    if case .kept = settlement {
      outlet.send(.leaving)
      outlet.send(.ended(end))
      LeftoverKeeper.begin(job: instance.request.job.text) { closeAllUnheard() }
    }
    outlet.send(.ended(end))
  }

  private func inWorkplace<Result>(_ body: () -> Result) throws(OpenFailure) -> Result {
    do throws(SystemError) { return try workplace.call(body) } catch { throw OpenFailure(entering: error) }
  }

  private func runInWorkplace(_ run: UInt64, _ body: () -> RunEnd) -> RunEnd {
    do throws(SystemError) { return try workplace.call(body) } catch {
      return RunEnd(run: run, entering: error)
    }
  }

  /// Restores what a run has changed, after the answer to the daemon, which need not wait for it.
  private mutating func restoreAfterRun() {
    if let fault = restorer?.runEnded() { retire(fault) }
    if restorer?.awaitsRest ?? false, !isWaitLimited { limitWait(StateRestorer.rest) }
  }

  /// Restores the rest of what runs have changed, as there was no message for a while.
  private mutating func restoreAtRest() {
    if isWaitLimited { limitWait(.zero) }
    guard restorer?.awaitsRest ?? false, !isRetiring, let fault = restorer?.restoreRest() else { return }
    retire(fault)
  }

  private mutating func limitWait(_ limit: ElapsedTime) {
    isWaitLimited = limit > .zero
    socket.limitWait(limit)
  }

  /// Begins no further run here.
  private mutating func retire(_ fault: String) {
    isRetiring = true
    warn("the plugin left its \(fault) changed, which cannot be undone: the next run has a new plugin host")
    socket.send(.retiring)
  }

  /// Enters the control group that the daemon names, with the daemon's rights and before anything is started. Without it the host
  /// serves as well: what it starts is found by its parents.
  private func enterControlGroup(_ request: LoadRequest) throws(Refusal) {
    guard let directory = request.controlGroup else { return try RunLimitsEntry.refuseWithoutGroup(request) }
    let group = ControlGroup(at: directory)
    do {
      try group.make()
      for fault in try RunLimitsEntry.set(request.setup.runLimits, on: group, for: request) {
        warn("its runs have no limit `run-limits.\(fault.key)`: \(fault.error)")
      }
      try group.enter()
    } catch let refusal as Refusal {
      throw refusal
    } catch {
      try RunLimitsEntry.refuseWithoutGroup(request)
      warn("its runs have no control group of their own, no `run-limits` and no figures of use: \(error)")
    }
  }

  private func warn(_ message: String) {
    socket.send(.log(LogLine(run: nil, level: .warning, message: message)))
  }

  private static func hasNoThread(_ request: LoadRequest) -> Refusal {
    Refusal(
      file: request.path, reason: "the host cannot start its second thread: its user has too many processes",
      remedy:
        "raise the job's limit of processes, which counts all of its user's, or TasksMax= of timelined's service"
    )
  }

  private mutating func closeAll() {
    for (_, instance) in instances.sorted(by: { $0.key < $1.key }) {
      watcher.whileInPlugin { instance.close() }
    }
    instances = [:]
  }

  /// The same when the daemon has let go of this host: the end of its socket is no reason to end what runs any more.
  private mutating func closeAllUnheard() {
    for (_, instance) in instances.sorted(by: { $0.key < $1.key }) { instance.close() }
    instances = [:]
  }
}

/// A message that cannot be obeyed; either side's mistake, and the end of the host.
enum ProtocolError: Error, CustomStringConvertible {
  case outOfOrder(String)

  var description: String {
    switch self {
    case .outOfOrder(let message):
      "the daemon sent \"\(message)\" out of order, which is a mistake in timelined; report it"
    }
  }
}
