package import TimelineCore

/// Parameters of the four calls about claims: ``StoreCall/claim(_:)``, ``StoreCall/take(_:)``, ``StoreCall/withdraw(_:)`` and
/// ``StoreCall/publish(_:)``.
package struct ClaimCall<Claim: ClaimParameter>: Codable, Sendable, Equatable {
  /// The claims, ascending by their keys; at most ``StoreWireLimits/entriesMax``.
  package var claims: [Claim]

  package init(_ claims: [Claim]) { self.claims = claims }
}

/// A claim in the parameters of a call.
package protocol ClaimParameter: Codable, Sendable, Equatable {
  /// Entry, or window, of the claim.
  var key: EntryKey { get }
}

/// An entry to be claimed by ``StoreCall/claim(_:)``.
///
/// An entry is granted if the caller has a valid lease and owns the job, and the entry is unclaimed. An entry that the caller
/// has already claimed is granted again with the same token, unless the entry has an outcome.
package struct WantedClaim: ClaimParameter {
  package var key: EntryKey
  /// Number of entries in the claim; ``key`` is the last one. More than 1 for counted jobs.
  package var entryCount: Int

  package init(_ key: EntryKey, entryCount: Int = 1) { (self.key, self.entryCount) = (key, entryCount) }
}

/// A claim to be taken from another epoch by ``StoreCall/take(_:)``.
///
/// A claim is taken if the caller has a valid lease, the caller owns the job, the claim has no outcome, and the former epoch
/// still holds the claim. The former epoch had no lease when the caller became the owner. The former epoch starts nothing
/// until it has read a new view, and the new view names another owner. The claim gets a new token. A claim without an outcome
/// that the caller already holds is granted again with its token.
package struct TakenClaim: ClaimParameter {
  package var key: EntryKey
  /// Epoch that is expected to hold the claim.
  package var formerEpoch: String

  package init(_ key: EntryKey, formerEpoch: String) { (self.key, self.formerEpoch) = (key, formerEpoch) }
}

/// A claim to be withdrawn by ``StoreCall/withdraw(_:)``.
///
/// A claim of the caller without an outcome is deleted, unless the job has been acquired again since the term of the claim. The
/// entry is unclaimed again. The call needs no lease.
package struct WithdrawnClaim: ClaimParameter {
  package var key: EntryKey
  /// Term of the job in which the claim is withdrawn.
  package var term: Int64

  package init(_ key: EntryKey, term: Int64) { (self.key, self.term) = (key, term) }
}

/// A claim that was granted to the caller before, to be stored again by ``StoreCall/publish(_:)``.
package struct PublishedClaim: ClaimParameter {
  package var key: EntryKey
  /// Number of entries of the claim.
  package var entryCount: Int
  package var token: Int64

  package init(_ key: EntryKey, entryCount: Int = 1, token: Int64) {
    (self.key, self.entryCount, self.token) = (key, entryCount, token)
  }
}

/// Reply to ``StoreCall/claim(_:)`` and ``StoreCall/take(_:)``.
package struct ClaimReply: Codable, Sendable, Equatable {
  /// Answer about one entry.
  package struct Answer: Codable, Sendable, Equatable {
    package var key: EntryKey
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
      _ key: EntryKey, isGranted: Bool, token: Int64? = nil, node: String? = nil, epoch: String? = nil,
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

/// Reply to ``StoreCall/record(_:)`` and ``StoreCall/publish(_:)``: entries that two nodes have claimed or run.
package struct ConflictReply: Codable, Sendable, Equatable {
  /// An entry that another epoch has also claimed or run.
  package struct Conflict: Codable, Sendable, Equatable {
    package var key: EntryKey
    /// The other node.
    package var node: String
    package var epoch: String

    package init(_ key: EntryKey, node: String, epoch: String) {
      (self.key, self.node, self.epoch) = (key, node, epoch)
    }
  }

  /// The conflicts, ascending by their keys; empty for none.
  package var conflicts: [Conflict]

  package init(conflicts: [Conflict]) { self.conflicts = conflicts }
}
