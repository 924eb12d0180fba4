import TimelineCore
import TimelineEngine

// Assignment of hosts to waiters, and the choice of hosts to keep.
extension HostPoolState {
  /// Serves the waiters for a host of this kind, oldest first, as long as hosts are free or may be started.
  ///
  /// A pause after a failure applies to runs only. For an inquiry a host is started during the pause, because the operator
  /// may just have fixed the plugin.
  mutating func place(_ kind: HostSpec) {
    guard !waiting.isEmpty else { return }
    var loading = count(kind) { $0.isLoading }
    var isFull = false
    var index = 0
    while index < waiting.count {
      guard waiting[index].kind == kind else {
        index += 1
        continue
      }
      let waiter = waiting[index]
      if serve(waiter) {
        _ = removeWaiter(at: index)
      } else if loading > 0 {
        // One of the loading hosts will serve this waiter.
        loading -= 1
        index += 1
      } else if waiter.run != nil, let reason = pauseReason(.kind(kind)) {
        dismiss(removeWaiter(at: index), .failed(reason))
      } else {
        if !isFull {
          if mayGrow(kind) && makeRoom(for: kind) {
            spawn(kind)
          } else if isHopeless(kind) {
            return
          } else {
            isFull = true
          }
        }
        index += 1
      }
    }
  }

  /// Whether no later waiter can be served or dismissed now. Because of this check, the end of one run does not examine
  /// each of a hundred waiting runs.
  private func isHopeless(_ kind: HostSpec) -> Bool {
    inquiriesWaiting == 0 && pauseReason(.kind(kind)) == nil && count(kind, where: { $0.isReady }) == 0
  }

  /// Whether a host of this kind may be started for a waiter: the kind is not paused, or an inquiry about the kind waits.
  func mayTry(_ kind: HostSpec) -> Bool {
    pauseReason(.kind(kind)) == nil
      || inquiriesWaiting > 0 && waiting.contains { $0.run == nil && $0.kind == kind }
  }

  /// Serves all waiters, because there may be room now for a host of any kind.
  mutating func placeAll() {
    var seen: Set<HostSpec> = []
    for kind in waiting.map(\.kind) where seen.insert(kind).inserted { place(kind) }
  }

  /// Serves the waiter if a host is ready for it. Returns whether the waiter was served.
  private mutating func serve(_ waiter: HostWaiter) -> Bool {
    switch waiter {
    case .run(let request, let arrival):
      guard let (index, use) = readyHost(for: request) else { return false }
      begin(request, at: index, use, hasWaited: arrival < eventCount)
      return true
    case .inquiry(let id, let kind):
      guard let identity = identity(of: kind) else { return false }
      effects.append(.answered(id, .success(identity)))
      return true
    }
  }

  /// The identity of the plugin, as reported by a host that was started from the current files.
  ///
  /// A host that was started from former files answers only if no further host may be started, because the runs of active
  /// hosts may never end.
  private func identity(of kind: HostSpec) -> PluginIdentity? {
    let known = hosts.filter { $0.kind == kind && $0.identity != nil && !$0.isOutdated }
    if let host = known.first(where: { !$0.hasFormerFiles }) { return host.identity }
    guard placesTaken(by: kind) >= limits.hostsPerKindMax || placesTaken() >= limits.hostsMax else {
      return nil
    }
    return known.first?.identity
  }

  /// The ready host with the least work before the run. First choice is a host that has the job's instance open, or has no
  /// instance open. If no more hosts may be kept warm, the choice is the host with the fewest open instances that has room
  /// for another, or the host that closes the instance that has been unused for longest.
  ///
  /// So jobs get a host of their own while more hosts may be kept warm, and share hosts only after that. The jobs of a
  /// group share as many hosts as the group has runs at a time.
  private func readyHost(for request: PluginRun) -> (Int, InstanceUse)? {
    // Most runs find their instance open. The full search takes longer with each open instance.
    for index in hosts.indices where hosts[index].isReady && hosts[index].kind == request.kind {
      if let number = hosts[index].openInstance(for: request) { return (index, .open(number)) }
    }
    if let shared = hostOfGroup(for: request) { return shared }
    var roomiest: (index: Int, use: InstanceUse, count: Int)?
    var oldest: (index: Int, use: InstanceUse, usedAt: UInt64)?
    for index in hosts.indices where hosts[index].isReady && hosts[index].kind == request.kind {
      let (use, sacrifice) = hosts[index].use(for: request)
      let count = hosts[index].instances.count
      if let sacrifice {
        if oldest.map({ sacrifice < $0.usedAt }) ?? true { oldest = (index, use, sacrifice) }
      } else if roomiest.map({ count < $0.count }) ?? true {
        roomiest = (index, use, count)
      }
    }
    if let roomiest, roomiest.count == 0 { return (roomiest.index, roomiest.use) }
    guard roomiest != nil || oldest != nil, !mayKeepWarm(request.kind) else { return nil }
    return roomiest.map { ($0.index, $0.use) } ?? oldest.map { ($0.index, $0.use) }
  }

  /// The host used last among the ready hosts that serve the run's group and have room; `nil` while fewer hosts serve the
  /// group than the group's limit of active runs.
  ///
  /// A further host would run only while another is idle. A host that has just served a run serves the next one sooner than
  /// an idle host, because its data is still in the processor's caches.
  private func hostOfGroup(for request: PluginRun) -> (Int, InstanceUse)? {
    guard let turns = retained?.turns(of: request.job) else { return nil }
    var count = 0
    var latest: (index: Int, use: InstanceUse, usedAt: UInt64)?
    for index in hosts.indices
    where hosts[index].kind == request.kind && !hosts[index].isEnding && hosts[index].serves(turns.group) {
      count += 1
      guard hosts[index].isReady, latest.map({ $0.usedAt < hosts[index].usedAt }) ?? true else { continue }
      let (use, sacrifice) = hosts[index].use(for: request)
      if sacrifice == nil { latest = (index, use, hosts[index].usedAt) }
    }
    return count < turns.limit ? nil : latest.map { ($0.index, $0.use) }
  }

  /// Whether another host of this kind may be kept warm, so that its start-up time is worth while.
  private func mayKeepWarm(_ kind: HostSpec) -> Bool {
    guard pauseReason(.kind(kind)) == nil, placesTaken() < limits.hostsMax else { return false }
    return placesTaken(by: kind) < min(limits.hostsPerKindMax, limits.idleHostsPerKindMax)
      && readyCount < limits.idleHostsMax
  }

  private mutating func begin(_ request: PluginRun, at index: Int, _ use: InstanceUse, hasWaited: Bool) {
    let isOpen = if case .open = use { true } else { false }
    let group = isOpen ? nil : retained?.turns(of: request.job)?.group
    hosts[index].open(use, for: request, takingTurnsWith: group, at: eventCount)
    hosts[index].phase = .running(request, killed: nil)
    endIdleLimit(at: index)
    hosts[index].usedAt = eventCount
    effects.append(.begin(hosts[index].id, request, use))
    effects.append(.started(request.run, hosts[index].id, hasWaited: hasWaited))
  }

  /// Returns whether one more host of this kind may be started now. If only the limit on all hosts prevents it and no host is
  /// ending, ends an idle host of another kind.
  mutating func makeRoom(for kind: HostSpec) -> Bool {
    if shortage != nil { return false }
    let ofKind = placesTaken(by: kind)
    if ofKind < limits.hostsPerKindMax && placesTaken() < limits.hostsMax { return true }
    let someoneLeaves = hosts.contains { $0.isEnding || $0.isClosed }
    if ofKind < limits.hostsPerKindMax && !someoneLeaves {
      if let rested = longestRested(where: { $0.kind != kind }) {
        letGo(at: rested)
      }
    }
    return false
  }

  mutating func spawn(_ kind: HostSpec) {
    hostsStarted += 1
    let id = HostID(number: hostsStarted)
    hosts.append(PooledHost(id: id, kind: kind))
    effects.append(.spawn(id, kind))
    effects.append(.wait(.load(id), limits.loadLimit))
  }

  /// Makes a host idle, and serves the waiters. Ends the host instead if it has done its number of runs or is surplus.
  mutating func rest(at index: Int) {
    let kind = hosts[index].kind
    hosts[index].phase = .idle
    hosts[index].usedAt = eventCount
    if hosts[index].runs >= limits.runsPerHostMax {
      effects.append(.note(.recycled(kind, runs: hosts[index].runs)))
      letGo(at: index)
    } else if hosts[index].runs > 0, kind.servesOneRun {
      letGo(at: index)
    } else if isShuttingDown || hosts[index].isOutdated || placesTaken() > limits.hostsMax {
      // Surplus: the host was started in a lent place, and the lender takes the place again.
      letGo(at: index)
    } else if isInTheWay(kind) {
      letGo(at: index)
    } else {
      sweep(at: index)
    }
    place(kind)
    // The place of this idle host can be used by a pool that grows gradually.
    if hosts[index].isReady, placesTaken() >= limits.hostsMax { placeAll() }
    // A host that has got a run again is not surplus.
    guard hosts[index].isReady else { return }
    // A host for one run is not kept idle for a later run, because the files that it has read may change until then.
    if kind.servesOneRun { return letGo(at: index) }
    if let retained, !retained.kinds.contains(kind) { letGo(at: index) }
    trimIdle(kind)
    limitIdleTime(at: index)
  }

  /// Whether a host of this kind that becomes idle has to end because the limit on hosts is reached and an older waiter
  /// needs a host of another kind.
  private func isInTheWay(_ kind: HostSpec) -> Bool {
    guard !waiting.isEmpty, placesTaken() >= limits.hostsMax,
      !hosts.contains(where: { $0.isEnding || $0.isClosed })
    else { return false }
    // For each kind that may have more hosts, the number of waiters that its loading hosts can still serve.
    var loading: [HostSpec: Int?] = [:]
    for waiter in waiting {
      if waiter.kind == kind { return false }
      guard let left = loading[waiter.kind] ?? hostsToCome(waiter.kind) else {
        loading[waiter.kind] = .some(nil)
        continue
      }
      if left == 0 { return true }
      loading[waiter.kind] = left - 1
    }
    return false
  }

  /// Number of loading hosts of a kind that has waiters. `nil` if no further host would be started at once even with room,
  /// because the kind has enough hosts, grows gradually, or is paused.
  private func hostsToCome(_ kind: HostSpec) -> Int? {
    guard count(kind, where: { !$0.isEnding }) < min(limits.promptHostsPerKindMax, limits.hostsPerKindMax),
      count(kind, where: { $0.isReady }) == 0, mayTry(kind)
    else { return nil }
    return count(kind) { $0.isLoading }
  }

  /// Closes the instances of jobs that a reload removed.
  private mutating func sweep(at index: Int) {
    guard hosts[index].needsSweep, let retained else { return }
    hosts[index].needsSweep = false
    let kind = hosts[index].kind
    let abandoned = hosts[index].instances.values.filter { !retained.keeps($0.job, kind) }
    for instance in abandoned.sorted(on: \.number) {
      hosts[index].instances[instance.job] = nil
      effects.append(.closeInstance(hosts[index].id, instance.number))
    }
  }

  /// Ends idle hosts until their number is within the limits.
  private mutating func trimIdle(_ kind: HostSpec) {
    while count(kind, where: { $0.isReady }) > limits.idleHostsPerKindMax,
      let rested = longestRested(where: { $0.kind == kind })
    {
      letGo(at: rested)
    }
    while readyCount > limits.idleHostsMax,
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

  /// Limits the idle time of a host that runs as a job's user.
  private mutating func limitIdleTime(at index: Int) {
    guard hosts[index].isReady, hosts[index].kind.user != nil, !hosts[index].hasIdleLimit else { return }
    hosts[index].hasIdleLimit = true
    effects.append(.wait(.idle(hosts[index].id), limits.idleTimeOfUserMax))
  }

  private mutating func endIdleLimit(at index: Int) {
    guard hosts[index].hasIdleLimit else { return }
    hosts[index].hasIdleLimit = false
    effects.append(.forget(.idle(hosts[index].id)))
  }

  /// Closes a host's socket and waits for its exit.
  mutating func letGo(at index: Int) {
    endIdleLimit(at: index)
    hosts[index].phase = .ending
    effects.append(.letGo(hosts[index].id))
    awaitEnd(at: index)
  }

  /// Sets the time limit for the end of a host.
  mutating func awaitEnd(at index: Int) {
    guard !hosts[index].awaitsEnd else { return }
    hosts[index].awaitsEnd = true
    effects.append(.wait(.end(hosts[index].id), limits.endLimit))
  }
}
