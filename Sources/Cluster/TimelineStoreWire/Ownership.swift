/// Parameters of ``StoreCall/acquire(_:)``.
///
/// A job is acquired if the caller has a valid lease, the owner is still the expected one, and the owner has left or has no valid
/// lease. A job that is missing in the store is created. A job that the caller already owns is acquired again.
///
/// Each acquisition begins a new term of the job. A repeated call begins none. A call that names the caller itself as the former
/// owner does begin a new term, because the caller has released or lost the job in the meantime.
package struct AcquireCall: Codable, Sendable, Equatable {
  /// A job to be acquired.
  package struct Job: Codable, Sendable, Equatable {
    package var job: String
    /// Epoch that is expected to own the job; `nil` for none.
    package var formerOwner: String?

    package init(job: String, formerOwner: String?) { (self.job, self.formerOwner) = (job, formerOwner) }
  }

  /// The jobs, in order of their names; at most ``StoreWireLimits/jobsMax``.
  package var jobs: [Job]

  package init(jobs: [Job]) { self.jobs = jobs }
}

/// Reply to ``StoreCall/acquire(_:)``.
package struct AcquireReply: Codable, Sendable, Equatable {
  /// Whether the caller has no lease. Nothing was acquired then.
  package var isLost: Bool
  /// Requested jobs that the caller owns now. Jobs that do not fit into the message are not acquired. The caller can request them
  /// again.
  package var jobs: [AcquiredJob]

  package init(isLost: Bool, jobs: [AcquiredJob]) { (self.isLost, self.jobs) = (isLost, jobs) }
}

/// State of a job when a node becomes its owner.
package struct AcquiredJob: Codable, Sendable, Equatable {
  package var job: String
  /// Number of acquisitions of the job, including this one.
  package var term: Int64
  /// Nominal instant up to which all entries are decided, in nanoseconds since 1970; `nil` for none.
  package var watermark: Int64?
  /// Cursor of the job's plugin, in Base64.
  package var cursor: String?
  /// Whether the last run of the job failed.
  package var isFailing: Bool
  /// Incidents as stored by the last owner; `nil` for none.
  package var incidents: [StoredIncident]?
  /// Instant of the pause, in nanoseconds since 1970; `nil` if the job is not paused.
  package var pausedSince: Int64?
  /// Claims of the job without an outcome, ascending by instant. If there are more than ``StoreWireLimits/entriesMax``, only
  /// the latest. An outcome of any epoch counts, also one of several entries.
  package var claims: [OpenClaim]
  /// First and last nominal instants of the outcomes of its schedule's entries later than the watermark, ascending; if there are
  /// more than ``StoreWireLimits/entriesMax``, the first span covers the earliest ones; `nil` for none. An open entry before them
  /// holds the watermark back.
  package var decided: [ClosedRange<Int64>]?

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

extension AcquiredJob {
  /// Applies records of the job, all later than the watermark or than an earlier claim: sets ``decided``. Removes the claims of
  /// entries with an outcome, and returns them.
  package mutating func take(_ records: [StoredRecord]) -> [OpenClaim] {
    let nominals = Set(records.map(\.key.nanoseconds))
    let spans = records.filter(\.isOfSchedule).map {
      min($0.firstNominal, $0.key.nanoseconds)...$0.key.nanoseconds
    }
    let isSettled = { (claim: OpenClaim) in
      nominals.contains(claim.nominal) || spans.contains { $0.contains(claim.nominal) }
    }
    let settled = claims.filter(isSettled)
    claims.removeAll(where: isSettled)
    var later = Set(spans.filter { $0.upperBound > watermark ?? .max }).sorted {
      ($0.upperBound, $0.lowerBound) < ($1.upperBound, $1.lowerBound)
    }
    let earliest = later.prefix(max(0, later.count - StoreWireLimits.entriesMax + 1))
    if earliest.count > 1, let first = earliest.map(\.lowerBound).min(), let last = earliest.last {
      later.replaceSubrange(earliest.indices, with: [first...last.upperBound])
    }
    decided = later.isEmpty ? nil : later
    return settled
  }
}

/// A claim without an outcome.
package struct OpenClaim: Codable, Sendable, Equatable {
  /// Nominal instant of the entry, in nanoseconds since 1970.
  package var nominal: Int64
  /// Number of entries in the claim; the last one is at ``nominal``. More than 1 for counted jobs.
  package var entryCount: Int
  /// Node that holds the claim.
  package var node: String
  package var epoch: String
  package var token: Int64
  /// Instant at which the holder's lease ends or ended, in nanoseconds since 1970 by the store's clock.
  package var leaseUntil: Int64

  package init(
    nominal: Int64, entryCount: Int = 1, node: String, epoch: String, token: Int64, leaseUntil: Int64
  ) {
    (self.nominal, self.entryCount, self.node) = (nominal, entryCount, node)
    (self.epoch, self.token, self.leaseUntil) = (epoch, token, leaseUntil)
  }
}

/// Parameters of ``StoreCall/release(_:)``.
///
/// A late call has no effect if the caller has released the job and acquired it again in the meantime, because the term of the
/// call has ended.
package struct ReleaseCall: Codable, Sendable, Equatable {
  /// A job to be released.
  package struct Job: Codable, Sendable, Equatable {
    package var job: String
    /// Term in which the caller owns the job.
    package var term: Int64

    package init(job: String, term: Int64) { (self.job, self.term) = (job, term) }
  }

  /// At most ``StoreWireLimits/jobsMax`` jobs. A job is released only if the epoch owns it in the given term.
  package var jobs: [Job]

  package init(jobs: [Job]) { self.jobs = jobs }
}

/// Parameters of ``StoreCall/activate(_:)``.
package struct ActivateCall: Codable, Sendable, Equatable {
  /// Digest of the definition that becomes active, by name of the job; at most ``StoreWireLimits/jobsMax``.
  package var digests: [String: String]

  package init(digests: [String: String]) { self.digests = digests }
}

/// Parameters of ``StoreCall/pause(_:)``.
package struct PauseCall: Codable, Sendable, Equatable {
  package var job: String
  /// Instant of the pause, in nanoseconds since 1970; `nil` to resume the job.
  package var since: Int64?

  package init(job: String, since: Int64?) { (self.job, self.since) = (job, since) }
}
