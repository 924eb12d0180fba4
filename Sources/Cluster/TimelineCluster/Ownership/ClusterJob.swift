package import TimelineCore
package import TimelineStoreWire

/// A job that one node of the cluster is to run, as this node's configuration defines it.
package struct ClusterJob: Sendable, Equatable {
  package var name: JobName
  /// Labels that a node must have.
  package var rules: [LabelRule]
  /// Whether an entry that another node may have started is run again.
  package var delivery: DeliveryPolicy
  /// Behavior while the store does not answer.
  package var storeDown: JobPlacement.StoreDown
  /// Schedule of a counted job, which is claimed by windows; `nil` for any other job.
  package var countedSchedule: ScheduleRule?
  /// Digest of the part of the definition that must be the same on all nodes that run the job.
  package var digest: String

  package init(
    name: JobName, rules: [LabelRule] = [], delivery: DeliveryPolicy = .atMostOnce,
    storeDown: JobPlacement.StoreDown = .hold, countedSchedule: ScheduleRule? = nil, digest: String
  ) {
    (self.name, self.rules, self.delivery, self.digest) = (name, rules, delivery, digest)
    (self.storeDown, self.countedSchedule) = (storeDown, countedSchedule)
  }
}

/// A job that this node has become the owner of.
package struct OwnedJob: Sendable, Equatable {
  package var name: JobName
  /// Nominal instant up to which all entries are decided; `nil` for a new job.
  package var watermark: WallInstant?
  /// Cursor of the job's plugin, in Base64.
  package var cursor: String?
  /// Whether the last run failed.
  package var isFailing: Bool
  /// Incidents as stored by the last owner.
  package var incidents: [StoredIncident]
  /// Instant of the pause; `nil` if the job is not paused.
  package var pausedSince: WallInstant?
  /// Entries that another node was granted and may have started. The entries that are not run again are already settled in the
  /// store.
  package var doubtful: [DoubtfulEntry]
  /// All claims of the job that the node holds, including the claims of doubtful entries that are run again. The ledger has
  /// the runs that an earlier daemon process of this node started by these claims.
  package var held: [HeldClaim]
  /// Spans later than the watermark in which entries have outcomes in the store.
  package var decided: [ClosedRange<WallInstant>]
  /// The first entry later than the store's watermark that this node was about to run without a claim when it lost the job;
  /// `nil` for none.
  package var undecidedSince: WallInstant?

  /// Whether the store has an outcome of an entry later than the watermark.
  package func hasOutcome(at nominal: WallInstant) -> Bool { decided.contains { $0.contains(nominal) } }

  /// Whether the store has no outcome of an entry.
  package func isUndecided(_ nominal: WallInstant) -> Bool {
    watermark.map { nominal > $0 } ?? true && !hasOutcome(at: nominal)
  }

  /// The doubtful entries that are run again, because the node holds their claims.
  var runAgain: [DoubtfulEntry] {
    let nominals = Set(held.map(\.nominal))
    return doubtful.filter { nominals.contains($0.nominal) }
  }

  /// Claims of all entries that the node decides first: the claims that it holds, and the claims of doubtful entries.
  package var inheritedClaims: [HeldClaim] {
    let nominals = Set(held.map(\.nominal))
    let left = doubtful.filter { !nominals.contains($0.nominal) }
    return held + left.map { HeldClaim(nominal: $0.nominal, token: $0.token) }
  }
}

/// An entry without an outcome that another node was granted and may have started.
package struct DoubtfulEntry: Sendable, Equatable {
  /// Nominal instant of the entry, or of the last of several entries.
  package var nominal: WallInstant
  package var entryCount: Int
  /// The other node.
  package var node: String
  /// Token of the claim. If the entry is run again, this node holds the claim.
  package var token: Int64
}

/// A claim that this node holds.
package struct HeldClaim: Sendable, Equatable {
  /// Nominal instant of the entry, or of the last of several entries.
  package var nominal: WallInstant
  package var token: Int64
  /// Whether this node has started the entry, or has decided it, so that the token is not reassigned.
  var isStarted = false
  /// Whether this node claimed the entry after it had started it, so that no start has the token yet.
  var isReclaimed = false
}
