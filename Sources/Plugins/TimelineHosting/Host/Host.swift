internal import TimelineCore
internal import TimelineSystem
internal import TimelineWire

/// The host's main thread: handles the daemon's messages one after the other, and calls the plugin.
struct Host: ~Copyable {
  private let socket: HostSocket
  private let outlet: MessageOutlet
  private let watcher: RunWatcher
  private let enterSandbox: SandboxFunction
  private var plugin: LoadedPlugin?
  private var instances: [UInt32: PluginInstance] = [:]
  private var workplace = WorkingDirectory()
  private var leftoverPolicy = LeftoverPolicy.kill
  /// Whether child processes of plugins still run and are to be reaped when they end.
  private var hasChildren = false
  /// Copy of standard output, for a plugin that closes it.
  private let output: CInt
  /// Restorer of the state that the process had when its plugin was loaded.
  private var restorer: StateRestorer?
  /// Whether the wait for a message has a time limit.
  private var isWaitLimited = false
  /// Whether this host begins no further run, because the state of the process cannot be restored.
  private var isRetiring = false

  /// Serves the daemon at the other end of `socket` until the daemon sends `exit` or closes the socket. Returns the exit
  /// status.
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
    // Copied before the job's limit of descriptors is set.
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
    // The next message may be a run that is due, so this thread must not wait for other busy processes. The daemon's time
    // slice is equally short, so the daemon is not preempted while it sends.
    TimeSlice.short {
      awaitChildren()
      return socket.receive(into: &buffer, waiting: true)
    }
  }

  /// Reaps processes that end while the host is idle, until there is a message or no process left to reap.
  private mutating func awaitChildren() {
    while hasChildren, !socket.waitUntilReadable(atMost: Self.reapingPauseMilliseconds) {
      hasChildren = ProcessTree.reapEndedChildren()
    }
  }

  /// Pause between two checks of the children of an idle host: below a second, but so rare that the cost is negligible.
  private static let reapingPauseMilliseconds: CInt = 500

  /// Handles a message. Returns the exit status if the message was the last, otherwise `nil`.
  private mutating func handle(_ message: DaemonMessage) throws(ProtocolError) -> CInt? {
    switch message {
    case .load(let request):
      guard plugin == nil else { throw .outOfOrder("load") }
      do throws(Refusal) {
        try enterControlGroup(request)
        try HostSandbox.prepare(for: request, enterSandbox)
        WorkingDirectory.leave()
        workplace.directory = request.setup.workingDirectory
        leftoverPolicy = request.setup.leftovers
        // The watcher starts only now, because privileges, niceness and other settings belong to a thread, and the threads that
        // it starts later inherit them.
        guard watcher.start() else { throw Self.hasNoThread(request) }
        let loaded = try watcher.whileInPlugin { () -> Result<LoadedPlugin, Refusal> in
          Result { () throws(Refusal) in
            try LoadedPlugin(path: request.path, contents: request.setup.pluginDigest)
          }
        }.get()
        plugin = loaded
        // The state is recorded after loading, because loading changes it in the same way in each host.
        restorer = try? StateRestorer(output: output)
        socket.send(.loaded(loaded.description))
      } catch {
        socket.send(.refused(error))
      }
    // These messages crossed with the message that this host is retiring.
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
      // This message crossed with the end of its run. The daemon reports that end as the end of a run that was asked to stop.
      HostSystem.killDescendants()
    // This message crossed with the end of its run.
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
      LeftoverProcessKeeper.begin(job: instance.request.job.text) { closeAllUnheard() }
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

  /// Restores the state that a run has changed. Called after the answer was sent, so that the daemon does not wait for it.
  private mutating func restoreAfterRun() {
    if let fault = restorer?.runEnded() { retire(fault) }
    if restorer?.awaitsRest ?? false, !isWaitLimited { limitWait(StateRestorer.rest) }
  }

  /// Restores the rest of the state that runs have changed. Called when no message came for ``StateRestorer/rest``.
  private mutating func restoreAtRest() {
    if isWaitLimited { limitWait(.zero) }
    guard restorer?.awaitsRest ?? false, !isRetiring, let fault = restorer?.restoreRest() else { return }
    retire(fault)
  }

  private mutating func limitWait(_ limit: ElapsedTime) {
    isWaitLimited = limit > .zero
    socket.limitWait(limit)
  }

  /// Reports to the daemon that this host begins no further run.
  private mutating func retire(_ fault: String) {
    isRetiring = true
    warn("the plugin left its \(fault) changed, which cannot be undone: the next run has a new plugin host")
    socket.send(.retiring)
  }

  /// Enters the control group that the daemon names, with the daemon's rights and before any process is started. If that
  /// fails, the host goes on without a group, and its descendants are found by their parents.
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
    for (_, instance) in instances.sorted(on: \.key) {
      watcher.whileInPlugin { instance.close() }
    }
    instances = [:]
  }

  /// Closes all instances after the daemon has released this host, without the watcher: the end of the socket must not end
  /// the processes that still run.
  private mutating func closeAllUnheard() {
    for (_, instance) in instances.sorted(on: \.key) { instance.close() }
    instances = [:]
  }
}

/// A message out of order: a fault of either side that ends the host.
enum ProtocolError: Error, CustomStringConvertible {
  case outOfOrder(String)

  var description: String {
    switch self {
    case .outOfOrder(let message):
      "the daemon sent \"\(message)\" out of order, which is a mistake in timelined; report it"
    }
  }
}
