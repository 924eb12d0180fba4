import TimelineEngine

// Hosts that continue after the end of the daemon that started them.
extension HostPoolState {
  /// Adds a host that an earlier daemon has left in the middle of a run.
  ///
  /// The host ends when that run is over, because it may be of another release, and the job and parameters of its instance
  /// are not known.
  mutating func adopt(_ request: PluginRun) -> HostID {
    hostsStarted += 1
    let id = HostID(number: hostsStarted)
    var host = PooledHost(id: id, kind: request.kind)
    host.phase = .running(request, killed: nil)
    host.isOutdated = true
    hosts.append(host)
    return id
  }

  /// Whether no run waits for a host, and no host with a run was killed, is at fault, or has closed its socket.
  var isQuiet: Bool {
    let hasWaitingRun = waiting.contains { $0.run != nil }
    return !hasWaitingRun
      && hosts.allSatisfy { host in
        guard case .running(_, let killed) = host.phase else { return true }
        return killed == nil && host.fault == nil && !host.isClosed
      }
  }
}
