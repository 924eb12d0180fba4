import TimelineCore
package import TimelineEngine
package import TimelineSystem

/// Runs plugins in host processes and reports their results.
///
/// The shell around ``HostPoolState``. It runs on the loop's thread and never blocks. ``start(_:)`` writes to a warm host
/// before it returns, so that a run costs one message each way. `events` is called from within the calls below and from the
/// loop's handlers, and may call back.
package final class PluginHosts {
  package let configuration: Configuration
  /// The loop on whose thread all calls and handlers run.
  package let loop: EventLoop
  /// Store of the descriptors of active hosts for the next daemon; `nil` when hosts end with this daemon.
  let keeper: HostDescriptorStore?
  /// Ends of runs that an earlier daemon has received and not written to the ledger.
  var inheritedEnds: [(RunID, PluginRunEnd)] = []
  private let events: (PluginEvent) -> Void
  private var state: HostPoolState
  private(set) var hosts: [HostID: HostProcess] = [:]
  /// The last reading of the files that hosts depend on.
  private(set) var files = PluginFiles()
  /// Active removals of credentials on threads of their own, by directory.
  var credentialRemovals: [String: DetachedWork<Result<Void, SystemError>>] = [:]
  private var timers: [HostTimer: Delay] = [:]
  private var inquiries: [InquiryID: (Result<PluginIdentity, HostFailure>) -> Void] = [:]
  private var inquiriesMade: UInt64 = 0
  private var orphanReaper: OrphanReaper?
  private var groupRemover: GroupRemover?
  private let leftoverKeepers: LeftoverKeepers
  let inProcess: InProcessPlugins
  /// Function that is called right before the plugin of a run that has waited for a host. It returns the run as the plugin
  /// receives it.
  package var beforeLateCall: (PluginRun) -> PluginRun = { $0 }
  private var waitingRuns: Set<RunID> = []
  /// Figures of runs that are over and whose ends are about to be reported.
  var runFigures: [RunID: RunFigures] = [:]
  private var finished: [() -> Void] = []
  private var pending: [HostPoolEvent] = []
  private var effects: [HostPoolEffect] = []
  private var isHandling = false
  private var reports: [PluginEvent] = []
  /// Number of ``reports`` that have been delivered.
  private var reportsTold = 0
  private var isReporting = false
  /// Answers to inquiries. They are delivered when all effects of the event are performed.
  private var answers: [() -> Void] = []

  /// Makes pools without hosts; `events` is called with every report.
  package init(
    loop: EventLoop, configuration: Configuration, keeper: HostDescriptorStore? = nil,
    events: @escaping (PluginEvent) -> Void
  ) {
    self.loop = loop
    self.keeper = keeper
    self.configuration = configuration
    self.events = events
    inProcess = InProcessPlugins(report: events)
    leftoverKeepers = LeftoverKeepers(loop: loop)
    state = HostPoolState(limits: configuration.limits)
    if let isOrphan = configuration.isOrphan {
      orphanReaper = OrphanReaper(loop: loop) { [unowned self] process in
        hosts.values.contains { $0.processNumber == process } || leftoverKeepers.contains(process)
          || !isOrphan(process)
      } ended: { [unowned self] in
        report(.note(.orphansEnded($0)))
      }
    }
    groupRemover = configuration.delegatedGroup.map {
      GroupRemover(loop: loop, delegated: $0) { [unowned self] in usedControlGroups }
    }
    _ = configuration.delegatedGroup?.turnOn(DelegatedGroup.usualControllers)
    if let directory = configuration.credentialsDirectory {
      try? PrivateDirectory.removeAbandoned(in: directory)
    }
  }

  /// Asks the plugin to stop the run, which ends when the plugin returns; has no effect if the run is over.
  package func askToStop(_ run: RunID, _ reason: StopReason) { handle(.askToStop(run, reason)) }

  /// Kills the run's host and its process group; has no effect if the run is over.
  package func kill(_ run: RunID, _ reason: StopReason) { handle(.kill(run, reason)) }

  /// Applies a new reading of the files that hosts depend on. Inquiries about a plugin whose files have changed go to a new
  /// host from now on. Hosts that have the plugin loaded go on with their runs, unless the new host is refused.
  package func note(_ files: PluginFiles) {
    self.files.merge(files)
    for id in hostsOfFormerFiles { handle(.changed(id)) }
  }

  /// Ends the run if it waits for a host; has no effect if the run has a host or is over.
  package func dequeue(_ run: RunID) { handle(.dequeue(run)) }

  /// Returns the reason why runs of this kind have to wait for a host now.
  package func wait(for kind: HostSpec) -> HostWait { state.wait(for: kind) }

  /// Returns whether enough hosts of this kind are being started for the runs that wait for one.
  package func isStarting(_ kind: HostSpec) -> Bool { state.isStarting(kind) }

  /// Applies a reload with the present jobs of each kind.
  ///
  /// Idle hosts of other jobs are ended. Plugins whose files have been replaced get new hosts, and the old hosts end when
  /// they are idle. Pauses after failures are lifted.
  package func retain(_ jobs: ActiveJobs) {
    for id in hostsOfFormerFiles { handle(.outdated(id)) }
    inProcess.retain(jobs, files)
    files.keep(only: jobs.kinds)
    handle(.retain(jobs))
  }

  private var hostsOfFormerFiles: [HostID] {
    hosts.filter { files.differ(from: $0.value.files, for: $0.value.kind) }.keys.sorted()
  }

  /// Loads a plugin if no host has it loaded, and passes its identity to `completion`, which is called once.
  package func describe(
    _ kind: HostSpec, completion: @escaping (Result<PluginIdentity, HostFailure>) -> Void
  ) {
    var kind = kind
    if !configuration.holdsRunLimits { kind.setup.runLimits = RunLimits() }
    if kind.isolation == .inProcess {
      let objection =
        InProcessPlugins.setupObjection(to: kind) ?? files.objection(toCallingPluginAt: kind.pluginPath)
      if let objection { return completion(.failure(objection)) }
      // The plugin's identity is read in a host, where a crash does no harm.
      kind.isolation = .host
    }
    inquiriesMade += 1
    let id = InquiryID(number: inquiriesMade)
    inquiries[id] = completion
    handle(.inquire(id, kind))
  }

  /// Ends all hosts. Idle hosts end at once; busy hosts are asked to stop and killed after ``HostLimits/endLimit``.
  /// `completion` is called when the last host has ended. May be called twice.
  package func shutDown(completion: @escaping () -> Void) {
    inProcess.shutDown()
    finished.append(completion)
    handle(.shutDown)
  }

  /// Number of hosts, including those that load or end.
  package var hostCount: Int { state.hostCount }
  /// Number of hosts by the names of their phases: loading, idle, running, ending.
  package var hostCounts: [String: Int] { state.hostCounts }
  /// The process numbers of the hosts, in order of their start.
  package var hostProcesses: [Int32] { hosts.sorted(on: \.key).map(\.value.processNumber) }
}

// The loop of events and effects.
extension PluginHosts {
  /// Handles an event. Its effects are performed before the next event is handled. Reports are delivered after all effects:
  /// a waiting run that gets a free host is sent before the end of the run that freed the host is reported.
  func handle(_ event: HostPoolEvent) {
    guard !isHandling else { return pending.append(event) }
    isHandling = true
    state.handle(event, into: &effects)
    performAll()
    var next = 0
    while next < pending.count {
      state.handle(pending[next], into: &effects)
      next += 1
      performAll()
    }
    if next > 0 { pending.removeAll(keepingCapacity: true) }
    isHandling = false
    if !isReporting { tellReports() }
    let answers = answers
    self.answers = []
    for answer in answers { answer() }
  }

  /// Reports all messages that have arrived from the hosts of active runs, then returns; may be called from within a
  /// report.
  package func hearRuns() {
    assert(!isHandling, "what a host has said would wait")
    let busy = hosts.values.filter { $0.dialogue.run != nil }
    for host in busy.sorted(by: { $0.id < $1.id }) { host.hearNow() }
    tellReports()
  }

  /// Delivers a report to the user of the pools, after all earlier reports.
  func report(_ event: PluginEvent) {
    reports.append(event)
    if !isHandling, !isReporting { tellReports() }
  }

  private func tellReports() {
    let wasReporting = isReporting
    isReporting = true
    // A receiver of these reports may cause further reports, and may trigger delivery of the rest before it returns.
    while reportsTold < reports.count {
      reportsTold += 1
      events(reports[reportsTold - 1])
    }
    reports.removeAll(keepingCapacity: reportsTold <= TurnLimits.reportsKept)
    reportsTold = 0
    isReporting = wasReporting
  }

  private func performAll() {
    for index in effects.indices { perform(effects[index]) }
  }

  private func perform(_ effect: HostPoolEffect) {
    switch effect {
    case .spawn(let id, let kind): spawn(id, kind)
    case .begin(let id, let run, let use):
      hosts[id]?.begin(waitingRuns.remove(run.run) == nil ? run : beforeLateCall(run), use)
    case .closeInstance(let id, let number): hosts[id]?.closeInstance(number)
    case .askToStop(let id, let run, _): hosts[id]?.askToStop(run)
    case .letGo(let id): letGo(id)
    case .release(let id, let job): release(id, job)
    case .kill(let id): hosts[id]?.kill()
    case .wait(let timer, let time):
      timers[timer] = loop.after(time) { [weak self] in
        self?.timers[timer] = nil
        self?.handle(.elapsed(timer))
      }
    case .forget(let timer): timers.removeValue(forKey: timer)?.cancel()
    case .waits(let run):
      waitingRuns.insert(run)
      report(.waits(run))
    case .started(let run, let id, let hasWaited):
      if let host = hosts[id] {
        report(.started(run, process: host.processNumber, hasWaited: hasWaited))
      }
    case .ended(let run, let end):
      if !waitingRuns.isEmpty { waitingRuns.remove(run) }
      report(.ended(run, completed(end, of: run)))
    case .answered(let id, let answer):
      if let completion = inquiries.removeValue(forKey: id) { answers.append { completion(answer) } }
    case .note(let note): report(.note(note))
    case .finished:
      let completions = finished
      finished = []
      for completion in completions { completion() }
    }
  }

  private func spawn(_ id: HostID, _ kind: HostSpec) {
    do {
      hosts[id] = try HostProcess(id: id, kind: kind, pools: self)
    } catch {
      handle(error.isShortage ? .spawnPutOff(id, error.message) : .spawnFailed(id, error.message))
    }
  }

  /// Inherits a host in the middle of a run.
  func adopt(_ host: InheritedHost, _ run: PluginRun) throws(HostFailure) {
    let id = state.adopt(run)
    do {
      hosts[id] = try HostProcess(adopting: host, id: id, run: run, pools: self)
    } catch {
      state.handle(.exited(id, .unobserved), into: &effects)
      throw error
    }
  }

  /// Whether every run is in a host whose descriptors are in the descriptor store.
  var isReadyToHandOver: Bool { state.isQuiet && hosts.values.allSatisfy(\.isReadyToHandOver) }

  /// Removes a host that has ended, with its processes and files.
  func exited(_ id: HostID, _ status: ProcessEnd) {
    orphanReaper?.lookAfter()
    if let host = hosts.removeValue(forKey: id) {
      removeCredentials(of: host)
      if let group = host.controlGroup { groupRemover?.remove(group) }
    }
    handle(.exited(id, status))
  }

  /// Ends a host that is not needed any more. Its run's credentials are removed before the end of the run is reported.
  private func letGo(_ id: HostID) {
    guard let host = hosts[id] else { return }
    host.letGo()
    removeCredentials(of: host)
  }

  /// Releases a host that stays as the parent of its run's leftovers.
  private func release(_ id: HostID, _ job: JobName) {
    guard let host = hosts.removeValue(forKey: id) else { return }
    let (process, max) = (host.release(), configuration.limits.leftoverHostsPerJobMax)
    if leftoverKeepers.add(process, of: job) > max {
      process.killTree(in: host.controlGroup)
      report(.note(.leftoversKilled(job, max: max)))
    }
    removeCredentials(of: host)
  }
}
