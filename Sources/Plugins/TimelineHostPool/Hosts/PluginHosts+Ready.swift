package import TimelineCore
package import TimelineEngine
import TimelineHosting
package import TimelineSystem

// A start in two steps, for starts that must happen exactly at an instant.
extension PluginHosts {
  /// A run that is prepared as far as possible before its time.
  package enum ReadyRun {
    /// The run is to be sent to a host.
    indirect case hosted(PluginRun)
    /// The run is to be called in this process, after the runs that were prepared before.
    case called
    /// The run was sent to a host, which waits for the run's time.
    case sent
    /// The run must not be sent to a host, and waits until the daemon withdraws it.
    case withheld(RunID)
    /// The run has ended before it began.
    indirect case over(RunID, PluginRunEnd)
  }

  /// Prepares a run. ``start(_:areLast:before:)`` must follow soon with all prepared runs in order; only further
  /// preparations may come in between. For an in-process run no ``PluginRun`` is built. If a host receives the run ahead of
  /// its time, the host keeps a processor busy for the last `spin` before that time.
  package func ready(
    _ attempt: Attempt, kind: HostSpec, parameters: String, revision: UInt64, cursor: [UInt8],
    isRehearsal: Bool, spin: ElapsedTime = .zero, startBy: ElapsedTime? = nil
  ) -> ReadyRun {
    switch kind.isolation {
    case .host:
      .hosted(
        PluginRun(
          attempt: attempt, kind: kind, parameters: parameters, revision: revision, cursor: cursor,
          isRehearsal: isRehearsal, spin: spin, startBy: startBy))
    case .inProcess:
      inProcess.ready(attempt, kind, parameters: parameters, cursor: cursor, isRehearsal: isRehearsal)
    }
  }

  /// Sends the first of `runs` to hosts ahead of their time. The hosts call their plugins when `time` has passed. So only the
  /// wake-up of a host that was active just before lies between the deadline and the call.
  ///
  /// Hosts that these runs need are started now. The remaining runs are sent by ``start(_:areLast:before:)``.
  package func sendAhead(_ runs: inout [ReadyRun], in time: ElapsedTime) {
    let end = SystemTime.monotonic() + time
    var left = TurnLimits.runsAheadMax
    for index in runs.indices {
      guard case .hosted(var run) = runs[index] else { continue }
      guard left > 0, end - SystemTime.monotonic() > TurnLimits.timeAheadMin else { return }
      left -= 1
      run.notBefore = end
      runs[index] = .sent
      handle(.start(run))
    }
  }

  /// Calls the plugins of `runs` in order. In-process calls are reported when all of them are made. Unless these runs
  /// `areLast`, the report waits for further runs that are prepared and started right after. `first` is called directly
  /// before the first call; its argument is whether that call is in-process.
  ///
  /// Exactly one ``PluginEvent/ended(_:_:)`` follows for each run, perhaps before this returns. Returns the instants at
  /// which the runs were called or sent to their hosts, in order.
  @discardableResult
  package func start(
    _ runs: [ReadyRun], areLast: Bool = true, before first: (_ isCalledHere: Bool) -> Void = { _ in }
  ) -> [MonotonicInstant] {
    var instants: [MonotonicInstant] = []
    instants.reserveCapacity(runs.count)
    var next = 0
    while next < runs.count {
      let count = runs[next...].prefix(while: \.isCalled).count
      if count > 0 {
        if next == 0 { first(true) }
        inProcess.call(count, into: &instants)
        next += count
        continue
      }
      if next == 0 { first(false) }
      instants.append(SystemTime.monotonic())
      switch runs[next] {
      case .hosted(let run): handle(.start(run))
      case .over(let run, let end): report(.ended(run, end))
      case .withheld(let run): report(.waits(run))
      case .called, .sent: break
      }
      next += 1
    }
    if areLast || inProcess.calledCount >= TurnLimits.callsUntoldMax { inProcess.reportCalls() }
    return instants
  }
}

extension PluginHosts.ReadyRun {
  /// Whether the run is called in this process.
  fileprivate var isCalled: Bool { if case .called = self { true } else { false } }
}
