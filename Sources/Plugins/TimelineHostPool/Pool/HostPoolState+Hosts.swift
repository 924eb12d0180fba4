import TimelineCore
import TimelineEngine
import TimelineSystem

// Loading, running and ending hosts.
extension HostPoolState {
  mutating func loaded(_ id: HostID, _ identity: PluginIdentity) {
    guard let index = index(of: id), hosts[index].isLoading else { return }
    effects.append(.forget(.load(id)))
    shortageCount = 0
    hosts[index].identity = identity
    hosts[index].instancesMax = min(identity.instancesMax, limits.instancesPerHostMax)
    endStreak(.kind(hosts[index].kind))
    rest(at: index)
  }

  mutating func spawnFailed(_ id: HostID, _ reason: String) {
    guard let index = index(of: id) else { return }
    let kind = hosts.remove(at: index).kind
    effects.append(.forget(.load(id)))
    loadFailed(kind, "\(kind.pluginPath): its host could not be started: \(reason)", isWorthRetrying: true)
    placeAll()
    finishIfDone()
  }

  mutating func refused(_ id: HostID, _ reason: String) {
    guard let index = index(of: id), hosts[index].isLoading else { return }
    effects.append(.forget(.load(id)))
    letGo(at: index)
    loadFailed(hosts[index].kind, reason)
    // Hosts that loaded the plugin's former files do not run a refused plugin either.
    let kind = hosts[index].kind
    for id in hosts.filter({ $0.kind == kind && $0.hasFormerFiles }).map(\.id) { outdated(id) }
  }

  mutating func runEnded(_ id: HostID, _ run: RunID, _ end: PluginRunEnd, keepingInstance: Bool) {
    guard let index = index(of: id), case .running(let request, let killed) = hosts[index].phase,
      request.run == run
    else { return }
    if !keepingInstance { hosts[index].instances[request.job] = nil }
    hosts[index].runs += 1
    noteEnd(of: request.kind)
    endStreak(.job(request.kind, request.job))
    effects.append(.ended(run, end))
    if hosts[index].isLeaving {
      release(at: index, request.job)
    } else if killed != nil || hosts[index].fault != nil || hosts[index].isClosed {
      // The host is about to end, but the run was completed before.
      hosts[index].phase = .ending
      awaitEnd(at: index)
    } else {
      rest(at: index)
    }
  }

  /// Removes a host that stays as the parent of leftovers; the pools do not end it.
  private mutating func release(at index: Int, _ job: JobName) {
    let host = hosts.remove(at: index)
    if host.awaitsEnd { effects.append(.forget(.end(host.id))) }
    effects.append(.release(host.id, job))
    placeAll()
    finishIfDone()
  }

  /// Puts back a run whose message did not reach the host, so the plugin was not called. The host is closed.
  mutating func undelivered(_ id: HostID, _ run: RunID) {
    guard let index = index(of: id), case .running(let request, let killed) = hosts[index].phase,
      request.run == run
    else { return }
    hosts[index].phase = .idle
    closed(id)
    putBack(request, wasKilled: killed != nil)
  }

  /// Ends a host that has reported that it begins no further run. Puts back a run that was sent before the report arrived.
  mutating func retiring(_ id: HostID) {
    guard let index = index(of: id), !hosts[index].isEnding, !hosts[index].isLoading else { return }
    let phase = hosts[index].phase
    letGo(at: index)
    if case .running(let request, let killed) = phase { putBack(request, wasKilled: killed != nil) }
  }

  /// Puts a run whose plugin was not called back at the head of the queue. A run that was killed meanwhile, and any run
  /// during a shutdown, ends as cancelled instead.
  private mutating func putBack(_ request: PluginRun, wasKilled: Bool) {
    if wasKilled || isShuttingDown {
      effects.append(.ended(request.run, .cancelled("stopped before a host was free for it")))
    } else {
      waiting.prepend(.run(request, since: eventCount - 1))
      place(request.kind)
      if waiting.contains(where: { $0.run == request.run }) { effects.append(.waits(request.run)) }
    }
  }

  mutating func misbehaved(_ id: HostID, _ how: String) {
    guard let index = index(of: id), hosts[index].fault == nil else { return }
    hosts[index].fault = how
    effects.append(.kill(id))
    awaitEnd(at: index)
  }

  mutating func closed(_ id: HostID) {
    guard let index = index(of: id), !hosts[index].isClosed else { return }
    hosts[index].isClosed = true
    awaitEnd(at: index)
  }

  mutating func exited(_ id: HostID, _ exit: ProcessEnd) {
    guard let index = index(of: id) else { return }
    let host = hosts.remove(at: index)
    if host.isLoading { effects.append(.forget(.load(id))) }
    if host.awaitsEnd { effects.append(.forget(.end(id))) }
    if host.hasIdleLimit { effects.append(.forget(.idle(id))) }
    switch host.phase {
    case .loading:
      loadFailed(host.kind, HostExitMessage.atLoad(host, exit))
    case .idle:
      if !isShuttingDown { effects.append(.note(.diedIdle(host.kind, exit))) }
    case .running(let request, let killed?):
      effects.append(.ended(request.run, HostExitMessage.killed(request, killed)))
    case .running(let request, nil):
      let sentence = HostExitMessage.inRun(host, request, exit)
      effects.append(.ended(request.run, .failed(sentence)))
      jobDied(request, sentence)
    case .ending: break
    }
    placeAll()
    finishIfDone()
  }

  mutating func elapsed(_ timer: HostTimer) {
    switch timer {
    case .load(let id):
      guard let index = index(of: id), hosts[index].isLoading else { return }
      let kind = hosts[index].kind
      hosts[index].phase = .ending
      effects.append(.kill(id))
      loadFailed(kind, HostExitMessage.slowLoad(kind, limits.loadLimit))
    case .end(let id):
      guard let index = index(of: id) else { return }
      if case .running(let request, nil) = hosts[index].phase, isShuttingDown {
        hosts[index].phase = .running(request, killed: .shutDown)
      } else if hosts[index].isEnding {
        effects.append(.note(.killedAtEnd(hosts[index].kind)))
      } else if hosts[index].fault == nil {
        hosts[index].fault = "the plugin closed the host's connection to timelined and went on"
      }
      effects.append(.kill(id))
    case .idle(let id):
      guard let index = index(of: id) else { return }
      hosts[index].hasIdleLimit = false
      if hosts[index].isReady { letGo(at: index) }
    case .kindPause(let kind): streaks[.kind(kind)]?.isPaused = false
    case .jobPause(let kind, let job): streaks[.job(kind, job)]?.isPaused = false
    case .growth(let kind): considerGrowth(of: kind)
    case .shortage:
      shortage = nil
      placeAll()
    }
  }
}

// Consecutive failures.
extension HostPoolState {
  /// Reason for the current pause of this key; `nil` when there is no pause.
  func pauseReason(_ key: StreakKey) -> String? {
    guard let streak = streaks[key], streak.isPaused else { return nil }
    return "not tried again so soon after this: \(streak.reason)"
  }

  mutating func liftPauses() {
    for (key, streak) in streaks where streak.isPaused { effects.append(.forget(key.timer)) }
    streaks.removeAll()
  }

  /// Handles a failure to load a host of this kind: fails its first waiter and pauses the kind.
  mutating func loadFailed(_ kind: HostSpec, _ reason: String, isWorthRetrying: Bool = false) {
    if let index = waiting.firstIndex(where: { $0.kind == kind }) {
      dismiss(removeWaiter(at: index), .failed(reason, isWorthRetrying: isWorthRetrying))
    }
    // The fault may be in a file that is read for each run. A pause would save nothing, because each run has a new host in
    // any case.
    if kind.servesOneRun { return place(kind) }
    var streak = streaks[.kind(kind)] ?? FailureStreak()
    // Hosts that were started together fail together, and count as one failure.
    if !streak.isPaused && !isShuttingDown {
      streak.failures += 1
      streak.isPaused = true
      streak.reason = reason
      streaks[.kind(kind)] = streak
      let pause = limits.pause(afterFailures: streak.failures)
      effects.append(.wait(.kindPause(kind), pause))
      effects.append(.note(.kindPaused(kind, pause, reason: reason)))
    }
    place(kind)
  }

  /// Handles the death of a host in a run of a job. After ``HostLimits/deathsBeforePause`` consecutive deaths the job pauses;
  /// other jobs do not.
  private mutating func jobDied(_ request: PluginRun, _ reason: String) {
    let key = StreakKey.job(request.kind, request.job)
    var streak = streaks[key] ?? FailureStreak()
    streak.failures += 1
    streak.reason = reason
    let beyond = streak.failures - limits.deathsBeforePause
    if beyond >= 0, !streak.isPaused && !isShuttingDown {
      streak.isPaused = true
      let pause = limits.pause(afterFailures: beyond + 1)
      effects.append(.wait(key.timer, pause))
      effects.append(.note(.jobPaused(request.kind, request.job, pause, reason: reason)))
    }
    streaks[key] = streak
    guard let reason = pauseReason(key) else { return }
    // The job's waiting runs fail too.
    var index = 0
    while index < waiting.count {
      guard case .run(let other, _) = waiting[index], other.kind == request.kind, other.job == request.job
      else {
        index += 1
        continue
      }
      dismiss(removeWaiter(at: index), .failed(reason))
    }
  }

  private mutating func endStreak(_ key: StreakKey) {
    guard !streaks.isEmpty, let streak = streaks.removeValue(forKey: key) else { return }
    if streak.isPaused { effects.append(.forget(key.timer)) }
  }
}
