package import TimelineCore

/// Outcome of an entry, or of several consecutive entries with the same outcome.
package struct StoredRecord: Codable, Sendable, Equatable {
  /// The entry, or the last of several entries.
  package var key: EntryKey
  /// Nominal instant of the first of several entries, in nanoseconds since 1970.
  package var firstNominal: Int64
  package var entryCount: Int
  /// The outcome, as in `timelinectl history`.
  package var outcome: String
  package var cause: String
  /// Causes of runs whose entries are not of the job's schedule.
  package static let causesBesideSchedule = ["backfill", "reaction", "rerun", "trigger"]
  /// Reason of the outcome, one line for the operator; at most ``StoreWireLimits/reasonMax`` bytes.
  package var reason: String
  /// Start of the first attempt, in nanoseconds since 1970; `nil` if no attempt was started.
  package var startedAt: Int64?
  /// Instant of the outcome, in nanoseconds since 1970.
  package var endedAt: Int64
  package var attempts: Int
  /// Node that recorded the outcome.
  package var node: String
  /// Epoch that recorded the outcome.
  package var epoch: String
  /// Token of the entry's claim; `nil` without a claim.
  package var token: Int64?

  package init(
    key: EntryKey, firstNominal: Int64, entryCount: Int = 1, outcome: String, cause: String, reason: String,
    startedAt: Int64?, endedAt: Int64, attempts: Int, node: String, epoch: String, token: Int64? = nil
  ) {
    (self.key, self.firstNominal, self.entryCount) = (key, firstNominal, entryCount)
    (self.outcome, self.cause, self.reason) = (outcome, cause, reason)
    (self.startedAt, self.endedAt, self.attempts) = (startedAt, endedAt, attempts)
    (self.node, self.epoch, self.token) = (node, epoch, token)
  }
}

/// Parameters of ``StoreCall/record(_:)``.
///
/// A record is stored once for each entry and epoch. Records of two epochs for the same entry are a conflict. Both are kept.
package struct RecordCall: Codable, Sendable, Equatable {
  /// Progress of a job.
  package struct Progress: Codable, Sendable, Equatable {
    package var job: String
    /// Nominal instant up to which all entries are decided, in nanoseconds since 1970. The store keeps the latest.
    package var watermark: Int64
    /// Whether the last run failed; `nil` if no run has ended.
    package var isFailing: Bool?
    /// New cursor in Base64, with the token of the run that wrote it; `nil` if unchanged. The store keeps the cursor with the
    /// highest token.
    package var cursor: Cursor?

    package init(job: String, watermark: Int64, isFailing: Bool? = nil, cursor: Cursor? = nil) {
      (self.job, self.watermark, self.isFailing, self.cursor) = (job, watermark, isFailing, cursor)
    }
  }

  /// A cursor and the token of the run that wrote it.
  package struct Cursor: Codable, Sendable, Equatable {
    /// The bytes in Base64.
    package var bytes: String
    package var token: Int64

    package init(bytes: String, token: Int64) { (self.bytes, self.token) = (bytes, token) }
  }

  /// The records, ascending by their keys; at most ``StoreWireLimits/entriesMax``.
  package var records: [StoredRecord]
  /// Progress of the jobs that have records, in order of the jobs' names.
  package var progress: [Progress]
  /// Changed incidents, in order of the jobs' names; at most ``StoreWireLimits/entriesMax``, `nil` for none.
  package var incidents: [StoredIncidents]?

  package init(records: [StoredRecord], progress: [Progress], incidents: [StoredIncidents]? = nil) {
    (self.records, self.progress, self.incidents) = (records, progress, incidents)
  }
}

/// Parameters of ``StoreCall/history(_:)``.
package struct HistoryCall: Codable, Sendable, Equatable {
  /// Name of the job; `nil` for all.
  package var job: String?
  /// First nominal instant, in nanoseconds since 1970.
  package var since: Int64?
  /// End of the nominal instants (exclusive), in nanoseconds since 1970.
  package var until: Int64?
  /// Outcomes to be returned; `nil` for all.
  package var outcomes: [String]?
  /// Number of records, latest first; at most ``StoreWireLimits/recordsMax``.
  package var limit: Int

  package init(
    job: String? = nil, since: Int64? = nil, until: Int64? = nil, outcomes: [String]? = nil, limit: Int
  ) {
    (self.job, self.since, self.until) = (job, since, until)
    (self.outcomes, self.limit) = (outcomes, limit)
  }
}

/// Reply to ``StoreCall/history(_:)``.
package struct StoreHistoryReply: Codable, Sendable, Equatable {
  /// Records, latest first. Fewer than requested if no more fit into the message.
  package var records: [StoredRecord]
  /// Claims without an outcome, latest first, for the requested job and time; at most ``HistoryCall/limit``.
  package var claims: [ClaimedEntry]

  package init(records: [StoredRecord], claims: [ClaimedEntry]) {
    (self.records, self.claims) = (records, claims)
  }
}

/// An entry that was claimed and has no outcome.
package struct ClaimedEntry: Codable, Sendable, Equatable {
  package var key: EntryKey
  /// Node that holds the claim.
  package var node: String
  /// Epoch that holds the claim.
  package var epoch: String
  package var token: Int64
  /// Instant of the claim, in nanoseconds since 1970 by the store's clock.
  package var claimedAt: Int64
  /// Instant at which the holder's lease ends or ended, in nanoseconds since 1970 by the store's clock.
  package var leaseUntil: Int64

  package init(
    key: EntryKey, node: String, epoch: String, token: Int64, claimedAt: Int64, leaseUntil: Int64
  ) {
    (self.key, self.node, self.epoch) = (key, node, epoch)
    (self.token, self.claimedAt, self.leaseUntil) = (token, claimedAt, leaseUntil)
  }
}

/// Parameters of ``StoreCall/status(_:)``.
package struct StatusCall: Codable, Sendable, Equatable {
  /// Name of the job after which the jobs of the reply begin; `nil` for the first part.
  package var afterJob: String?

  package init(afterJob: String? = nil) { self.afterJob = afterJob }
}

/// Reply to ``StoreCall/status(_:)``.
package struct StoreStatusReply: Codable, Sendable, Equatable {
  /// A standby of the store.
  package struct Standby: Codable, Sendable, Equatable {
    package var name: String
    /// Whether the standby has every acknowledged claim. No claim is then lost in a failover.
    package var isSynchronous: Bool
    /// Lag in bytes; `nil` if the store does not report it.
    package var bytesBehind: Int64?

    package init(name: String, isSynchronous: Bool, bytesBehind: Int64? = nil) {
      (self.name, self.isSynchronous, self.bytesBehind) = (name, isSynchronous, bytesBehind)
    }
  }

  /// Name and version of the store's server, for display.
  package var server: String
  /// Identity of the store and its timeline; see ``JoinReply/identity``.
  package var identity: String
  /// Clock of the store, in nanoseconds since 1970.
  package var storeTime: Int64
  package var standbys: [Standby]
  /// Nodes that the store has not deleted.
  package var nodes: [NodeMessage]
  /// Jobs of the cluster, ordered by the bytes of their names, as many as fit into the message.
  package var jobs: [JobMessage]
  /// Whether more jobs follow; see ``StatusCall/afterJob``.
  package var hasMoreJobs: Bool

  package init(
    server: String, identity: String, storeTime: Int64, standbys: [Standby], nodes: [NodeMessage],
    jobs: [JobMessage], hasMoreJobs: Bool = false
  ) {
    (self.server, self.identity, self.storeTime) = (server, identity, storeTime)
    (self.standbys, self.nodes, self.jobs) = (standbys, nodes, jobs)
    self.hasMoreJobs = hasMoreJobs
  }
}

extension StoredRecord {
  /// Whether the record is of entries of the job's schedule.
  package var isOfSchedule: Bool { !Self.causesBesideSchedule.contains(cause) }
}
