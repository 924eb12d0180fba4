package import TimelineCore

/// State of a node of a cluster (`ClusterState`).
package struct ClusterState: Codable, Sendable, Equatable {
  package var cluster: String
  package var node: String
  /// Current identity of this node.
  package var epoch: String
  package var isMember: Bool
  /// Time left in which this node may start runs of the cluster without another renewal; `nil` for none.
  package var trustNanoseconds: Int64?
  /// This node's clock minus the store's clock; `nil` if not measured.
  package var clockOffsetNanoseconds: Int64?
  /// Last seen reason why the store cannot be used; `nil` while the store can be used.
  package var storeFault: String?
  /// Reason why this node waits outside of the cluster: another daemon has the node's name. `nil` if this node does not wait.
  package var joinFault: String?
  /// The store's server; `nil` unless the store has answered a query for this reply.
  package var store: ClusterStoreReport?
  /// All nodes in the last view of the cluster, in order of their names.
  package var nodes: [ClusterNodeReport]
  /// Jobs that one node of the cluster runs, in order of their names.
  package var jobs: [ClusterJobReport]
  /// Numbers of events since the start, by name.
  package var counters: [String: Int]

  package init(
    cluster: String, node: String, epoch: String, isMember: Bool, trust: ElapsedTime?,
    clockOffset: ElapsedTime?, storeFault: String?, joinFault: String? = nil,
    store: ClusterStoreReport? = nil,
    nodes: [ClusterNodeReport], jobs: [ClusterJobReport], counters: [String: Int]
  ) {
    (self.cluster, self.node, self.epoch, self.isMember) = (cluster, node, epoch, isMember)
    (trustNanoseconds, clockOffsetNanoseconds) = (trust?.nanoseconds, clockOffset?.nanoseconds)
    (self.storeFault, self.joinFault, self.store) = (storeFault, joinFault, store)
    (self.nodes, self.jobs, self.counters) = (nodes, jobs, counters)
  }
}

/// The server of a cluster's store (`ClusterStore`).
package struct ClusterStoreReport: Codable, Sendable, Equatable {
  /// Name and version of the server.
  package var server: String
  /// Identity of the store, which changes when a standby has replaced the server.
  package var identity: String
  /// Standby copies of the store, each in words.
  package var standbys: [String]
  /// Warning about the copies for the operator; `nil` for none.
  package var warning: String?

  package init(server: String, identity: String, standbys: [String], warning: String?) {
    (self.server, self.identity, self.standbys, self.warning) = (server, identity, standbys, warning)
  }
}

/// A node of a cluster (`ClusterNode`).
package struct ClusterNodeReport: Codable, Sendable, Equatable {
  package var node: String
  /// Identity of the node, as in ``ClusterState/epoch``.
  package var epoch: String
  /// `member`, `left`, or `dead` if the node's lease has ended.
  package var state: String
  /// Time until the end of the node's lease, as of the last view; not positive if the lease has ended.
  package var leaseNanoseconds: Int64
  /// The node's clock minus the store's clock.
  package var clockOffsetNanoseconds: Int64?
  package var labels: [String: String]
  /// Number of jobs that the node owns.
  package var jobCount: Int
  package var version: String

  package init(
    node: String, epoch: String, state: String, lease: ElapsedTime, clockOffset: ElapsedTime?,
    labels: [String: String], jobCount: Int, version: String
  ) {
    (self.node, self.epoch, self.state) = (node, epoch, state)
    (leaseNanoseconds, clockOffsetNanoseconds) = (lease.nanoseconds, clockOffset?.nanoseconds)
    (self.labels, self.jobCount, self.version) = (labels, jobCount, version)
  }
}

/// A job that one node of a cluster runs (`ClusterJob`).
package struct ClusterJobReport: Codable, Sendable, Equatable {
  package var job: String
  /// The node that owns the job; `nil` for none.
  package var node: String?
  /// Whether this node runs the job.
  package var isHere: Bool
  /// Nodes whose definition of the job is not the active definition.
  package var divergentNodes: [String]
  /// Whether this node's definition of the job is the active definition.
  package var isActiveHere: Bool
  /// The last node of a job that no node can run, because this last node is gone and no other node defines the job. `nil` for
  /// other jobs.
  package var formerNode: String?

  package init(job: String, node: String?, isHere: Bool, divergentNodes: [String], isActiveHere: Bool) {
    (self.job, self.node, self.isHere) = (job, node, isHere)
    (self.divergentNodes, self.isActiveHere) = (divergentNodes, isActiveHere)
  }
}
