package import TimelineCore
package import TimelineEngine
import TimelineHosting
import TimelineSystem

// A start in two parts, for those that are to be made at an instant and not a microsecond later.
extension PluginHosts {
  /// A run of which all is done that can be done before its time.
  package enum ReadyRun {
    /// It is to be handed to a host.
    indirect case hosted(PluginRun)
    /// It is to be called here.
    case called(InProcessRun)
    /// It was handed to a host, which waits for its time.
    case sent
    /// It has ended before it began.
    indirect case over(RunID, PluginRunEnd)
  }

  /// Makes a run ready; ``start(_:before:)`` is to follow soon, and with nothing but other runs in between.
  package func ready(_ run: PluginRun) -> ReadyRun {
    switch run.kind.isolation {
    case .host: .hosted(run)
    case .inProcess: inProcess.ready(run)
    }
  }

  /// Hands the first of `runs` to hosts, which call their plugins when `time` has passed: then nothing is between the deadline
  /// and the call but a wake-up of the host's own, which has been awake just before.
  ///
  /// Hosts that have to be started for them are started now. What stays is handed over by ``start(_:before:)``.
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

  /// Calls the plugins of `runs` in their order, each after `mark`, with nothing left to be done in between where they are called
  /// here, and reports of those when all are called;
  /// exactly one ``PluginEvent/ended(_:_:)`` follows for each, perhaps before this returns.
  package func start(_ runs: [ReadyRun], before mark: () -> Void = {}) {
    for run in runs {
      switch run {
      case .called(let run): inProcess.call(run, before: mark)
      case .hosted(let run):
        mark()
        handle(.start(run))
      case .over(let run, let end):
        mark()
        report(.ended(run, end))
      case .sent: mark()
      }
    }
    for case .called(let run) in runs { inProcess.tell(of: run) }
  }
}
