import TimelineCore
import TimelineEngine

// Assignment of hosts to waiters, and the choice of hosts that are kept.
extension HostPoolState {
  /// Serves those who wait for a host of this kind, oldest first, as far as there are hosts or may be more.
  ///
  /// A pause after a failure applies to runs only. An operator who asks about the plugin may just have fixed it, so a
  /// host is tried for an inquiry.
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
        // One of the hosts that are loading will be his.
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

  /// Whether nobody who comes later can be served or told anything just now, so that a run that ends in the middle of a
  /// hundred that wait does not look at each of them.
  private func isHopeless(_ kind: HostSpec) -> Bool {
    inquiriesWaiting == 0 && pauseReason(.kind(kind)) == nil && count(kind, where: { $0.isReady }) == 0
  }

  /// Whether a host of this kind may be started for somebody who waits: the kind is not paused, or somebody asks about it.
  func mayTry(_ kind: HostSpec) -> Bool {
    pauseReason(.kind(kind)) == nil
      || inquiriesWaiting > 0 && waiting.contains { $0.run == nil && $0.kind == kind }
  }

  /// Serves everybody who waits, after room was made for a host of any kind.
  mutating func placeAll() {
    var seen: Set<HostSpec> = []
    for kind in waiting.map(\.kind) where seen.insert(kind).inserted { place(kind) }
  }

  /// Gives the waiter what he waits for if a host is there or if he is to fail at once.
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

  /// The identity of the plugin, as a host knows it that was started by the files as they are now.
  ///
  /// A host that was started by former files answers only if no further host may be started: its runs may take for ever.
  private func identity(of kind: HostSpec) -> PluginIdentity? {
    let known = hosts.filter { $0.kind == kind && $0.identity != nil && !$0.isOutdated }
    if let host = known.first(where: { !$0.hasFormerFiles }) { return host.identity }
    guard placesTaken(by: kind) >= limits.hostsPerKindMax || placesTaken() >= limits.hostsMax else {
      return nil
    }
    return known.first?.identity
  }

  /// The ready host with the least to do before the run: one that has the job's instance open, or has none open; or else, if
  /// no more hosts are to be kept warm, the emptiest with room for one more, or the one that closes what has rested longest.
  ///
  /// So jobs get a host of their own as far as there may be some, and share what there is only then; but those of a group share
  /// as many hosts as it lets run at a time.
  private func readyHost(for request: PluginRun) -> (Int, InstanceUse)? {
    // Most runs find their instance open, and to see what else there is takes the longer the more of them there are.
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

  /// The ready host used last among those that serve the run's group and have room, when there are as many as the group lets run.
  ///
  /// One host more would only ever run while another rests. And a host that has just served one run serves the next sooner than
  /// one that has rested since: what it needs is still in the processor's caches.
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

  /// Whether another host is worth its start-up because it will stay.
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

  /// Whether one more host of this kind may be started now; if not, makes a resting host of another kind go.
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

  /// Puts a host to rest, or lets it go if it has served its time or is one too many, and serves those who wait.
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
      // More than may be, it was started in a place that was lent.
      letGo(at: index)
    } else if isInTheWay(kind) {
      letGo(at: index)
    } else {
      sweep(at: index)
    }
    place(kind)
    // Its room is of use to a pool that grows by and by.
    if hosts[index].isReady, placesTaken() >= limits.hostsMax { placeAll() }
    // Busy again, it is none too many.
    guard hosts[index].isReady else { return }
    // Without a run it is not kept for a later one: what it has read may have changed by then.
    if kind.servesOneRun { return letGo(at: index) }
    if let retained, !retained.kinds.contains(kind) { letGo(at: index) }
    trimIdle(kind)
    limitIdleTime(at: index)
  }

  /// Whether a host of this kind that comes to rest is to make room, as there may be no more hosts: somebody whose kind has none
  /// for him has waited longer than anybody who could take this one.
  private func isInTheWay(_ kind: HostSpec) -> Bool {
    guard !waiting.isEmpty, placesTaken() >= limits.hostsMax,
      !hosts.contains(where: { $0.isEnding || $0.isClosed })
    else { return false }
    // Of each kind that may have more hosts, how many who wait are still to have one of those that load.
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

  /// Number of loading hosts of a kind that has waiters; `nil` when no more would be started at once even if there were
  /// room, because the kind has enough, grows gradually, or is paused.
  private func hostsToCome(_ kind: HostSpec) -> Int? {
    guard count(kind, where: { !$0.isEnding }) < min(limits.promptHostsPerKindMax, limits.hostsPerKindMax),
      count(kind, where: { $0.isReady }) == 0, mayTry(kind)
    else { return nil }
    return count(kind) { $0.isLoading }
  }

  /// Closes the instances of jobs that a reload took away.
  private mutating func sweep(at index: Int) {
    guard hosts[index].needsSweep, let retained else { return }
    hosts[index].needsSweep = false
    let kind = hosts[index].kind
    let abandoned = hosts[index].instances.values.filter { !retained.keeps($0.job, kind) }
    for instance in abandoned.sorted(by: { $0.number < $1.number }) {
      hosts[index].instances[instance.job] = nil
      effects.append(.closeInstance(hosts[index].id, instance.number))
    }
  }

  /// Lets resting hosts go until the bounds on them hold.
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

  /// Limits the time for which a host that runs as a job's user has nothing to do.
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

  /// Makes sure that a host which is to end does.
  mutating func awaitEnd(at index: Int) {
    guard !hosts[index].awaitsEnd else { return }
    hosts[index].awaitsEnd = true
    effects.append(.wait(.end(hosts[index].id), limits.endLimit))
  }
}
