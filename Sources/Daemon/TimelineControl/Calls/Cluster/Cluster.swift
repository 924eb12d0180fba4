extension Control {
  /// State of the node and of its cluster.
  package struct Cluster: ReadingCall {
    /// Reply of the daemon.
    package typealias Reply = ClusterReply

    package init() {}
  }

  /// Makes the cluster run jobs as this node defines them.
  package struct ActivateJobs: ChangingCall {
    /// Reply of the daemon.
    package typealias Reply = ClusterReply

    /// The recorded action; the recorded reason lists the jobs.
    package static var audit: String? { "activate" }

    /// Empty for all jobs whose definition on this node is not the active definition.
    package var jobs: [String]

    package init(jobs: [String]) { self.jobs = jobs }
  }

  /// Makes the node leave its cluster.
  package struct LeaveCluster: ChangingCall {
    /// Reply of the daemon.
    package typealias Reply = ClusterReply

    package static var audit: String? { "leave" }

    package init() {}
  }
}

/// Reply to `Cluster`, `ActivateJobs` and `LeaveCluster`.
package struct ClusterReply: Codable, Sendable, Equatable {
  /// State of the node and of its cluster.
  package var state: ClusterState

  package init(state: ClusterState) { self.state = state }
}
