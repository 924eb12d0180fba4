extension ControlInterface {
  /// Types of the cluster: its state, store, nodes, jobs and entries.
  static let clusterTypes = """
    # State of a node of a cluster, and its view of the other nodes.
    type ClusterState (
      # Name of the cluster.
      cluster: string,
      # Name of this node.
      node: string,
      # Identity of this life of the node, a random number.
      epoch: string,
      # Whether this node is a member of the cluster.
      isMember: bool,
      # Nanoseconds for which this node may start runs of the cluster without another renewal
      # of its lease; absent if it may start none.
      trustNanoseconds: ?int,
      # This node's clock minus the store's, in nanoseconds; absent if it was not measured.
      clockOffsetNanoseconds: ?int,
      # Reason why the store cannot be used, as last seen; absent while it can.
      storeFault: ?string,
      # Reason why this node waits outside of the cluster: another daemon, which is named, has the node's name.
      # Absent if it does not wait.
      joinFault: ?string,
      # The server of the store; absent while the store cannot be used, and in
      # replies of ActivateJobs and LeaveCluster.
      store: ?ClusterStore,
      # The nodes of the last view of the cluster.
      nodes: []ClusterNode,
      # The jobs that one node runs, and jobs that no node can run, in the order of their names.
      jobs: []ClusterJob,
      # Number of events since the daemon was started, by name: claimsGranted, claimsDenied, takeovers, handovers,
      # doubtfulEntries, callsFailed, leasesEnded, splits.
      counters: [string]int
    )

    # The server of a cluster's store.
    type ClusterStore (
      # Name and version of the server.
      server: string,
      # Identity of the store; it changes when a standby takes its place.
      identity: string,
      # Copies of the store, each in words.
      standbys: []string,
      # Warning for operators about the copies; absent if there is none.
      warning: ?string
    )

    # A node as of the last view of the cluster.
    type ClusterNode (
      # Name of the node.
      node: string,
      # Identity of its last life, a random number.
      epoch: string,
      # member, left, or dead if its lease has ended.
      state: string,
      # Nanoseconds until its lease ends, as of that view; zero or less if it has ended.
      leaseNanoseconds: int,
      # The node's clock minus the store's, in nanoseconds; absent if it was not measured.
      clockOffsetNanoseconds: ?int,
      # Labels of the node, by name.
      labels: [string]string,
      # Number of jobs that the node owns.
      jobCount: int,
      # Version of its program.
      version: string
    )

    # A job that one node of the cluster runs.
    type ClusterJob (
      # Name of the job.
      job: string,
      # The node that owns the job; absent if none does.
      node: ?string,
      # Whether this node runs the job.
      isHere: bool,
      # Nodes whose definition of the job is not the active one, in the order of their names.
      divergentNodes: []string,
      # Whether this node's definition is the active one, or none is active yet.
      isActiveHere: bool,
      # The node that had the job last, if no node can run the job: that node is gone, and no other node defines
      # the job. Absent for other jobs.
      formerNode: ?string
    )
    """

  /// The methods about the cluster.
  static let clusterMethods = """
    # The state of this node and its cluster. A daemon without a cluster answers this method, ClusterHistory,
    # ActivateJobs and LeaveCluster with NoCluster.
    method Cluster() -> (
      # State of the node and the cluster.
      state: ClusterState
    )

    # Entries of all nodes as the cluster's store has them: those with an outcome, and those that are claimed.
    # Otherwise it is like History.
    method ClusterHistory(
      # Name of the job; absent for all jobs.
      job: ?string,
      # A moment: only entries from it on. Absent for no such bound.
      since: ?string,
      # A moment: only entries before it. Absent for no such bound.
      until: ?string,
      # Whether only failures are listed, as by History; absent for false.
      onlyFailures: ?bool,
      # Largest number of entries, from 1 to 200; absent for 50.
      limit: ?int
    ) -> (
      # The last of these entries, oldest first.
      entries: []Entry,
      # Whether there are, or may be, more of them.
      isCut: bool,
      # Time zone of moments without an offset: the job's, or the daemon's without a job.
      zone: string,
      # Time zone of each configured job in entries, by the name of the job. This version always has it.
      zones: ?[string]string
    )

    # Activates this node's definitions of jobs for all nodes: the jobs then run by them on any node.
    method ActivateJobs(
      # Names of the jobs; empty for all jobs that run by another definition.
      jobs: []string
    ) -> (
      # State of the node and the cluster.
      state: ClusterState
    )

    # Gives up all jobs of the cluster and leaves it, until the next start of the daemon. Active runs go on.
    method LeaveCluster() -> (
      # State of the node and the cluster after that.
      state: ClusterState
    )
    """
}
