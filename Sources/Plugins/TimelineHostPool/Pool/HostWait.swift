package import TimelineCore
package import TimelineEngine

/// Reason why runs of a kind have to wait for a plugin host.
package struct HostWait: Sendable, Equatable {
  /// Limits that prevent the start of another plugin host.
  package enum Bound: Sendable, Equatable {
    /// The limit on plugin hosts in use, over all kinds, is reached.
    case all
    /// The limit on plugin hosts of one kind in use is reached.
    case ofKind
    /// A system resource that a plugin host needs is short; with the reason.
    case shortage(String)
    /// None: a plugin host is about to be started or is loading.
    case none
  }

  package var bound: Bound
  /// Number of plugin hosts that count against the limit.
  package var inUse: Int
  /// Largest number of plugin hosts that may count against the limit.
  package var max: Int
  /// The run that has used one of these hosts for longest, and its job.
  package var holder: (run: RunID, job: JobName)? { holderRun.flatMap { run in holderJob.map { (run, $0) } } }
  private var holderRun: RunID?
  private var holderJob: JobName?

  package init(_ bound: Bound, inUse: Int, max: Int, holder: (run: RunID, job: JobName)? = nil) {
    (self.bound, self.inUse, self.max) = (bound, inUse, max)
    (holderRun, holderJob) = (holder?.run, holder?.job)
  }

  /// The reason as it follows the word "waits".
  package var text: String {
    let user = holder.map { ", \(inUse == 1 ? "" : "the longest ")by job \($0.job) run \($0.run)" } ?? ""
    return switch bound {
    case .all: "for a plugin host: \(inUse) of \(max) in use\(user)"
    case .ofKind: "for a plugin host: \(inUse) of the \(max) that one plugin may have in use\(user)"
    case .shortage(let reason): "for a plugin host, which cannot be started just now: \(reason)"
    case .none: "for a plugin host, which is being started\(inUse == 0 ? "" : "; \(inUse) in use\(user)")"
    }
  }
}

extension HostPoolState {
  /// Returns the reason why runs of this kind have to wait for a host now.
  func wait(for kind: HostSpec) -> HostWait {
    let ofKind = placesTaken(by: kind)
    if let shortage { return wait(.shortage(shortage.reason), ofKind, max: ofKind, nil) }
    if ofKind >= limits.hostsPerKindMax, limits.hostsPerKindMax < limits.hostsMax {
      return wait(.ofKind, ofKind, max: limits.hostsPerKindMax, kind)
    }
    let ofAll = placesTaken()
    if ofAll >= limits.hostsMax { return wait(.all, ofAll, max: limits.hostsMax, nil) }
    return wait(.none, count(kind) { $0.run != nil }, max: limits.hostsPerKindMax, kind)
  }

  /// Whether enough hosts of this kind are being started for the runs that wait for one.
  func isStarting(_ kind: HostSpec) -> Bool {
    let loading = count(kind) { if case .loading = $0.phase { true } else { false } }
    return loading > 0 && loading >= waiting.count { $0.kind == kind && $0.run != nil }
  }

  private func wait(_ bound: HostWait.Bound, _ inUse: Int, max: Int, _ kind: HostSpec?) -> HostWait {
    var longest: PooledHost?
    for host in hosts where host.run != nil && kind.map({ host.kind == $0 }) ?? true {
      if longest.map({ host.usedAt < $0.usedAt }) ?? true { longest = host }
    }
    guard case .running(let request, _)? = longest?.phase else {
      return HostWait(bound, inUse: inUse, max: max)
    }
    return HostWait(bound, inUse: inUse, max: max, holder: (request.run, request.job))
  }

  /// Reports the first run that has to wait for a kind because the limit on hosts is reached.
  mutating func noteFull(_ kind: HostSpec) {
    guard shortage == nil,
      case .run(let request, _)? = waiting.first(where: { $0.kind == kind && $0.run != nil }),
      !toldFull.contains(kind)
    else { return }
    let wait = wait(for: kind)
    guard wait.bound != .none else { return }
    toldFull.insert(kind)
    effects.append(.note(.waiting(request.run, request.job, wait)))
  }
}
