import TimelineConfiguration
import TimelineCore
import TimelineEngine
import TimelineHostPool
import TimelineLedger
import TimelineSystem
import TimelineSystemd

/// Work of an earlier daemon: its records in the ledger, and its plugin hosts that are still active.
struct FormerWork {
  let memory: Ledger.Memory
  /// Runs that the engine continues or settles.
  let open: [OpenRun]
  /// Runs of the cluster's jobs; they wait until this node owns the jobs.
  let openInCluster: [OpenRun]
  /// Sentences about hosts that cannot be inherited.
  let complaints: [String]
  /// The jobs that one node of the cluster is to run. Their state comes from the store.
  private let shared: Set<JobName>

  /// Inherits the hosts that an earlier daemon left.
  init(_ memory: Ledger.Memory, of configuration: Configuration, _ parts: DaemonParts) {
    let isNode = !parts.options.clock.isRehearsal && configuration.daemon.cluster != nil
    let shared =
      isNode ? Set(configuration.jobs.lazy.filter { $0.placement.runOn == .one }.map(\.name)) : []
    let kept = parts.passed.map { KeptDescriptor(name: $0.name, number: $0.number) }
    let inheritance = parts.hosts.adopt(kept.filter(\.isOfHost), open: memory.open)
    let all = inheritance.marking(memory.open)
    open = all.filter { $0.isAlive || !shared.contains($0.entry.job) }
    openInCluster = all.filter { !$0.isAlive && shared.contains($0.entry.job) }
    complaints = inheritance.complaints
    (self.memory, self.shared) = (memory, shared)
  }

  /// Returns an engine that continues this work.
  func engine(
    of configuration: Configuration, startedAt: WallInstant, loopStarts: [JobName: WallInstant],
    mode: ModeChange
  ) -> EngineState {
    EngineState(
      jobs: configuration.definitions.filter { !shared.contains($0.name) },
      groups: configuration.groups, startedAt: startedAt,
      watermarks: memory.lastSettled, loopStarts: loopStarts,
      attended: memory.attended, repeated: memory.repeated, open: open,
      paused: memory.paused.filter { !shared.contains($0.key) }, failing: memory.failing,
      incidents: memory.incidents.filter { !shared.contains($0.job) }, lastRun: memory.lastRun,
      seed: Machine.seed, claims: .ask, mode: mode.mode, cadence: mode.cadence)
  }
}
