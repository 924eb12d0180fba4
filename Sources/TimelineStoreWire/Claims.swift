/// An entry on the wire.
package struct StoredKey: Codable, Sendable, Hashable, Comparable {
  package var job: String
  /// Nominal instant, in nanoseconds since 1970.
  package var nominal: Int64

  package init(job: String, nominal: Int64) { (self.job, self.nominal) = (job, nominal) }

  /// Orders keys by job and instant. All statements lock rows in this order, which prevents deadlocks.
  package static func < (left: StoredKey, right: StoredKey) -> Bool {
    (left.job, left.nominal) < (right.job, right.nominal)
  }
}

/// Parameters of ``StoreCall/claim(_:)``.
///
/// An entry is granted if the caller has a valid lease and owns the job, and the entry is unclaimed. An entry that the caller
/// has already claimed is granted again with the same token, unless the entry has an outcome.
package struct ClaimCall: Codable, Sendable, Equatable {
  /// An entry to be claimed.
  package struct Entry: Codable, Sendable, Equatable {
    package var key: StoredKey
    /// Number of entries in the claim; ``key`` is the last one. More than 1 for counted jobs.
    package var entryCount: Int

    package init(_ key: StoredKey, entryCount: Int = 1) { (self.key, self.entryCount) = (key, entryCount) }
  }

  package var cluster: String
  package var epoch: String
  /// The entries, ascending by their keys; at most ``StoreWireLimits/entriesMax``.
  package var entries: [Entry]

  package init(cluster: String, epoch: String, entries: [Entry]) {
    (self.cluster, self.epoch, self.entries) = (cluster, epoch, entries)
  }
}

/// Parameters of ``StoreCall/take(_:)``.
///
/// A claim is taken if the caller has a valid lease, the caller owns the job, the claim has no outcome, and the former epoch
/// still holds the claim. The former epoch had no lease when the caller became the owner. The former epoch starts nothing
/// until it has read a new view, and the new view names another owner. The claim gets a new token. A claim without an outcome
/// that the caller already holds is granted again with its token.
package struct TakeCall: Codable, Sendable, Equatable {
  /// A claim to be taken.
  package struct Claim: Codable, Sendable, Equatable {
    package var key: StoredKey
    /// Epoch that is expected to hold the claim.
    package var formerEpoch: String

    package init(_ key: StoredKey, formerEpoch: String) { (self.key, self.formerEpoch) = (key, formerEpoch) }
  }

  package var cluster: String
  package var epoch: String
  /// The claims, ascending by their keys; at most ``StoreWireLimits/entriesMax``.
  package var claims: [Claim]

  package init(cluster: String, epoch: String, claims: [Claim]) {
    (self.cluster, self.epoch, self.claims) = (cluster, epoch, claims)
  }
}

/// Reply to ``StoreCall/claim(_:)`` and ``StoreCall/take(_:)``.
package struct ClaimReply: Codable, Sendable, Equatable {
  /// Answer about one entry.
  package struct Answer: Codable, Sendable, Equatable {
    package var key: StoredKey
    /// Whether the caller holds the claim and may run the entry.
    package var isGranted: Bool
    /// Token of the claim; `nil` without a claim. Each later claim of the job has a higher token.
    package var token: Int64?
    /// Node that holds the claim; `nil` if the caller holds the claim.
    package var node: String?
    /// Epoch that holds the claim; `nil` without a claim.
    package var epoch: String?
    /// Whether the entry has an outcome.
    package var hasOutcome: Bool

    package init(
      _ key: StoredKey, isGranted: Bool, token: Int64? = nil, node: String? = nil, epoch: String? = nil,
      hasOutcome: Bool = false
    ) {
      (self.key, self.isGranted, self.token) = (key, isGranted, token)
      (self.node, self.epoch, self.hasOutcome) = (node, epoch, hasOutcome)
    }
  }

  /// Whether the caller has no lease. If the lease ends while the call is performed, entries may have been granted. A repeated
  /// call grants them again.
  package var isLost: Bool
  /// Requested jobs that the caller does not own. No entry of these jobs is granted.
  package var foreignJobs: [String]
  /// An answer for each entry, in the order of the call; empty if the caller has no lease.
  package var answers: [Answer]

  package init(isLost: Bool, foreignJobs: [String] = [], answers: [Answer]) {
    (self.isLost, self.foreignJobs, self.answers) = (isLost, foreignJobs, answers)
  }
}

/// Parameters of ``StoreCall/withdraw(_:)``.
///
/// Deletes the caller's claims without an outcome, unless the job has been acquired again since the term of the claim. The
/// entries are unclaimed again. The call needs no lease.
package struct WithdrawCall: Codable, Sendable, Equatable {
  /// A claim to be withdrawn.
  package struct Claim: Codable, Sendable, Equatable {
    package var key: StoredKey
    /// Term of the job in which the claim is withdrawn.
    package var term: Int64

    package init(_ key: StoredKey, term: Int64) { (self.key, self.term) = (key, term) }
  }

  package var cluster: String
  package var epoch: String
  /// The claims, ascending by their keys; at most ``StoreWireLimits/entriesMax``.
  package var claims: [Claim]

  package init(cluster: String, epoch: String, claims: [Claim]) {
    (self.cluster, self.epoch, self.claims) = (cluster, epoch, claims)
  }
}

/// Parameters of ``StoreCall/publish(_:)``.
package struct PublishCall: Codable, Sendable, Equatable {
  /// A claim that was granted to the caller before.
  package struct Claim: Codable, Sendable, Equatable {
    package var key: StoredKey
    /// Number of entries of the claim.
    package var entryCount: Int
    package var token: Int64

    package init(_ key: StoredKey, entryCount: Int = 1, token: Int64) {
      (self.key, self.entryCount, self.token) = (key, entryCount, token)
    }
  }

  package var cluster: String
  package var epoch: String
  /// The claims, ascending by their keys; at most ``StoreWireLimits/entriesMax``.
  package var claims: [Claim]

  package init(cluster: String, epoch: String, claims: [Claim]) {
    (self.cluster, self.epoch, self.claims) = (cluster, epoch, claims)
  }
}

/// Reply to ``StoreCall/record(_:)`` and ``StoreCall/publish(_:)``: entries that two nodes have claimed or run.
package struct ConflictReply: Codable, Sendable, Equatable {
  /// An entry that another epoch has also claimed or run.
  package struct Conflict: Codable, Sendable, Equatable {
    package var key: StoredKey
    /// The other node.
    package var node: String
    package var epoch: String

    package init(_ key: StoredKey, node: String, epoch: String) {
      (self.key, self.node, self.epoch) = (key, node, epoch)
    }
  }

  /// The conflicts, ascending by their keys; empty for none.
  package var conflicts: [Conflict]

  package init(conflicts: [Conflict]) { self.conflicts = conflicts }
}
