import TimelineCore
package import TimelineEngine
package import TimelineSystem

/// Runs plugins in host processes and reports what becomes of them.
///
/// The shell around ``HostPoolState``. It lives on the loop's thread, never blocks, and writes to a warm host from
/// within ``start(_:)``, so that a run costs one message each way. `events` is called from within the calls below and from
/// the loop's handlers; it may call back.
package final class PluginHosts {
  /// Settings that do not change while the daemon runs.
  package let configuration: Configuration
  /// The loop on whose thread all of this happens.
  package let loop: EventLoop
  /// Keeper of active hosts for the next daemon; `nil` when they end with this one.
  let keeper: HostDescriptorStore?
  /// Runs whose end an earlier daemon has received and not written to the ledger.
  var inheritedEnds: [(RunID, PluginRunEnd)] = []
  private let events: (PluginEvent) -> Void
  private var state: HostPoolState
  private(set) var hosts: [HostID: HostProcess] = [:]
  /// The files that hosts take something from, as they were read last.
  private(set) var files = PluginFiles()
  /// Removals of credentials that are under way on threads of their own, by directory.
  var credentialRemovals: [String: DetachedWork<Result<Void, SystemError>>] = [:]
  private var timers: [HostTimer: Delay] = [:]
  private var inquiries: [InquiryID: (Result<PluginIdentity, HostFailure>) -> Void] = [:]
  private var inquiriesMade: UInt64 = 0
  private var orphanReaper: OrphanReaper?
  private var groupRemover: GroupRemover?
  private let leftoverKeepers: LeftoverKeepers
  let inProcess: InProcessPlugins
  /// Called right before the plugin of a run that has waited for a host; gives what the plugin is told of the run.
  package var beforeLateCall: (PluginRun) -> PluginRun = { $0 }
  /// The runs that wait for a host.
  private var waitingRuns: Set<RunID> = []
  /// Figures of runs that are over and whose ends are about to be reported.
  var runFigures: [RunID: RunFigures] = [:]
  private var finished: [() -> Void] = []
  private var pending: [HostPoolEvent] = []
  private var effects: [HostPoolEffect] = []
  private var isHandling = false
  private var reports: [PluginEvent] = []
  /// Number of ``reports`` that have been told.
  private var reportsTold = 0
  private var isReporting = false
  /// Answers to inquiries, to be told when what caused them is done.
  private var answers: [() -> Void] = []

  /// Makes pools without hosts; `events` hears of every run.
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

  /// Asks the plugin to stop the run, which ends when the plugin says so; nothing if the run is over.
  package func askToStop(_ run: RunID, _ reason: StopReason) { handle(.askToStop(run, reason)) }

  /// Kills the run's host and all of its process group; nothing if the run is over.
  package func kill(_ run: RunID, _ reason: StopReason) { handle(.kill(run, reason)) }

  /// Takes in a new reading of the files that hosts take something from: questions about a plugin whose files have changed are put
  /// to a new host from now on. The hosts that have it loaded go on with their runs, unless the new one is refused.
  package func note(_ files: PluginFiles) {
    self.files.merge(files)
    for id in hostsOfFormerFiles { handle(.changed(id)) }
  }

  /// Ends the run if it waits for a host; nothing if it has one or is over.
  package func dequeue(_ run: RunID) { handle(.dequeue(run)) }

  /// Returns the reason why runs of this kind have to wait for a host now.
  package func wait(for kind: HostSpec) -> HostWait { state.wait(for: kind) }

  /// Returns whether enough hosts of this kind are being started for the runs that wait for one.
  package func isStarting(_ kind: HostSpec) -> Bool { state.isStarting(kind) }

  /// Takes note of a reload: the jobs of each kind that there are now.
  ///
  /// Hosts that rest for other jobs are ended. Plugins whose files have been replaced get new hosts, and the old ones go when
  /// they rest. What had been paused because it kept failing is tried again.
  package func retain(_ jobs: ActiveJobs) {
    for id in hostsOfFormerFiles { handle(.outdated(id)) }
    inProcess.retain(jobs, files)
    files.keep(only: jobs.kinds)
    handle(.retain(jobs))
  }

  private var hostsOfFormerFiles: [HostID] {
    hosts.filter { files.differ(from: $0.value.files, for: $0.value.kind) }.keys.sorted()
  }

  /// Loads a plugin, if no host has it loaded, and says who it is; `completion` is called once.
  package func describe(
    _ kind: HostSpec, completion: @escaping (Result<PluginIdentity, HostFailure>) -> Void
  ) {
    var kind = kind
    if !configuration.holdsRunLimits { kind.setup.runLimits = RunLimits() }
    if kind.isolation == .inProcess {
      let objection =
        InProcessPlugins.setupObjection(to: kind) ?? files.objection(toCallingPluginAt: kind.pluginPath)
      if let objection { return completion(.failure(objection)) }
      // The plugin's identity can be asked for where a crash does no harm.
      kind.isolation = .host
    }
    inquiriesMade += 1
    let id = InquiryID(number: inquiriesMade)
    inquiries[id] = completion
    handle(.inquire(id, kind))
  }

  /// Ends all hosts: resting ones at once, busy ones are asked to stop and killed after
  /// ``HostLimits/endLimit``; `completion` is called when the last is gone.
  /// May be called twice.
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
  package var hostProcesses: [Int32] { hosts.sorted { $0.key < $1.key }.map(\.value.processNumber) }
}

// The loop of events and effects.
extension PluginHosts {
  /// Hands in an event; what it causes is done before the next one is looked at, and told when all of it is done: so a run
  /// that is started because another has ended is on its way before anything else is made of that end.
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

  /// Reports what the hosts of active runs have said by now, and returns after that; may be called from within a report.
  package func hearRuns() {
    assert(!isHandling, "what a host has said would wait")
    let busy = hosts.values.filter { $0.dialogue.run != nil }
    for host in busy.sorted(by: { $0.id < $1.id }) { host.hearNow() }
    tellReports()
  }

  /// Passes something on to whoever uses the pools, after what was to be passed on before it.
  func report(_ event: PluginEvent) {
    reports.append(event)
    if !isHandling, !isReporting { tellReports() }
  }

  private func tellReports() {
    let wasReporting = isReporting
    isReporting = true
    // A receiver of these reports may cause further ones, and may have the rest of them told before it is done.
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

  /// Takes over a host in the middle of a run.
  func adopt(_ host: InheritedHost, _ run: PluginRun) throws(HostFailure) {
    let id = state.adopt(run)
    do {
      hosts[id] = try HostProcess(adopting: host, id: id, run: run, pools: self)
    } catch {
      state.handle(.exited(id, .unobserved), into: &effects)
      throw error
    }
  }

  /// Whether every run is in a host that its keeper keeps.
  var isReadyToHandOver: Bool { state.isQuiet && hosts.values.allSatisfy(\.isReadyToHandOver) }

  /// Forgets a host that is gone, and ends and removes what it has left.
  func exited(_ id: HostID, _ status: ProcessEnd) {
    orphanReaper?.lookAfter()
    if let host = hosts.removeValue(forKey: id) {
      removeCredentials(of: host)
      if let group = host.controlGroup { groupRemover?.remove(group) }
    }
    handle(.exited(id, status))
  }

  /// Ends a host that has nothing to do any more. Its run's credentials are removed before the end of the run is reported.
  private func letGo(_ id: HostID) {
    guard let host = hosts[id] else { return }
    host.letGo()
    removeCredentials(of: host)
  }

  /// Forgets a host that stays as the parent of what its run has left behind.
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
