import TimelineCore
import TimelineEngine
import TimelineSystem
import TimelineWire

// Control groups of plugin hosts.
extension PluginHosts {
  /// Turns on those of `controllers` that can be, and returns all that are on; `nil` without a control group.
  package func turnOn(_ controllers: [String]) -> Set<String>? {
    configuration.delegatedGroup?.turnOn(controllers)
  }

  /// Names the control group that a new host of this kind, with this process number, makes for itself; `nil` where none is delegated. Turns on
  /// the controllers that it needs.
  func controlGroup(of kind: HostSpec, newProcess process: Int32) -> ControlGroup? {
    let rare = kind.setup.runLimits.controllers.filter { !DelegatedGroup.usualControllers.contains($0) }
    if !rare.isEmpty { _ = turnOn(rare) }
    let sinceBoot = SystemTime.monotonic().nanosecondsSinceBoot / 1_000_000
    let group = configuration.delegatedGroup?.group(forProcess: process, distinction: sinceBoot)
    guard let group, group.directory.utf8.count <= WireLimits.controlGroupMax else { return nil }
    return group
  }

  /// Notes what is known of a run that is over; its host may end only after that, for want of memory.
  func note(_ figures: RunFigures, of run: RunID) {
    var noted = runFigures[run] ?? figures
    noted.shortage = noted.shortage ?? figures.shortage
    runFigures[run] = noted
  }

  /// Returns the end of a run with what was noted of it. Of a run that did not fail a shortage is a line of its log.
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

  /// The control groups of hosts that are there.
  var usedControlGroups: Set<ControlGroup> { Set(hosts.values.compactMap(\.controlGroup)) }
}

/// Figures of a run that is over, from its control group.
struct RunFigures {
  /// The usage.
  var usage: RunUsage
  /// A line about processes that were killed for want of memory; `nil` if none were.
  var shortage: PluginLine?
}

/// Messages about runs of which a process was killed for want of memory.
enum MemoryShortageMessage {
  /// A clause that stands before the end of the run in words; `limit` is the run's own, in bytes.
  static func text(_ shortage: MemoryShortage, limit: UInt64?) -> String {
    switch shortage {
    case .ofRun:
      "used more than its limit of \(limit.map { "\($0 >> 20) MiB" } ?? "memory"), and the kernel killed a process of it"
    case .ofMachine:
      "the kernel killed a process of it, because the service or the machine ran out of memory"
    }
  }
}
