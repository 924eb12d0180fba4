import TimelineCore
import TimelineEngine
import TimelineSystem
import TimelineWire

// Control groups of plugin hosts.
extension PluginHosts {
  /// Enables those of `controllers` that are available. Returns all enabled controllers; `nil` without a control group.
  package func turnOn(_ controllers: [String]) -> Set<String>? {
    configuration.delegatedGroup?.turnOn(controllers)
  }

  /// Returns the control group that a new host of this kind, with this process number, makes for itself; `nil` if no group
  /// is delegated. Enables the controllers that the group needs.
  func controlGroup(of kind: HostSpec, newProcess process: Int32) -> ControlGroup? {
    let rare = kind.setup.runLimits.controllers.filter { !DelegatedGroup.usualControllers.contains($0) }
    if !rare.isEmpty { _ = turnOn(rare) }
    let sinceBoot = SystemTime.monotonic().nanosecondsSinceBoot / 1_000_000
    let group = configuration.delegatedGroup?.group(forProcess: process, distinction: sinceBoot)
    guard let group, group.directory.utf8.count <= WireLimits.controlGroupMax else { return nil }
    return group
  }

  /// Records the figures of a run that is over. If memory was short, the host may end after its run: then a second call
  /// adds the shortage.
  func note(_ figures: RunFigures, of run: RunID) {
    var noted = runFigures[run] ?? figures
    noted.shortage = noted.shortage ?? figures.shortage
    runFigures[run] = noted
  }

  /// Returns the end of a run with its recorded figures. If the run did not fail, a shortage of memory is logged as a line
  /// of the run.
  func completed(_ end: PluginRunEnd, of run: RunID) -> PluginRunEnd {
    guard !runFigures.isEmpty, let figures = runFigures.removeValue(forKey: run) else { return end }
    var end = end
    end.usage = figures.usage
    guard let shortage = figures.shortage else { return end }
    if end.outcome.status == .failed {
      end.outcome.message = "\(shortage.message): \(end.outcome.message)"
    } else {
      report(.line(shortage))
    }
    return end
  }

  var usedControlGroups: Set<ControlGroup> { Set(hosts.values.compactMap(\.controlGroup)) }
}

/// Figures of a run that is over, from its control group.
struct RunFigures {
  var usage: RunUsage
  /// A line about processes that were killed because memory was short; `nil` if none were.
  var shortage: PluginLine?
}

/// Messages about runs with a process that was killed because memory was short.
enum MemoryShortageMessage {
  /// Returns a clause that precedes the text of the run's end; `limit` is the run's own limit in bytes.
  static func text(_ shortage: MemoryShortage, limit: UInt64?) -> String {
    switch shortage {
    case .ofRun:
      "used more than its limit of \(limit.map { "\($0 >> 20) MiB" } ?? "memory"), and the kernel killed a process of it"
    case .ofMachine:
      "the kernel killed a process of it, because the service or the machine ran out of memory"
    }
  }
}
