package import TimelineCore
package import TimelineEngine
import TimelineSystem
import TimelineWire

/// Report on the hosts that an earlier daemon left.
package struct HostInheritance: Sendable, Equatable {
  /// The runs for which ``PluginEvent/ended(_:_:)`` will be reported after ``PluginHosts/collect()`` is called.
  package var runs: Set<RunID> = []
  /// Messages for operators: one sentence for each host that could not be inherited.
  package var complaints: [String] = []

  /// Returns `open`, in which the runs whose ends will be reported are marked as alive.
  package func marking(_ open: [OpenRun]) -> [OpenRun] {
    open.map { run in
      var marked = run
      marked.isAlive = runs.contains(run.run)
      return marked
    }
  }
}

// Hand-over of hosts from one daemon to the next.
extension PluginHosts {
  /// Number of descriptors of this daemon in the store.
  package var keptDescriptorCount: Int {
    hosts.values.count(where: \.isKept) * HostDescriptorStore.descriptorsPerHost
  }

  /// Inherits the hosts that an earlier daemon left in the store, if their runs are among `open`.
  ///
  /// Runs that have ended meanwhile are included. An idle host is ended. A host whose run is not open any more is killed,
  /// because its end would not be reported. Owns all of `descriptors`. Reports nothing before ``collect()``.
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

  /// Adds the host to the pools. Returns whether the host stays.
  private func adopt(
    _ host: InheritedHost, _ open: [OpenRun], _ inheritance: inout HostInheritance
  ) throws(HostFailure) -> Bool {
    if let ending = host.record.ending, let run = open.first(where: ending.run.isAttempt) {
      let request = PluginRun(inheriting: run, kind: host.kind)
      // The earlier daemon did not record when the run was sent.
      let end = PluginRunEnd(
        ending.end, in: request, from: MonotonicInstant(nanosecondsSinceBoot: 0),
        receivedAt: SystemTime.monotonic())
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

  /// Reports the messages that inherited hosts sent while no daemon ran. Called once, before any other action on their
  /// runs.
  package func collect() {
    let ends = inheritedEnds
    inheritedEnds = []
    for (run, end) in ends { report(.ended(run, end)) }
    for host in inheritedHosts { host.catchUp() }
  }

  /// Whether hosts with active runs survive the end of this daemon.
  package var hasKeeper: Bool { keeper != nil }

  /// The inherited hosts, in order.
  private var inheritedHosts: [HostProcess] {
    hosts.sorted(on: \.key).map(\.value).filter(\.isInherited)
  }

  /// Waits until every run can be left to the next daemon, for at most `limit`. Passes whether that succeeded to
  /// `completion`.
  ///
  /// Runs without a host get one meanwhile. After `completion` the process may end without further messages.
  package func handOver(atMost limit: ElapsedTime, completion: @escaping (Bool) -> Void) {
    guard keeper != nil else { return completion(false) }
    handOver(until: SystemTime.monotonic() + limit, completion)
  }

  private func handOver(until deadline: MonotonicInstant, _ completion: @escaping (Bool) -> Void) {
    if isReadyToHandOver { return completion(true) }
    if SystemTime.monotonic() >= deadline { return completion(false) }
    loop.after(Self.handOverPause) { [weak self] in self?.handOver(until: deadline, completion) }
  }

  /// Interval between two checks: a host needs 1 to 2 ms to load a plugin.
  private static let handOverPause = ElapsedTime.milliseconds(2)
}

extension PluginRun {
  /// Makes a run that an earlier daemon started, from the data in the ledger.
  init(inheriting open: OpenRun, kind: HostSpec) {
    self.init(attempt: Attempt(inheriting: open), kind: kind)
  }
}

extension Attempt {
  /// Makes the latest attempt of a run that an earlier daemon started, from the data in the ledger.
  package init(inheriting open: OpenRun) {
    self.init(
      run: open.run, entry: open.entry, cause: open.cause, number: open.attempts, startedAt: open.startedAt,
      entryCount: open.entryCount)
  }
}
