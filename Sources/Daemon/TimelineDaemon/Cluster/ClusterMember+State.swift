import TimelineCluster
import TimelineControl
import TimelineCore
import TimelineStoreWire

// The state of a node for clients.
extension ClusterMember {
  /// Name of the cluster.
  var name: String { settings.cluster }
  var nodeName: String { settings.node }
  /// The jobs that the engine has.
  var running: Set<JobName> { node.running }
  /// Reason why this node waits outside of its cluster; `nil` if it does not wait.
  var joinFault: String? { node.nameHolder.map(words.words) }

  /// The node that owns a job, by the last view.
  func owner(of job: JobName) -> String? { node.owner(of: job) }

  /// The state of this node and of its cluster, without the store's own report.
  var state: ClusterState {
    let owners = Dictionary(grouping: node.jobs.compactMap(\.owner)) { $0 }.mapValues(\.count)
    return ClusterState(
      cluster: name, node: nodeName, epoch: node.epoch, isMember: node.isMember, trust: trust,
      clockOffset: node.clockDifference, storeFault: fault, joinFault: joinFault,
      nodes: node.nodes.map { ClusterNodeReport($0, jobCount: owners[$0.epoch] ?? 0) },
      jobs: (words.jobs.clusterJobs.map(report)
        + node.orphans.map { ClusterJobReport(orphan: $0.job, node: $0.node) }).sorted(on: \.job),
      counters: node.counters.all)
  }

  /// The state in a few words, for `status`.
  var summary: String {
    let store = fault.map { "; the store cannot be used: \($0)" } ?? ""
    guard node.isMember else {
      return "\(name): node \(nodeName) is not a member" + (joinFault.map { ": \($0)" } ?? "") + store
    }
    let lease = trust.map { "lease \($0.approximateText)" } ?? "its lease has ended"
    let live = node.nodes.count { $0.leaseMilliseconds > 0 && !$0.hasLeft }
    return "\(name): node \(nodeName), of \(live); \(lease); jobs here: \(running.count)" + store
  }

  var metrics: ClusterMetrics {
    ClusterMetrics(
      isMember: node.isMember, isStoreUp: fault == nil, trust: trust, clockOffset: node.clockDifference,
      counters: node.counters.all, orphans: node.orphans.map(\.job.text), joinFault: joinFault)
  }

  private func report(of job: ClusterJob) -> ClusterJobReport {
    let message = node.jobs.first { $0.job == job.name.text }
    let active = message?.activeDigest
    let live = Set(node.nodes.filter { $0.leaseMilliseconds > 0 && !$0.hasLeft }.map(\.epoch))
    let divergent = (message?.digests ?? [:]).filter { live.contains($0.key) && $0.value != active }
    return ClusterJobReport(
      job: job.name.text, node: owner(of: job.name), isHere: running.contains(job.name),
      divergentNodes: divergent.keys.compactMap(node.name(ofNode:)).sorted(),
      isActiveHere: active == nil || active == job.digest)
  }
}

extension ClusterJobReport {
  fileprivate init(orphan job: JobName, node: String) {
    self.init(job: job.text, node: nil, isHere: false, divergentNodes: [], isActiveHere: false)
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
