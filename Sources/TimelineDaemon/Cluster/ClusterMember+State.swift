import TimelineCluster
import TimelineControl
import TimelineCore
import TimelineStoreWire

// The state of a node for clients.
extension ClusterMember {
  /// The state of this node and of its cluster, without the store's own report.
  func state(of daemon: Daemon) -> ClusterState {
    let owners = Dictionary(grouping: jobMessages.compactMap(\.owner)) { $0 }.mapValues(\.count)
    return ClusterState(
      cluster: name, node: nodeName, epoch: epoch, isMember: isMember, trust: trust,
      clockOffset: clockDifference, storeFault: fault, joinFault: daemon.joinFault,
      nodes: nodes.map { ClusterNodeReport($0, jobCount: owners[$0.epoch] ?? 0) },
      jobs: (daemon.clusterJobs.map(report) + orphans.map(ClusterJobReport.init(orphan:node:))).sorted {
        $0.job < $1.job
      }, counters: counters)
  }

  /// The state in a few words, for `status`.
  ///
  /// - Parameter joinFault: Reason why the node waits outside of the cluster.
  func words(joinFault: String?) -> String {
    guard isMember else {
      return "\(name): node \(nodeName) is not a member"
        + (joinFault.map { ": \($0)" } ?? "")
        + (fault.map { "; the store cannot be used: \($0)" } ?? "")
    }
    let lease = trust.map { "lease \($0.approximateText)" } ?? "its lease has ended"
    let live = nodes.count { $0.leaseMilliseconds > 0 && !$0.hasLeft }
    return "\(name): node \(nodeName), of \(live); \(lease); jobs here: \(running.count)"
      + (fault.map { "; the store cannot be used: \($0)" } ?? "")
  }

  private func report(of job: ClusterJob) -> ClusterJobReport {
    let message = jobMessages.first { $0.job == job.name.text }
    let active = message?.activeDigest
    let live = Set(nodes.filter { $0.leaseMilliseconds > 0 && !$0.hasLeft }.map(\.epoch))
    let divergent = (message?.digests ?? [:]).filter { live.contains($0.key) && $0.value != active }
    return ClusterJobReport(
      job: job.name.text, node: owner(of: job.name), isHere: running.contains(job.name),
      divergentNodes: divergent.keys.compactMap(nodeName(of:)).sorted(),
      isActiveHere: active == nil || active == job.digest)
  }
}

extension ClusterJobReport {
  fileprivate init(orphan job: String, node: String) {
    self.init(job: job, node: nil, isHere: false, divergentNodes: [], isActiveHere: false)
    formerNode = node
  }
}

extension ClusterNodeReport {
  init(_ node: NodeMessage, jobCount: Int) {
    self.init(
      node: node.node, epoch: node.epoch,
      state: node.hasLeft ? "left" : node.leaseMilliseconds > 0 ? "member" : "dead",
      lease: .milliseconds(node.leaseMilliseconds),
      clockOffset: node.clockOffsetMilliseconds.map(ElapsedTime.milliseconds), labels: node.labels,
      jobCount: jobCount, version: node.version)
  }
}
