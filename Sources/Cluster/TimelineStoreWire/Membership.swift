/// Parameters of ``StoreCall/join(_:)``.
///
/// A node name belongs to one epoch at a time. Another epoch gets the name after the lease of the present epoch has ended. It
/// gets the name at once if it names the present epoch as its predecessor: the service manager passes an epoch on only after
/// its daemon has ended. The successor inherits the jobs and the claims of the former epoch. The lease of the former epoch
/// ends.
package struct JoinCall: Codable, Sendable, Equatable {
  package var node: String
  /// Epoch of the node's previous daemon; `nil` unless that daemon has certainly ended.
  package var formerEpoch: String?
  package var leaseMilliseconds: Int64
  /// Labels of the node; at most ``StoreWireLimits/labelsMax`` bytes as JSON.
  package var labels: [String: String]
  /// Version of the program, shown by `status`.
  package var version: String

  package init(
    node: String, formerEpoch: String?, leaseMilliseconds: Int64, labels: [String: String], version: String
  ) {
    (self.node, self.formerEpoch) = (node, formerEpoch)
    (self.leaseMilliseconds, self.labels, self.version) = (leaseMilliseconds, labels, version)
  }
}

/// Reply to ``StoreCall/join(_:)``.
package struct JoinReply: Codable, Sendable, Equatable {
  /// Whether the node has its lease now. False while another epoch has the node's name.
  package var hasJoined: Bool
  /// Epoch that has the node's name; `nil` if the caller has it.
  package var holder: String?
  /// Time until the lease of ``holder`` ends.
  package var holderLeaseMilliseconds: Int64?
  /// Clock of the store, in nanoseconds since 1970.
  package var storeTime: Int64
  /// Identity of the store and its timeline. It changes in a failover.
  package var identity: String

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
/// The lease is renewed only if the epoch has not left by ``StoreCall/leave`` and still has the node's name. An expired
/// lease is renewed, too. The view of the reply shows the jobs that another node has acquired in the meantime.
package struct RenewCall: Codable, Sendable, Equatable {
  /// Length of the lease, from the time of this call.
  package var leaseMilliseconds: Int64
  /// The node's clock minus the store's clock, as last measured.
  package var clockOffsetMilliseconds: Int64?
  /// Digests of the definitions of the jobs that the node could run, by job; `nil` if unchanged. At most
  /// ``StoreWireLimits/jobsMax``.
  package var digests: [String: String]?
  /// Whether ``digests`` are added to the digests of the last call. If false, they replace them.
  package var addsDigests: Bool
  /// Version of the node's view. If it is the present version, the reply contains no jobs.
  package var knownVersion: Int64?
  /// Name of the job after which the jobs of the reply begin; `nil` for the first part. A later part is valid only if its
  /// version equals the version of the first part.
  package var afterJob: String?

  /// Makes parameters. By default the call changes no digests and requests the first part of the jobs.
  package init(
    leaseMilliseconds: Int64, clockOffsetMilliseconds: Int64? = nil, digests: [String: String]? = nil,
    addsDigests: Bool = false, knownVersion: Int64? = nil, afterJob: String? = nil
  ) {
    (self.leaseMilliseconds, self.clockOffsetMilliseconds) = (leaseMilliseconds, clockOffsetMilliseconds)
    (self.digests, self.addsDigests) = (digests, addsDigests)
    (self.knownVersion, self.afterJob) = (knownVersion, afterJob)
  }
}

/// Reply to ``StoreCall/renew(_:)``.
package struct RenewReply: Codable, Sendable, Equatable {
  /// Whether the epoch is no longer a member, because it left or another epoch has its name. The node must join again with a
  /// new epoch.
  package var isLost: Bool
  /// Clock of the store, in nanoseconds since 1970.
  package var storeTime: Int64
  /// Identity of the store and its timeline; see ``JoinReply/identity``.
  package var identity: String
  /// All nodes that the store has not deleted, including the caller. The nodes with the latest end of lease come first; at
  /// most ``StoreWireLimits/nodesMax``.
  package var nodes: [NodeMessage]
  /// Version of ``jobs``. It changes with each change of an owner, a digest, an active definition or a pause.
  package var version: Int64
  /// Jobs of the cluster, ordered by the bytes of their names, as many as fit into the message; `nil` if the node has this
  /// version.
  package var jobs: [JobMessage]?
  /// Whether more jobs follow; see ``RenewCall/afterJob``.
  package var hasMoreJobs: Bool

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
package struct NodeMessage: Codable, Sendable, Equatable {
  package var node: String
  package var epoch: String
  package var labels: [String: String]
  /// Time until the lease ends, by the store's clock at the reply; zero or negative after the end.
  package var leaseMilliseconds: Int64
  /// The node's clock minus the store's clock, as last measured.
  package var clockOffsetMilliseconds: Int64?
  /// Whether the node left the cluster.
  package var hasLeft: Bool
  package var version: String

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
package struct JobMessage: Codable, Sendable, Equatable {
  package var job: String
  /// Epoch of the node that owns the job; `nil` for none.
  package var owner: String?
  /// Number of acquisitions of the job.
  package var term: Int64
  /// Digest of the active definition, by which the job runs; `nil` before the first activation.
  package var activeDigest: String?
  /// Digest of the definition on each node, by epoch. Nodes whose lease has ended are left out.
  package var digests: [String: String]
  /// Instant of the pause, in nanoseconds since 1970; `nil` if the job is not paused.
  package var pausedSince: Int64?

  package init(
    job: String, owner: String? = nil, term: Int64 = 0, activeDigest: String? = nil,
    digests: [String: String] = [:], pausedSince: Int64? = nil
  ) {
    (self.job, self.owner, self.term, self.activeDigest) = (job, owner, term, activeDigest)
    (self.digests, self.pausedSince) = (digests, pausedSince)
  }
}
