import TimelineCore
import TimelineEngine
import TimelineSystem
import TimelineWire

// Control groups of plugin hosts.
extension PluginHosts {
  /// Names the control group that a new host with this process number makes for itself; `nil` where none is delegated.
  func controlGroup(ofNewProcess process: Int32) -> ControlGroup? {
    let sinceBoot = SystemTime.monotonic().nanosecondsSinceBoot / 1_000_000
    let group = configuration.delegatedGroup?.group(forProcess: process, distinction: sinceBoot)
    guard let group, group.directory.utf8.count <= WireLimits.controlGroupMax else { return nil }
    return group
  }

  /// Notes the processor time of a run that is over.
  func note(processorTime: ElapsedTime, of run: RunID) { processorTimes[run] = processorTime }

  /// Returns the end of a run with the processor time that was noted of it.
  func withProcessorTime(_ end: PluginRunEnd, of run: RunID) -> PluginRunEnd {
    guard !processorTimes.isEmpty, let time = processorTimes.removeValue(forKey: run) else { return end }
    var end = end
    end.processorTime = time
    return end
  }

  /// The control groups of hosts that are there.
  var usedControlGroups: Set<ControlGroup> { Set(hosts.values.compactMap(\.controlGroup)) }
}
