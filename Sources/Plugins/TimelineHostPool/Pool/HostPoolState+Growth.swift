import TimelineCore

// Growth of pools.
extension HostPoolState {
  /// Progress of a pool since the last decision on its growth.
  struct Growth: Sendable {
    /// Number of runs that have ended. Each end has freed a host.
    var ended = 0
  }

  /// Whether one more host of this kind may be started at once.
  ///
  /// The start of a host takes processor time from the active hosts. For a hundred short commands that are due at one
  /// instant, a few warm hosts that take turns are three times as fast as one host for each command. For a hundred long
  /// commands a few hosts are not enough. So beyond ``HostLimits/promptHostsPerKindMax`` a pool grows only if its hosts
  /// turn out to be held up, and then doubles.
  mutating func mayGrow(_ kind: HostSpec) -> Bool {
    let ofKind = count(kind) { !$0.isEnding }
    if ofKind < limits.promptHostsPerKindMax { return true }
    watchGrowth(of: kind)
    return false
  }

  private mutating func watchGrowth(of kind: HostSpec) {
    guard growth[kind] == nil, !isShuttingDown else { return }
    growth[kind] = Growth()
    effects.append(.wait(.growth(kind), limits.growthPause))
  }

  /// Counts the end of a run of this kind.
  mutating func noteEnd(of kind: HostSpec) {
    if !growth.isEmpty { growth[kind]?.ended += 1 }
  }

  /// Adds hosts for waiting runs if fewer runs have ended during ``HostLimits/growthPause`` than the pool has loaded hosts.
  mutating func considerGrowth(of kind: HostSpec) {
    guard let progress = growth.removeValue(forKey: kind) else { return }
    let loading = count(kind) { $0.isLoading }
    let working = count(kind) { !$0.isEnding } - loading
    let waiting = waitingCount(of: kind, atMost: max(1, working))
    guard waiting > 0 else { return }
    if progress.ended < working {
      for _ in 0..<max(0, min(waiting, working) - loading) where mayTry(kind) {
        guard makeRoom(for: kind) else { return noteFull(kind) }
        spawn(kind)
      }
    }
    watchGrowth(of: kind)
  }

  /// Ends the growth of all kinds.
  mutating func stopGrowing() {
    for kind in growth.keys { effects.append(.forget(.growth(kind))) }
    growth = [:]
  }

  /// Whether a timer for the growth of this kind is set, so that its waiters will be served.
  func isGrowing(_ kind: HostSpec) -> Bool { growth[kind] != nil }

  /// Number of waiters for this kind, at most `limit`.
  private func waitingCount(of kind: HostSpec, atMost limit: Int) -> Int {
    var count = 0
    for waiter in waiting where waiter.kind == kind {
      count += 1
      if count >= limit { break }
    }
    return count
  }
}
