/// An entry on the wire.
package struct StoredKey: Codable, Sendable, Hashable, Comparable {
  /// Name of the job.
  package var job: String
  /// Nominal instant, in nanoseconds since 1970.
  package var nominal: Int64

  /// Makes a key.
  package init(job: String, nominal: Int64) { (self.job, self.nominal) = (job, nominal) }

  /// Orders keys by job and instant. All statements go through rows in this order, so that two never wait for each other.
  package static func < (left: StoredKey, right: StoredKey) -> Bool {
    (left.job, left.nominal) < (right.job, right.nominal)
  }
}

/// Parameters of ``StoreCall/claim(_:)``.
///
/// An entry is granted if the caller's lease lasts, it owns the job, and nobody has claimed the entry; one that the caller itself has
/// claimed is granted again with the same token, unless it has an outcome.
package struct ClaimCall: Codable, Sendable, Hashable {
  /// An entry to be claimed.
  package struct Entry: Codable, Sendable, Hashable {
    /// The entry.
    package var key: StoredKey
    /// Number of entries that the claim is for, the last of them ``key``; more than one for counted jobs.
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
/// A claim is taken if the caller's lease lasts, it owns the job, the claim has no outcome, and the former epoch still holds it. That one
/// had no lease when the caller became the owner, and what it starts later it starts by a view in which it owns the job no more. The
/// claim gets a new token. One that the caller holds already, without an outcome, is granted again with the token that it has.
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
    /// Token of the claim, if there is one: a number that is higher than that of every earlier claim of the job.
    package var token: Int64?
    /// Node that holds the claim, if another one does.
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

  /// Whether the caller has no lease. If that ran out before the reply was made, entries may have been granted: they are again when they are
  /// asked for.
  package var isLost: Bool
  /// Jobs among the entries that the caller does not own; nothing of them was granted.
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
/// Claims are deleted that the epoch holds and that have no outcome, as if they had never been made, if nobody has acquired the job since
/// then. The lease does not matter.
package struct WithdrawCall: Codable, Sendable, Hashable {
  /// A claim to be given up.
  package struct Claim: Codable, Sendable, Hashable {
    /// Its entry.
    package var key: StoredKey
    /// Term of the job in which it is given up.
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
  /// A claim that the caller was granted before.
  package struct Claim: Codable, Sendable, Hashable {
    /// Its entry.
    package var key: StoredKey
    /// Number of entries that the claim is for.
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

  /// The conflicts, ascending by their keys; empty if all is well.
  package var conflicts: [Conflict]

  /// Makes a reply.
  package init(conflicts: [Conflict]) { self.conflicts = conflicts }
}
