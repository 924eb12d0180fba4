package import TimelineCore
package import TimelineEngine
import TimelineHosting
package import TimelineSystem

// A start in two parts, for those that are to be made at an instant and not a microsecond later.
extension PluginHosts {
  /// A run of which all is done that can be done before its time.
  package enum ReadyRun {
    /// It is to be handed to a host.
    indirect case hosted(PluginRun)
    /// It is to be called here, after those that were made ready before.
    case called
    /// It was handed to a host, which waits for its time.
    case sent
    /// It must not be handed to a host, and waits until it is taken back.
    case withheld(RunID)
    /// It has ended before it began.
    indirect case over(RunID, PluginRunEnd)
  }

  /// Makes a run ready; ``start(_:areLast:before:)`` is to follow soon, of all that are ready in their order, and with nothing but other runs
  /// in between. A run that is called here is never put together as one for a host. A host that is handed the run ahead keeps a
  /// processor busy for the last `spin` before its time.
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

  /// Hands the first of `runs` to hosts, which call their plugins when `time` has passed: then nothing is between the deadline
  /// and the call but a wake-up of the host's own, which has been awake just before.
  ///
  /// Hosts that have to be started for them are started now. What stays is handed over by ``start(_:areLast:before:)``.
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

  /// Calls the plugins of `runs` in their order, and reports on those that are called here when all are called, and unless they `areLast`
  /// not before further ones that are made ready and started right after; `first` is the last thing before the first of them, and is
  /// told whether that is called here.
  ///
  /// Exactly one ``PluginEvent/ended(_:_:)`` follows for each, perhaps before this returns. Gives when each was called or handed to
  /// its host, in their order.
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
  /// Whether it is called in this process.
  fileprivate var isCalled: Bool { if case .called = self { true } else { false } }
}
