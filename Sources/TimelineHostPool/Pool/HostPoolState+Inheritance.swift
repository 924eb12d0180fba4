import TimelineEngine

// Hosts that outlive a daemon.
extension HostPoolState {
  /// Takes in a host that an earlier daemon has left in the middle of a run.
  ///
  /// It goes when that run is over: it may be of another release, and what its instance was opened for is not known.
  mutating func adopt(_ request: PluginRun) -> HostID {
    hostsStarted += 1
    let id = HostID(number: hostsStarted)
    var host = PooledHost(id: id, kind: request.kind)
    host.phase = .running(request, killed: nil)
    host.isOutdated = true
    hosts.append(host)
    return id
  }

  /// Whether every run is with a host of which nothing but the run's own end is to be expected.
  var isQuiet: Bool {
    let hasWaitingRun = waiting.contains { $0.run != nil }
    return !hasWaitingRun
      && hosts.allSatisfy { host in
        guard case .running(_, let killed) = host.phase else { return true }
        return killed == nil && host.fault == nil && !host.isClosed
      }
  }
}
