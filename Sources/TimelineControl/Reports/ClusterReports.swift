package import TimelineCore

/// State of a node of a cluster (`ClusterState`).
package struct ClusterState: Codable, Sendable, Hashable {
  /// Name of the cluster.
  package var cluster: String
  /// Name of this node.
  package var node: String
  /// Identity of this node at present.
  package var epoch: String
  /// Whether this node is a member.
  package var isMember: Bool
  /// Time for which this node may still start runs of the cluster without another renewal; `nil` for not at all.
  package var trustNanoseconds: Int64?
  /// This node's clock minus the store's, if it was measured.
  package var clockOffsetNanoseconds: Int64?
  /// Reason why the store cannot be used, as last seen; `nil` while it can.
  package var storeFault: String?
  /// Reason why this node waits outside of the cluster: another daemon has its name; `nil` if it does not wait.
  package var joinFault: String?
  /// The store's server, if it could be asked just now.
  package var store: ClusterStoreReport?
  /// All nodes of the last view, in order of their names.
  package var nodes: [ClusterNodeReport]
  /// The jobs that one node runs, in order of their names.
  package var jobs: [ClusterJobReport]
  /// Numbers of events since the start, by name.
  package var counters: [String: Int]

  /// Makes a state.
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
package struct ClusterStoreReport: Codable, Sendable, Hashable {
  /// Name and version of the server.
  package var server: String
  /// Identity of the store; it changes when a standby has taken its place.
  package var identity: String
  /// Copies of the store, each in words.
  package var standbys: [String]
  /// Warning about the copies for the operator; `nil` for none.
  package var warning: String?

  package init(server: String, identity: String, standbys: [String], warning: String?) {
    (self.server, self.identity, self.standbys, self.warning) = (server, identity, standbys, warning)
  }
}

/// A node of a cluster (`ClusterNode`).
package struct ClusterNodeReport: Codable, Sendable, Hashable {
  /// Its name.
  package var node: String
  /// Its identity.
  package var epoch: String
  /// `member`, `left`, or `dead` if its lease has ended.
  package var state: String
  /// Time until its lease ended or ends, as of the last view.
  package var leaseNanoseconds: Int64
  /// Its clock minus the store's.
  package var clockOffsetNanoseconds: Int64?
  /// Its labels.
  package var labels: [String: String]
  /// Number of jobs that it owns.
  package var jobCount: Int
  /// Version of its program.
  package var version: String

  /// Makes a report.
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
package struct ClusterJobReport: Codable, Sendable, Hashable {
  /// Its name.
  package var job: String
  /// The node that owns it; `nil` for none.
  package var node: String?
  /// Whether this node runs it.
  package var isHere: Bool
  /// Nodes whose definition is not the active one.
  package var divergentNodes: [String]
  /// Whether this node's definition is the active one.
  package var isActiveHere: Bool
  /// The last node of a job that no node can run, because that node is gone and no other defines the job; `nil` for other jobs.
  package var formerNode: String?

  package init(job: String, node: String?, isHere: Bool, divergentNodes: [String], isActiveHere: Bool) {
    (self.job, self.node, self.isHere) = (job, node, isHere)
    (self.divergentNodes, self.isActiveHere) = (divergentNodes, isActiveHere)
  }
}

/// An entry as the store of a cluster has it (`ClusterEntry`).
package struct ClusterEntryReport: Codable, Sendable, Hashable {
  /// The job's name.
  package var job: String
  /// The nominal instant; of consecutive entries the last.
  package var entry: Timestamp
  /// The first of consecutive entries.
  package var firstEntry: Timestamp?
  /// Number of consecutive entries that this record stands for.
  package var entryCount: Int
  /// The node that settled or claimed it.
  package var node: String
  /// Token of its claim.
  package var token: Int64?
  /// Cause of the run.
  package var cause: String
  /// Name of the outcome; `nil` while there is none.
  package var outcome: String?
  /// Reason for the outcome; may be empty.
  package var reason: String
  /// Instant of the claim, for an entry without an outcome.
  package var claimedAt: Timestamp?
  /// End of the lease of the node that claimed it, for an entry without an outcome.
  package var leaseUntil: Timestamp?
  /// Start of the first attempt, if there was one.
  package var startedAt: Timestamp?
  /// Instant at which it was settled.
  package var endedAt: Timestamp?
  /// Number of attempts.
  package var attempts: Int

  /// Makes an entry.
  package init(
    job: String, entry: WallInstant, firstEntry: WallInstant? = nil, entryCount: Int = 1, node: String,
    token: Int64?, cause: String = "schedule", outcome: String?, reason: String = "",
    claimedAt: WallInstant? = nil, leaseUntil: WallInstant? = nil, startedAt: WallInstant? = nil,
    endedAt: WallInstant? = nil, attempts: Int = 0
  ) {
    (self.job, self.entry, self.entryCount) = (job, Timestamp(entry), entryCount)
    self.firstEntry = firstEntry.map(Timestamp.init)
    (self.node, self.token, self.cause, self.outcome, self.reason) = (node, token, cause, outcome, reason)
    self.claimedAt = claimedAt.map(Timestamp.init)
    self.leaseUntil = leaseUntil.map(Timestamp.init)
    self.startedAt = startedAt.map(Timestamp.init)
    self.endedAt = endedAt.map(Timestamp.init)
    self.attempts = attempts
  }
}
