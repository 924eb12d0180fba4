import TimelineCore
import TimelineEngine
import TimelinePlugins
import TimelineSystem
import TimelineSystemd

// From one daemon to the next.
extension Daemon {
  /// Ends without waiting for the runs in flight, whose hosts systemd keeps for the daemon that it is about to start.
  ///
  /// What is not in a host just now is put in order as it is before every stop. If the hosts cannot be handed over after
  /// all, the runs are waited for.
  func handOver() {
    guard !isDraining else { return drain() }
    isDraining = true
    news.tell(.stopping)
    announcer.announce(.notice, "restarting; \(handOverText)", kind: .stopping)
    _ = ServiceManager.stopping(status: handOverText)
    post(.drain(patience: nil))
    hosts.handOver(atMost: Self.handOverLimit) { [weak self] isPossible in
      // With the last run gone the daemon is ending as it does at every stop.
      guard let self, !runs.isEmpty else { return }
      if isPossible { return loop.stop() }
      announcer.announce(.notice, "not every run can be handed over; \(waitingText)", kind: .stopping)
      awaitRuns()
    }
  }

  private var handOverText: String {
    switch runs.count {
    case 0: "no run is under way"
    case 1: "1 run goes on and its result will be collected"
    default: "\(runs.count) runs go on and their results will be collected"
    }
  }

  /// How long a run may take to get into its host before all of them are waited for: a plugin may take seconds to load.
  private static let handOverLimit = ElapsedTime.seconds(5)

  /// Whether systemd stops this daemon only to start another, and has what it takes to bring the hosts over.
  var isToBeReplaced: Bool {
    guard hosts.hasKeeper, let unit = UnitOfOurs.ask() else { return false }
    return unit.isRestarting && unit.sparesChildren && unit.storedDescriptors >= hosts.keptDescriptorCount
  }
}

extension HostKeeper {
  /// systemd's descriptor store; what it keeps comes back through ``PassedDescriptor/takeAll()``.
  static var serviceManager: HostKeeper {
    HostKeeper(
      keep: { DescriptorStore.store($0, name: $1) }, forget: { DescriptorStore.remove(name: $0) })
  }
}
