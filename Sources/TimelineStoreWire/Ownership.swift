/// Parameters of ``StoreCall/acquire(_:)``.
///
/// A job is acquired if the caller's lease lasts, the owner is still the expected one, and that owner has left or its lease has
/// ended. A job that is missing in the store is made. A job that the caller already owns is acquired again.
///
/// Each acquisition begins a new term of the job, but a repeated call does not. A call that expects the caller itself as the
/// owner does begin a new term, because the caller has given the job up or lost it meanwhile.
package struct AcquireCall: Codable, Sendable, Hashable {
  /// A job to be acquired.
  package struct Job: Codable, Sendable, Hashable {
    /// Name of the job.
    package var job: String
    /// Epoch that is expected to own it; `nil` for none.
    package var formerOwner: String?

    /// Makes a job.
    package init(job: String, formerOwner: String?) { (self.job, self.formerOwner) = (job, formerOwner) }
  }

  /// Name of the cluster.
  package var cluster: String
  /// Epoch of the node.
  package var epoch: String
  /// The jobs, in order of their names; at most ``StoreWireLimits/jobsMax``.
  package var jobs: [Job]

  /// Makes parameters.
  package init(cluster: String, epoch: String, jobs: [Job]) {
    (self.cluster, self.epoch, self.jobs) = (cluster, epoch, jobs)
  }
}

/// Reply to ``StoreCall/acquire(_:)``.
package struct AcquireReply: Codable, Sendable, Hashable {
  /// Whether the caller has no lease, so that nothing was acquired.
  package var isLost: Bool
  /// The requested jobs that the caller owns now. Jobs that do not fit into the message are not acquired; the caller can request
  /// them again.
  package var jobs: [AcquiredJob]

  /// Makes a reply.
  package init(isLost: Bool, jobs: [AcquiredJob]) { (self.isLost, self.jobs) = (isLost, jobs) }
}

/// State of a job when a node becomes its owner.
package struct AcquiredJob: Codable, Sendable, Hashable {
  /// Name of the job.
  package var job: String
  /// Number of its acquisitions, including this one.
  package var term: Int64
  /// Nominal instant up to which entries are decided, in nanoseconds since 1970; `nil` for none.
  package var watermark: Int64?
  /// Cursor of its plugin, in Base64.
  package var cursor: String?
  /// Whether its last run failed.
  package var isFailing: Bool
  /// Its incidents, as stored by its last owner; `nil` for none.
  package var incidents: [StoredIncident]?
  /// Instant since which it is paused, in nanoseconds since 1970.
  package var pausedSince: Int64?
  /// Its claims without an outcome, ascending by instant; if there are more than ``StoreWireLimits/entriesMax``, the latest.
  package var claims: [OpenClaim]
  /// First and last nominal instants of its outcomes later than the watermark, ascending; if there are more than
  /// ``StoreWireLimits/entriesMax``, the latest; `nil` for none. An open entry before them holds the watermark back.
  package var decided: [ClosedRange<Int64>]?

  /// Makes a job.
  package init(
    job: String, term: Int64 = 1, watermark: Int64? = nil, cursor: String? = nil, isFailing: Bool = false,
    incidents: [StoredIncident]? = nil, pausedSince: Int64? = nil, claims: [OpenClaim] = [],
    decided: [ClosedRange<Int64>]? = nil
  ) {
    (self.job, self.term, self.watermark, self.cursor) = (job, term, watermark, cursor)
    (self.isFailing, self.incidents) = (isFailing, incidents)
    (self.pausedSince, self.claims, self.decided) = (pausedSince, claims, decided)
  }
}

/// A claim without an outcome.
package struct OpenClaim: Codable, Sendable, Hashable {
  /// Nominal instant of the entry, in nanoseconds since 1970.
  package var nominal: Int64
  /// Number of entries of the claim, which ends at ``nominal``; more than one for counted jobs.
  package var entryCount: Int
  /// Node that holds it.
  package var node: String
  /// Epoch that holds it.
  package var epoch: String
  /// Token of the claim.
  package var token: Int64
  /// Instant at which the holder's lease ends or ended, by the store's clock in nanoseconds since 1970.
  package var leaseUntil: Int64

  /// Makes a claim.
  package init(
    nominal: Int64, entryCount: Int = 1, node: String, epoch: String, token: Int64, leaseUntil: Int64
  ) {
    (self.nominal, self.entryCount, self.node) = (nominal, entryCount, node)
    (self.epoch, self.token, self.leaseUntil) = (epoch, token, leaseUntil)
  }
}

/// Parameters of ``StoreCall/release(_:)``.
///
/// A call that arrives late, after the caller has given the job up and acquired it again, has no effect, because its term has
/// ended.
package struct ReleaseCall: Codable, Sendable, Hashable {
  /// A job to be given up.
  package struct Job: Codable, Sendable, Hashable {
    /// Name of the job.
    package var job: String
    /// Term in which the caller owns the job.
    package var term: Int64

    /// Makes a job.
    package init(job: String, term: Int64) { (self.job, self.term) = (job, term) }
  }

  /// Name of the cluster.
  package var cluster: String
  /// Epoch of the node.
  package var epoch: String
  /// The jobs; those that the epoch owns in the given term are released. At most ``StoreWireLimits/jobsMax``.
  package var jobs: [Job]

  /// Makes parameters.
  package init(cluster: String, epoch: String, jobs: [Job]) {
    (self.cluster, self.epoch, self.jobs) = (cluster, epoch, jobs)
  }
}

/// Parameters of ``StoreCall/activate(_:)``.
package struct ActivateCall: Codable, Sendable, Hashable {
  /// Name of the cluster.
  package var cluster: String
  /// Digest of the definition by which each job is to run, by name of the job; at most ``StoreWireLimits/jobsMax``.
  package var digests: [String: String]

  /// Makes parameters.
  package init(cluster: String, digests: [String: String]) {
    (self.cluster, self.digests) = (cluster, digests)
  }
}

/// Parameters of ``StoreCall/pause(_:)``.
package struct PauseCall: Codable, Sendable, Hashable {
  /// Name of the cluster.
  package var cluster: String
  /// Name of the job.
  package var job: String
  /// Instant since which it is paused, in nanoseconds since 1970; `nil` to resume it.
  package var since: Int64?

  /// Makes parameters.
  package init(cluster: String, job: String, since: Int64?) {
    (self.cluster, self.job, self.since) = (cluster, job, since)
  }
}
