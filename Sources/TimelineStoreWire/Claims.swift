/// An entry on the wire.
package struct StoredKey: Codable, Sendable, Hashable, Comparable {
  /// Name of the job.
  package var job: String
  /// Nominal instant, in nanoseconds since 1970.
  package var nominal: Int64

  /// Makes a key.
  package init(job: String, nominal: Int64) { (self.job, self.nominal) = (job, nominal) }

  /// Orders keys by job and instant. All statements lock rows in this order, which prevents deadlocks.
  package static func < (left: StoredKey, right: StoredKey) -> Bool {
    (left.job, left.nominal) < (right.job, right.nominal)
  }
}

/// Parameters of ``StoreCall/claim(_:)``.
///
/// An entry is granted if the caller's lease lasts, the caller owns the job, and the entry is unclaimed. An entry that the caller
/// itself has claimed is granted again with the same token, unless it has an outcome.
package struct ClaimCall: Codable, Sendable, Hashable {
  /// An entry to be claimed.
  package struct Entry: Codable, Sendable, Hashable {
    /// The entry.
    package var key: StoredKey
    /// Number of entries of the claim, which ends with ``key``; more than one for counted jobs.
    package var entryCount: Int

    /// Makes an entry.
    package init(_ key: StoredKey, entryCount: Int = 1) { (self.key, self.entryCount) = (key, entryCount) }
  }

  /// Name of the cluster.
  package var cluster: String
  /// Epoch of the node.
  package var epoch: String
  /// The entries, ascending by their keys; at most ``StoreWireLimits/entriesMax``.
  package var entries: [Entry]

  /// Makes parameters.
  package init(cluster: String, epoch: String, entries: [Entry]) {
    (self.cluster, self.epoch, self.entries) = (cluster, epoch, entries)
  }
}

/// Parameters of ``StoreCall/take(_:)``.
///
/// A claim is taken if the caller's lease lasts, it owns the job, the claim has no outcome, and the former epoch still holds
/// it. The former epoch had no lease when the caller became the owner. It starts nothing later without a new view, in which it
/// no longer owns the job. The claim gets a new token. A claim without an outcome that the caller already holds is granted
/// again with its token.
package struct TakeCall: Codable, Sendable, Hashable {
  /// A claim to be taken.
  package struct Claim: Codable, Sendable, Hashable {
    /// Its entry.
    package var key: StoredKey
    /// Epoch that holds it.
    package var formerEpoch: String

    /// Makes a claim.
    package init(_ key: StoredKey, formerEpoch: String) { (self.key, self.formerEpoch) = (key, formerEpoch) }
  }

  /// Name of the cluster.
  package var cluster: String
  /// Epoch of the node.
  package var epoch: String
  /// The claims, ascending by their keys; at most ``StoreWireLimits/entriesMax``.
  package var claims: [Claim]

  /// Makes parameters.
  package init(cluster: String, epoch: String, claims: [Claim]) {
    (self.cluster, self.epoch, self.claims) = (cluster, epoch, claims)
  }
}

/// Reply to ``StoreCall/claim(_:)`` and ``StoreCall/take(_:)``.
package struct ClaimReply: Codable, Sendable, Hashable {
  /// Answer about one entry.
  package struct Answer: Codable, Sendable, Hashable {
    /// The entry.
    package var key: StoredKey
    /// Whether the caller holds it and may run it.
    package var isGranted: Bool
    /// Token of the claim, if there is one: a number that is higher than the token of every earlier claim of the job.
    package var token: Int64?
    /// Node that holds the claim, if it is another one.
    package var node: String?
    /// Epoch that holds the claim, if there is one.
    package var epoch: String?
    /// Whether the entry has an outcome.
    package var hasOutcome: Bool

    /// Makes an answer.
    package init(
      _ key: StoredKey, isGranted: Bool, token: Int64? = nil, node: String? = nil, epoch: String? = nil,
      hasOutcome: Bool = false
    ) {
      (self.key, self.isGranted, self.token) = (key, isGranted, token)
      (self.node, self.epoch, self.hasOutcome) = (node, epoch, hasOutcome)
    }
  }

  /// Whether the caller has no lease. If the lease ran out before the reply was made, entries may have been granted; a repeated
  /// call grants them again.
  package var isLost: Bool
  /// Requested jobs that the caller does not own; none of their entries was granted.
  package var foreignJobs: [String]
  /// An answer for each entry, in the order of the call; empty if the caller has no lease.
  package var answers: [Answer]

  /// Makes a reply.
  package init(isLost: Bool, foreignJobs: [String] = [], answers: [Answer]) {
    (self.isLost, self.foreignJobs, self.answers) = (isLost, foreignJobs, answers)
  }
}

/// Parameters of ``StoreCall/withdraw(_:)``.
///
/// Deletes claims without an outcome that the epoch holds, if the job has not been acquired since the term of the claim. The
/// entries are unclaimed again. The lease does not matter.
package struct WithdrawCall: Codable, Sendable, Hashable {
  /// A claim to be withdrawn.
  package struct Claim: Codable, Sendable, Hashable {
    /// Its entry.
    package var key: StoredKey
    /// Term of the job in which it is withdrawn.
    package var term: Int64

    /// Makes a claim.
    package init(_ key: StoredKey, term: Int64) { (self.key, self.term) = (key, term) }
  }

  /// Name of the cluster.
  package var cluster: String
  /// Epoch of the node.
  package var epoch: String
  /// The claims, ascending by their keys; at most ``StoreWireLimits/entriesMax``.
  package var claims: [Claim]

  /// Makes parameters.
  package init(cluster: String, epoch: String, claims: [Claim]) {
    (self.cluster, self.epoch, self.claims) = (cluster, epoch, claims)
  }
}

/// Parameters of ``StoreCall/publish(_:)``.
package struct PublishCall: Codable, Sendable, Hashable {
  /// A claim that was granted to the caller before.
  package struct Claim: Codable, Sendable, Hashable {
    /// Its entry.
    package var key: StoredKey
    /// Number of entries of the claim.
    package var entryCount: Int
    /// Its token.
    package var token: Int64

    /// Makes a claim.
    package init(_ key: StoredKey, entryCount: Int = 1, token: Int64) {
      (self.key, self.entryCount, self.token) = (key, entryCount, token)
    }
  }

  /// Name of the cluster.
  package var cluster: String
  /// Epoch of the node.
  package var epoch: String
  /// The claims, ascending by their keys; at most ``StoreWireLimits/entriesMax``.
  package var claims: [Claim]

  /// Makes parameters.
  package init(cluster: String, epoch: String, claims: [Claim]) {
    (self.cluster, self.epoch, self.claims) = (cluster, epoch, claims)
  }
}

/// Reply to ``StoreCall/record(_:)`` and ``StoreCall/publish(_:)``: entries that two nodes hold.
package struct ConflictReply: Codable, Sendable, Hashable {
  /// An entry that another epoch holds or has run, too.
  package struct Conflict: Codable, Sendable, Hashable {
    /// The entry.
    package var key: StoredKey
    /// The other node.
    package var node: String
    /// Its epoch.
    package var epoch: String

    /// Makes a conflict.
    package init(_ key: StoredKey, node: String, epoch: String) {
      (self.key, self.node, self.epoch) = (key, node, epoch)
    }
  }

  /// The conflicts, ascending by their keys; empty for none.
  package var conflicts: [Conflict]

  /// Makes a reply.
  package init(conflicts: [Conflict]) { self.conflicts = conflicts }
}
