import TimelineCore
package import TimelineEngine
import TimelineHosting

// A start in two parts, for those that are to be made at an instant and not a microsecond later.
extension PluginHosts {
  /// A run of which all is done that can be done before its time.
  package enum ReadyRun {
    /// It is to be handed to a host.
    indirect case hosted(PluginRun)
    /// It is to be called here.
    case called(InProcessRun)
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

  /// Goes the way of the first call among `runs` without calling, so that it is not held up by cold caches at its instant.
  package func rehearse(_ runs: [ReadyRun]) {
    guard case .called(let run)? = runs.first else { return }
    run.plugin.rehearse(run.call)
  }

  /// Calls the plugins of `runs` in their order, each after `mark`, and reports of those called here when all are called;
  /// exactly one ``PluginEvent/ended(_:_:)`` follows for each, perhaps before this returns.
  package func start(_ runs: [ReadyRun], before mark: () -> Void = {}) {
    for run in runs {
      mark()
      switch run {
      case .hosted(let run): handle(.start(run))
      case .called(let run): inProcess.call(run)
      case .over(let run, let end): report(.ended(run, end))
      }
    }
    for case .called(let run) in runs { inProcess.tell(of: run) }
  }
}
