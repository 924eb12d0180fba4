package import TimelineEngine
import TimelineSystem

// Runs that wait for other runs, and lend them the places of their hosts.
extension PluginHosts {
  /// Sets the runs that wait for other runs. The hosts of these runs do not count against the limits.
  package func lend(_ runs: Set<RunID>) { handle(.lend(runs)) }

  /// Returns the run that a process belongs to, by the control group or else by the parents of the process; `nil` for none.
  package func run(of process: Int32) -> RunID? {
    let busy = hosts.values.filter { $0.dialogue.run != nil }
    guard !busy.isEmpty else { return nil }
    let group = configuration.delegatedGroup?.group(containing: process)
    let host =
      busy.first { group != nil && $0.controlGroup == group }
      ?? {
        let ancestors = Set(ProcessTree.ancestors(of: process))
        return busy.first { ancestors.contains($0.processNumber) }
      }()
    return host?.dialogue.run?.run
  }
}
