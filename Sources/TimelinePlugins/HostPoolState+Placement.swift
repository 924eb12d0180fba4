import TimelineCore
import TimelineEngine

// Who gets which host, and which hosts are kept.
extension HostPoolState {
  /// Serves those who wait for a host of this kind, oldest first, as far as there are hosts or may be more.
  mutating func place(_ kind: HostKind) {
    var loading = hosts.count { $0.kind == kind && $0.isLoading }
    var isFull = false
    var index = 0
    while index < waiting.count {
      guard waiting[index].kind == kind else {
        index += 1
        continue
      }
      let waiter = waiting[index]
      if serve(waiter) {
        waiting.remove(at: index)
      } else if loading > 0 {
        // One of the hosts that are loading will be his.
        loading -= 1
        index += 1
      } else if let reason = pauseReason(.kind(kind)) {
        waiting.remove(at: index)
        dismiss(waiter, .failed(reason))
      } else {
        if !isFull && makeRoom(for: kind) { spawn(kind) } else { isFull = true }
        index += 1
      }
    }
  }

  /// Serves everybody who waits, after room was made for a host of any kind.
  mutating func placeAll() {
    var seen: Set<HostKind> = []
    for kind in waiting.map(\.kind) where seen.insert(kind).inserted { place(kind) }
  }

  /// Gives the waiter what he waits for if a host is there or if he is to fail at once.
  private mutating func serve(_ waiter: HostWaiter) -> Bool {
    switch waiter {
    case .run(let request):
      if let reason = pauseReason(.job(request.kind, request.job)) {
        dismiss(waiter, .failed(reason))
        return true
      }
      guard let index = readyHost(for: request) else { return false }
      begin(request, at: index)
      return true
    case .inquiry(let id, let kind):
      guard let identity = hosts.first(where: { $0.kind == kind && $0.identity != nil })?.identity else {
        return false
      }
      effects.append(.answered(id, .success(identity)))
      return true
    }
  }

  /// The ready host that has the job's instance open, or else the one that was used last.
  private func readyHost(for request: RunRequest) -> Int? {
    var best: Int?
    var bestFits = false
    for index in hosts.indices where hosts[index].isReady && hosts[index].kind == request.kind {
      let fits = hosts[index].instances.contains { $0.fits(request) }
      guard let current = best else {
        (best, bestFits) = (index, fits)
        continue
      }
      if (fits && !bestFits) || (fits == bestFits && hosts[index].usedAt > hosts[current].usedAt) {
        (best, bestFits) = (index, fits)
      }
    }
    return best
  }

  private mutating func begin(_ request: RunRequest, at index: Int) {
    let use = instance(for: request, at: index)
    hosts[index].phase = .running(request, killed: nil)
    hosts[index].usedAt = eventCount
    effects.append(.begin(hosts[index].id, request, use))
    effects.append(.started(request.run, hosts[index].id))
  }

  /// Finds the instance for a request or makes room for a new one.
  private mutating func instance(for request: RunRequest, at index: Int) -> InstanceUse {
    let id = hosts[index].id
    if let position = hosts[index].instances.lastIndex(where: { $0.job == request.job }) {
      let instance = hosts[index].instances.remove(at: position)
      if instance.fits(request) {
        hosts[index].instances.append(instance)
        return .open(instance.id)
      }
      effects.append(.closeInstance(id, instance.id))
    }
    if hosts[index].instances.count >= limits.instancesPerHostMax {
      effects.append(.closeInstance(id, hosts[index].instances.removeFirst().id))
    }
    hosts[index].instancesOpened += 1
    let new = InstanceID(number: hosts[index].instancesOpened)
    hosts[index].instances.append(
      PooledHost.Instance(
        id: new, job: request.job, revision: request.revision, parameters: request.parameters))
    return .new(new)
  }

  /// Whether one more host of this kind may be started now; if not, makes a resting host of another kind go.
  private mutating func makeRoom(for kind: HostKind) -> Bool {
    let ofKind = hosts.count { $0.kind == kind }
    if ofKind < limits.hostsPerKindMax && hosts.count < limits.hostsMax { return true }
    let someoneLeaves = hosts.contains { $0.isEnding || $0.isClosed }
    if ofKind < limits.hostsPerKindMax && !someoneLeaves {
      if let rested = longestRested(where: { $0.kind != kind }) {
        letGo(at: rested)
      }
    }
    return false
  }

  private mutating func spawn(_ kind: HostKind) {
    hostsStarted += 1
    let id = HostID(number: hostsStarted)
    hosts.append(PooledHost(id: id, kind: kind))
    effects.append(.spawn(id, kind))
    effects.append(.wait(.load(id), limits.loadLimit))
  }

  /// Puts a host to rest, or lets it go if it has served its time or is one too many, and serves those who wait.
  mutating func rest(at index: Int) {
    let kind = hosts[index].kind
    hosts[index].phase = .idle
    hosts[index].usedAt = eventCount
    if hosts[index].runs >= limits.runsPerHostMax {
      effects.append(.note(.recycled(kind, runs: hosts[index].runs)))
      letGo(at: index)
    } else if isShuttingDown {
      letGo(at: index)
    } else {
      sweep(at: index)
    }
    place(kind)
    let id = hosts[index].id
    if hosts[index].isReady, let retained, retained[kind] == nil { letGo(at: index) }
    trimIdle(after: id)
  }

  /// Closes the instances of jobs that a reload took away.
  private mutating func sweep(at index: Int) {
    guard hosts[index].needsSweep, let retained else { return }
    hosts[index].needsSweep = false
    let jobs = retained[hosts[index].kind] ?? []
    for instance in hosts[index].instances where !jobs.contains(instance.job) {
      effects.append(.closeInstance(hosts[index].id, instance.id))
    }
    hosts[index].instances.removeAll { !jobs.contains($0.job) }
  }

  /// Lets resting hosts go until the bounds on them hold.
  private mutating func trimIdle(after id: HostID) {
    guard let kind = hosts.first(where: { $0.id == id })?.kind else { return }
    while hosts.count(where: { $0.isReady && $0.kind == kind }) > limits.idleHostsPerKindMax,
      let rested = longestRested(where: { $0.kind == kind })
    {
      letGo(at: rested)
    }
    while hosts.count(where: \.isReady) > limits.idleHostsMax,
      let rested = longestRested(where: { _ in true })
    {
      letGo(at: rested)
    }
  }

  private func longestRested(where condition: (PooledHost) -> Bool) -> Int? {
    hosts.indices.filter { hosts[$0].isReady && condition(hosts[$0]) }.min {
      hosts[$0].usedAt < hosts[$1].usedAt
    }
  }

  /// Closes a host's socket and waits for its exit.
  mutating func letGo(at index: Int) {
    hosts[index].phase = .ending
    effects.append(.letGo(hosts[index].id))
    awaitEnd(at: index)
  }

  /// Makes sure that a host which is to end does.
  mutating func awaitEnd(at index: Int) {
    guard !hosts[index].awaitsEnd else { return }
    hosts[index].awaitsEnd = true
    effects.append(.wait(.end(hosts[index].id), limits.endLimit))
  }
}
