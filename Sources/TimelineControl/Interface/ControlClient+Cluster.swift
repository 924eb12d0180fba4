// The daemon's cluster.
extension ControlClient {
  /// Returns the state of the node and of its cluster.
  package func cluster() throws(VarlinkClientError) -> ClusterState {
    let reply: ClusterReply = try client.call(ControlMethod.cluster.fullName, NoParameters())
    return reply.state
  }

  /// Returns entries of all nodes, oldest first.
  package func clusterHistory(
    _ parameters: HistoryParameters
  ) throws(VarlinkClientError) -> ClusterHistoryReply {
    try client.call(ControlMethod.clusterHistory.fullName, parameters)
  }

  /// Makes the cluster run jobs as this node defines them; returns the new state.
  package func activate(jobs: [String]) throws(VarlinkClientError) -> ClusterState {
    let reply: ClusterReply = try client.call(
      ControlMethod.activateJobs.fullName, ActivateJobsParameters(jobs: jobs))
    return reply.state
  }

  /// Makes the node leave its cluster; returns the new state.
  package func leaveCluster() throws(VarlinkClientError) -> ClusterState {
    let reply: ClusterReply = try client.call(ControlMethod.leaveCluster.fullName, NoParameters())
    return reply.state
  }
}
