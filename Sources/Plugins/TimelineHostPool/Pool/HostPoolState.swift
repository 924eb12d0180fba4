import TimelineCore
import TimelineEngine

/// Assigns runs to hosts: events in, effects out, no system calls and no clock.
///
/// Three invariants hold regardless of the hosts' behavior. Every ``HostPoolEvent/start(_:)`` is answered by exactly one
/// ``HostPoolEffect/ended(_:_:)``. A host has at most one run at a time. The limits of ``HostLimits`` are kept. Runs
/// without a free host wait; their number is limited only by the limits of their jobs. Hosts of one kind are one pool. Warm
/// hosts are used again, the last used first, so that a quiet pool shrinks to the hosts that it needs.
///
/// Hosts are kept in one array and searched linearly: with at most ``HostLimits/hostsMax`` hosts this takes less than a
/// microsecond, and their order makes every decision the same in every replay.
package struct HostPoolState: Sendable {
  let limits: HostLimits
  var hosts: [PooledHost] = []
  var waiting = WaiterQueue()
  var inquiriesWaiting = 0
  var streaks: [StreakKey: FailureStreak] = [:]
  var retained: ActiveJobs?
  /// The runs that wait for other runs.
  var lenders: Set<RunID> = []
  /// The current shortage of a system resource; while it is set, no host is started.
  var shortage: HostShortage?
  /// Number of consecutive failures to start a host because of a shortage.
  var shortageCount = 0
  /// The kinds for which a waiting run was reported; emptied when no run and no inquiry waits.
  var toldFull: Set<HostSpec> = []
  /// The growth of the kinds whose pools may be too small.
  var growth: [HostSpec: Growth] = [:]
  var hostsStarted: UInt64 = 0
  var eventCount: UInt64 = 0
  var isShuttingDown = false
  var effects: [HostPoolEffect] = []

  package init(limits: HostLimits = HostLimits()) {
    self.limits = limits
  }

  /// Number of hosts, including those that load or end.
  package var hostCount: Int { hosts.count }
  /// Number of runs and inquiries that wait for a host.
  package var waitingCount: Int { waiting.count }
  /// Number of hosts by the names of their phases; every phase has a value.
  package var hostCounts: [String: Int] {
    var counts = ["loading": 0, "idle": 0, "running": 0, "ending": 0]
    for index in hosts.indices { counts[hosts[index].phase.name, default: 0] += 1 }
    return counts
  }

  /// Handles one event and returns the effects to perform. Events about removed hosts and ended runs are ignored.
  package mutating func handle(_ event: HostPoolEvent) -> [HostPoolEffect] {
    var effects: [HostPoolEffect] = []
    handle(event, into: &effects)
    return effects
  }

  /// Handles one event like ``handle(_:)``. Replaces the content of `list` by the effects and reuses its memory.
  package mutating func handle(_ event: HostPoolEvent, into list: inout [HostPoolEffect]) {
    eventCount += 1
    swap(&effects, &list)
    defer { swap(&effects, &list) }
    effects.removeAll(keepingCapacity: true)
    switch event {
    case .start(let request): enqueue(.run(request, since: eventCount))
    case .inquire(let id, let kind): enqueue(.inquiry(id, kind))
    case .askToStop(let run, let reason): stop(run, for: reason, byForce: false)
    case .kill(let run, let reason): stop(run, for: reason, byForce: true)
    case .dequeue(let run): dequeue(run)
    case .lend(let runs): lend(runs)
    case .retain(let jobs): retain(jobs)
    case .changed(let id):
      if let index = index(of: id) { hosts[index].hasFormerFiles = true }
    case .outdated(let id): outdated(id)
    case .shutDown: shutDown()
    case .spawnFailed(let id, let reason): spawnFailed(id, reason)
    case .spawnPutOff(let id, let reason): spawnPutOff(id, reason)
    case .loaded(let id, let identity): loaded(id, identity)
    case .refused(let id, let reason): refused(id, reason)
    case .openFailed(let id, let run, let end): runEnded(id, run, end, keepingInstance: false)
    case .ended(let id, let run, let end): runEnded(id, run, end, keepingInstance: true)
    case .leaving(let id):
      if let index = index(of: id) { hosts[index].isLeaving = true }
    case .retiring(let id): retiring(id)
    case .undelivered(let id, let run): undelivered(id, run)
    case .misbehaved(let id, let how): misbehaved(id, how)
    case .closed(let id): closed(id)
    case .exited(let id, let exit): exited(id, exit)
    case .elapsed(let timer): elapsed(timer)
    }
    if !toldFull.isEmpty, waiting.isEmpty { toldFull.removeAll() }
  }

  func index(of id: HostID) -> Int? {
    for index in hosts.indices where hosts[index].id == id { return index }
    return nil
  }

  /// Number of hosts of this kind for which `condition` holds.
  ///
  /// Here and elsewhere hosts are read in place, because copying a host changes the reference count of each of its parts.
  func count(_ kind: HostSpec, where condition: (borrowing PooledHost) -> Bool = { _ in true }) -> Int {
    var count = 0
    for index in hosts.indices where hosts[index].kind == kind && condition(hosts[index]) { count += 1 }
    return count
  }

  /// Number of places that hosts take, of this kind or of all kinds. A run that waits for another run lends the place of
  /// its host.
  ///
  /// Hosts may take more places than the limits allow after lenders have continued, until runs end.
  func placesTaken(by kind: HostSpec? = nil) -> Int {
    if lenders.isEmpty { return kind.map { self.count($0) } ?? hosts.count }
    var taken = 0
    for index in hosts.indices where kind.map({ hosts[index].kind == $0 }) ?? true {
      if hosts[index].run.map({ !lenders.contains($0) }) ?? true { taken += 1 }
    }
    return taken
  }

  /// Number of hosts that can take a run at once.
  var readyCount: Int {
    var count = 0
    for index in hosts.indices where hosts[index].isReady { count += 1 }
    return count
  }
}

// Requests to the pools.
extension HostPoolState {
  private mutating func enqueue(_ waiter: HostWaiter) {
    if isShuttingDown {
      dismiss(waiter, .cancelled("the run was not started: timelined is shutting down"))
    } else if case .run(let request, _) = waiter,
      let reason = pauseReason(.job(request.kind, request.job))
    {
      dismiss(waiter, .failed(reason))
    } else {
      waiting.append(waiter)
      if waiter.run == nil { inquiriesWaiting += 1 }
      place(waiter.kind)
      guard case .run(let request, _) = waiter, waiting.last?.run == request.run else { return }
      effects.append(.waits(request.run))
      if !isGrowing(request.kind), !hosts.contains(where: { $0.kind == request.kind && $0.isLoading }) {
        noteFull(request.kind)
      }
    }
  }

  /// Ends the wait of a run. A run that has a host goes on.
  private mutating func dequeue(_ run: RunID) {
    guard let index = waiting.firstIndex(where: { $0.run == run }) else { return }
    _ = removeWaiter(at: index)
    effects.append(.ended(run, .cancelled("no plugin host was free for it")))
  }

  /// Ends the wait of a waiter without a host.
  mutating func dismiss(_ waiter: HostWaiter, _ end: PluginRunEnd) {
    switch waiter {
    case .run(let request, _): effects.append(.ended(request.run, end))
    case .inquiry(let id, _): effects.append(.answered(id, .failure(HostFailure(end.outcome.message))))
    }
  }

  /// Removes a waiter from the queue.
  mutating func removeWaiter(at index: Int) -> HostWaiter {
    let waiter = waiting.remove(at: index)
    if waiter.run == nil { inquiriesWaiting -= 1 }
    return waiter
  }

  private mutating func stop(_ run: RunID, for reason: StopReason, byForce: Bool) {
    if let index = waiting.firstIndex(where: { $0.run == run }) {
      _ = removeWaiter(at: index)
      effects.append(.ended(run, .cancelled("no plugin host was free for it")))
      return
    }
    guard let index = hosts.firstIndex(where: { $0.run == run }),
      case .running(let request, let killed) = hosts[index].phase, killed == nil
    else { return }
    if byForce {
      hosts[index].phase = .running(request, killed: reason)
      effects.append(.kill(hosts[index].id))
    } else {
      effects.append(.askToStop(hosts[index].id, run, reason))
    }
  }

  private mutating func lend(_ runs: Set<RunID>) {
    guard runs != lenders else { return }
    lenders = runs
    placeAll()
  }

  private mutating func retain(_ jobs: ActiveJobs) {
    retained = jobs
    liftPauses()
    for index in hosts.indices {
      hosts[index].needsSweep = true
      if hosts[index].isReady { rest(at: index) }
    }
  }

  mutating func outdated(_ id: HostID) {
    guard let index = index(of: id), !hosts[index].isEnding else { return }
    hosts[index].isOutdated = true
    if hosts[index].isReady { rest(at: index) }
  }

  private mutating func shutDown() {
    guard !isShuttingDown else { return finishIfDone() }
    isShuttingDown = true
    liftPauses()
    stopGrowing()
    endShortage()
    let dismissed = waiting.removeAll()
    inquiriesWaiting = 0
    for waiter in dismissed {
      dismiss(waiter, .cancelled("the run was not started: timelined is shutting down"))
    }
    for index in hosts.indices {
      switch hosts[index].phase {
      case .loading:
        effects.append(.forget(.load(hosts[index].id)))
        letGo(at: index)
      case .idle: letGo(at: index)
      case .running(let request, _):
        effects.append(.askToStop(hosts[index].id, request.run, .shutDown))
        awaitEnd(at: index)
      case .ending: break
      }
    }
    finishIfDone()
  }

  /// Reports once that a shutdown is complete.
  mutating func finishIfDone() {
    if isShuttingDown && hosts.isEmpty { effects.append(.finished) }
  }
}

extension StopReason {
  /// The reason as part of a message.
  var words: String {
    switch self {
    case .timeout: "it outlived its timeout"
    case .cancel: "it was cancelled"
    case .shutDown: "timelined is shutting down"
    }
  }
}
