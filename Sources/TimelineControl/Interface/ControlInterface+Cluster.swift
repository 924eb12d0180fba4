extension ControlInterface {
  /// The methods about the cluster.
  static let clusterMethods = """
    # The node and its cluster. A daemon without a cluster answers these four methods with NoCluster. storeFault says why the store
    # cannot be used, while it cannot; store is absent then. joinFault says which other daemon has the node's name, while this one
    # waits for that. trustNanoseconds is how long the node may start runs of the cluster without another renewal of its lease.
    method Cluster() -> (state: ClusterState)

    # As History, for entries of all nodes as the cluster's store has them: limit at most 200. An entry without an outcome is claimed,
    # with the end of the lease of the node that claimed it.
    method ClusterHistory(job: ?string, since: ?string, until: ?string, onlyFailures: ?bool, limit: ?int) -> (
      entries: []ClusterEntry, isCut: bool, zone: string, zones: ?[string]string
    )

    # Has jobs run by this node's definitions wherever they run; without names all jobs that run by another.
    method ActivateJobs(jobs: []string) -> (state: ClusterState)

    # Gives all jobs of the cluster up and leaves it, until the next start of the daemon. Active runs go on.
    method LeaveCluster() -> (state: ClusterState)
    """
}
