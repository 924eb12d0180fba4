/// Parameters of ``StoreCall/initialize(_:)``.
package struct InitializeCall: Codable, Sendable, Hashable {
  /// Name of the cluster.
  package var cluster: String

  /// Makes parameters.
  package init(cluster: String) { self.cluster = cluster }
}

/// Parameters of ``StoreCall/join(_:)``.
///
/// A node name belongs to one epoch at a time. Another epoch gets it when the lease of the former one has ended, or at once if it
/// names the former epoch, which proves that it is the successor: the service manager passes the epoch on after the former daemon
/// has ended. The successor inherits the jobs and the claims of the former epoch, whose lease ends.
package struct JoinCall: Codable, Sendable, Hashable {
  /// Name of the cluster.
  package var cluster: String
  /// Name of the node.
  package var node: String
  /// Identity of this life of the daemon: 32 hexadecimal digits, chosen at random.
  package var epoch: String
  /// Epoch of the node's previous life, if that has certainly ended.
  package var formerEpoch: String?
  /// Length of the lease.
  package var leaseMilliseconds: Int64
  /// Labels of the node; at most ``StoreWireLimits/labelsMax`` bytes as JSON.
  package var labels: [String: String]
  /// Version of the program, for `status`.
  package var version: String

  /// Makes parameters.
  package init(
    cluster: String, node: String, epoch: String, formerEpoch: String?, leaseMilliseconds: Int64,
    labels: [String: String], version: String
  ) {
    (self.cluster, self.node, self.epoch, self.formerEpoch) = (cluster, node, epoch, formerEpoch)
    (self.leaseMilliseconds, self.labels, self.version) = (leaseMilliseconds, labels, version)
  }
}

/// Reply to ``StoreCall/join(_:)``.
package struct JoinReply: Codable, Sendable, Hashable {
  /// Whether the node has its lease now; false while the node's name belongs to another epoch.
  package var hasJoined: Bool
  /// Epoch that has the name, if it is not the caller's.
  package var holder: String?
  /// Time until the holder's lease ends.
  package var holderLeaseMilliseconds: Int64?
  /// Clock of the store, in nanoseconds since 1970.
  package var storeTime: Int64
  /// Identity of the store and its timeline; it changes when a standby takes the store's place.
  package var identity: String

  /// Makes a reply.
  package init(
    hasJoined: Bool, holder: String? = nil, holderLeaseMilliseconds: Int64? = nil, storeTime: Int64,
    identity: String
  ) {
    (self.hasJoined, self.holder, self.holderLeaseMilliseconds) = (hasJoined, holder, holderLeaseMilliseconds)
    (self.storeTime, self.identity) = (storeTime, identity)
  }
}

/// Parameters of ``StoreCall/renew(_:)``.
///
/// The lease is renewed only if it belongs to `epoch`, was not ended by ``StoreCall/leave(_:)``, and no other epoch has the
/// node's name. An expired lease is renewed, too. Jobs that another node has taken meanwhile are visible in the owners of the
/// view.
package struct RenewCall: Codable, Sendable, Hashable {
  /// Name of the cluster.
  package var cluster: String
  /// Epoch of the node.
  package var epoch: String
  /// Length of the lease from now on.
  package var leaseMilliseconds: Int64
  /// The node's clock minus the store's, as last measured.
  package var clockOffsetMilliseconds: Int64?
  /// Digest of the definition of each job that the node could run; `nil` if unchanged. At most ``StoreWireLimits/jobsMax``.
  package var digests: [String: String]?
  /// Whether ``digests`` are added to the digests of the last call instead of replacing them.
  package var addsDigests: Bool
  /// Version of the view that the node has; if it is the present one, the reply contains no jobs.
  package var knownVersion: Int64?
  /// Name of the job after which the jobs of the reply begin; `nil` for the first part. A later part is valid only if its
  /// version is the version of the first part.
  package var afterJob: String?

  /// Makes parameters.
  package init(
    cluster: String, epoch: String, leaseMilliseconds: Int64, clockOffsetMilliseconds: Int64? = nil,
    digests: [String: String]? = nil, addsDigests: Bool = false, knownVersion: Int64? = nil,
    afterJob: String? = nil
  ) {
    (self.cluster, self.epoch, self.leaseMilliseconds) = (cluster, epoch, leaseMilliseconds)
    (self.clockOffsetMilliseconds, self.digests, self.addsDigests) =
      (clockOffsetMilliseconds, digests, addsDigests)
    (self.knownVersion, self.afterJob) = (knownVersion, afterJob)
  }
}

/// Reply to ``StoreCall/renew(_:)``.
package struct RenewReply: Codable, Sendable, Hashable {
  /// Whether the epoch is no longer a member: it left, or its name belongs to another epoch. It must join again, with another
  /// epoch.
  package var isLost: Bool
  /// Clock of the store, in nanoseconds since 1970.
  package var storeTime: Int64
  /// Identity of the store and its timeline; see ``JoinReply/identity``.
  package var identity: String
  /// All nodes that the store has not deleted, including the caller, those with the latest leases first; at most
  /// ``StoreWireLimits/nodesMax``.
  package var nodes: [NodeMessage]
  /// Version of ``jobs``; it changes with each change of an owner, a digest, an active definition or a pause.
  package var version: Int64
  /// Jobs of the cluster in order of their names' bytes, as many as fit into the message; `nil` if the node has this version.
  package var jobs: [JobMessage]?
  /// Whether more jobs follow; see ``RenewCall/afterJob``.
  package var hasMoreJobs: Bool

  /// Makes a reply.
  package init(
    isLost: Bool, storeTime: Int64, identity: String, nodes: [NodeMessage], version: Int64,
    jobs: [JobMessage]?, hasMoreJobs: Bool = false
  ) {
    (self.isLost, self.storeTime, self.identity) = (isLost, storeTime, identity)
    (self.nodes, self.version, self.jobs) = (nodes, version, jobs)
    self.hasMoreJobs = hasMoreJobs
  }
}

/// State of a node in the store.
package struct NodeMessage: Codable, Sendable, Hashable {
  /// Name of the node.
  package var node: String
  /// Its last epoch.
  package var epoch: String
  /// Its labels.
  package var labels: [String: String]
  /// Time until its lease ends, by the store's clock at the reply; zero or less after its end.
  package var leaseMilliseconds: Int64
  /// Its clock minus the store's, as last measured.
  package var clockOffsetMilliseconds: Int64?
  /// Whether it left the cluster.
  package var hasLeft: Bool
  /// Version of its program.
  package var version: String

  /// Makes a node.
  package init(
    node: String, epoch: String, labels: [String: String] = [:], leaseMilliseconds: Int64,
    clockOffsetMilliseconds: Int64? = nil, hasLeft: Bool = false, version: String = ""
  ) {
    (self.node, self.epoch, self.labels) = (node, epoch, labels)
    (self.leaseMilliseconds, self.clockOffsetMilliseconds) = (leaseMilliseconds, clockOffsetMilliseconds)
    (self.hasLeft, self.version) = (hasLeft, version)
  }
}

/// State of a job in the store.
package struct JobMessage: Codable, Sendable, Hashable {
  /// Name of the job.
  package var job: String
  /// Epoch of the node that owns it; `nil` for none.
  package var owner: String?
  /// Number of its acquisitions.
  package var term: Int64
  /// Digest of the definition by which it runs; `nil` before the first activation.
  package var activeDigest: String?
  /// Digest of the definition on each node, by epoch; nodes whose lease has ended are left out.
  package var digests: [String: String]
  /// Instant since which it is paused, in nanoseconds since 1970.
  package var pausedSince: Int64?

  /// Makes a job.
  package init(
    job: String, owner: String? = nil, term: Int64 = 0, activeDigest: String? = nil,
    digests: [String: String] = [:], pausedSince: Int64? = nil
  ) {
    (self.job, self.owner, self.term, self.activeDigest) = (job, owner, term, activeDigest)
    (self.digests, self.pausedSince) = (digests, pausedSince)
  }
}

/// Parameters of ``StoreCall/leave(_:)``.
package struct LeaveCall: Codable, Sendable, Hashable {
  /// Name of the cluster.
  package var cluster: String
  /// Epoch of the node.
  package var epoch: String

  /// Makes parameters.
  package init(cluster: String, epoch: String) { (self.cluster, self.epoch) = (cluster, epoch) }
}
