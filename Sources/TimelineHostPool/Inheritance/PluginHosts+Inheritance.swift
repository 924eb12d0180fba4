package import TimelineCore
package import TimelineEngine
import TimelineSystem
import TimelineWire

/// Report on the hosts that an earlier daemon left.
package struct HostInheritance: Sendable, Hashable {
  /// The runs for which ``PluginEvent/ended(_:_:)`` will be reported, once ``PluginHosts/collect()`` was called.
  package var runs: Set<RunID> = []
  /// Messages for operators: one sentence for each host that could not be taken over.
  package var complaints: [String] = []

  /// Returns `open` with those runs marked as alive whose ends will be reported.
  package func marking(_ open: [OpenRun]) -> [OpenRun] {
    open.map { run in
      var marked = run
      marked.isAlive = runs.contains(run.run)
      return marked
    }
  }
}

// From one daemon to the next.
extension PluginHosts {
  /// Number of descriptors that the keeper has of this daemon.
  package var keptDescriptorCount: Int {
    hosts.values.count(where: \.isKept) * HostDescriptorStore.descriptorsPerHost
  }

  /// Takes over the hosts that an earlier daemon left with the keeper, as far as their runs are among `open`.
  ///
  /// A run that has ended meanwhile counts as well. A host that rests is let go, and one whose run is not open any more
  /// is killed: nobody would hear of its end. Takes all of `descriptors`. Reports nothing before ``collect()``.
  package func adopt(_ descriptors: [KeptDescriptor], open: [OpenRun]) -> HostInheritance {
    var inheritance = HostInheritance()
    var numbers: [String: [CInt]] = [:]
    var names: [String] = []
    for descriptor in descriptors {
      if numbers[descriptor.name] == nil { names.append(descriptor.name) }
      numbers[descriptor.name, default: []].append(descriptor.number)
    }
    for name in names {
      do throws(HostFailure) {
        let host = try InheritedHost(name: name, numbers[name] ?? [])
        if try !adopt(host, open, &inheritance) { keeper?.forget(name) }
      } catch {
        keeper?.forget(name)
        inheritance.complaints.append(
          "\(name) of the timelined before this one cannot be taken over: \(error); its run is settled by its promise"
        )
      }
    }
    return inheritance
  }

  /// Whether the host stays.
  private func adopt(
    _ host: InheritedHost, _ open: [OpenRun], _ inheritance: inout HostInheritance
  ) throws(HostFailure) -> Bool {
    if let ending = host.record.ending, let run = open.first(where: ending.run.isAttempt) {
      let request = PluginRun(inheriting: run, kind: host.kind)
      // Only the daemon before this one knew when it was sent.
      let end = PluginRunEnd(
        ending.end, in: request, from: MonotonicInstant(nanosecondsSinceBoot: 0),
        heard: SystemTime.monotonic())
      inheritedEnds.append((run.run, end))
      inheritance.runs.insert(run.run)
    }
    guard let running = host.record.running else {
      host.dismiss()
      return false
    }
    guard let run = open.first(where: running.isAttempt), !inheritance.runs.contains(run.run) else {
      host.kill()
      return false
    }
    try adopt(host, PluginRun(inheriting: run, kind: host.kind))
    inheritance.runs.insert(run.run)
    return true
  }

  /// Reports what the hosts taken over have said while nobody listened; once, and before anything else is done about their runs.
  package func collect() {
    let ends = inheritedEnds
    inheritedEnds = []
    for (run, end) in ends { report(.ended(run, end)) }
    for host in inheritedHosts { host.catchUp() }
  }

  /// Whether hosts that run can outlive this daemon.
  package var hasKeeper: Bool { keeper != nil }

  /// The hosts that were taken over, in order.
  private var inheritedHosts: [HostProcess] {
    hosts.sorted { $0.key < $1.key }.map(\.value).filter(\.isInherited)
  }

  /// Waits until every run can be left to the next daemon, for at most `limit`; `completion` is told whether that is so.
  ///
  /// Runs that have no host yet get one meanwhile. Then the process may end, without a word to anybody.
  package func handOver(atMost limit: ElapsedTime, completion: @escaping (Bool) -> Void) {
    guard keeper != nil else { return completion(false) }
    handOver(until: SystemTime.monotonic() + limit, completion)
  }

  private func handOver(until deadline: MonotonicInstant, _ completion: @escaping (Bool) -> Void) {
    if isReadyToHandOver { return completion(true) }
    if SystemTime.monotonic() >= deadline { return completion(false) }
    loop.after(Self.handOverPause) { [weak self] in self?.handOver(until: deadline, completion) }
  }

  /// Interval between two looks: a host needs a millisecond or two to load a plugin.
  private static let handOverPause = ElapsedTime.milliseconds(2)
}

extension PluginRun {
  /// Makes a run that an earlier daemon started, from what is still known of it.
  init(inheriting open: OpenRun, kind: HostSpec) {
    self.init(attempt: Attempt(inheriting: open), kind: kind)
  }
}

extension Attempt {
  /// Makes the latest attempt of a run that an earlier daemon started, from what is still known of it.
  package init(inheriting open: OpenRun) {
    self.init(
      run: open.run, entry: open.entry, cause: open.cause, number: open.attempts, startedAt: open.startedAt,
      entryCount: open.entryCount)
  }
}
