package import TimelineCore
package import TimelineStoreWire

/// A job that one node of the cluster is to run, as this node's configuration defines it.
package struct ClusterJob: Sendable, Hashable {
  /// Name of the job.
  package var name: JobName
  /// Labels that a node must have.
  package var rules: [LabelRule]
  /// Whether an entry is run again that another node may have started.
  package var delivery: DeliveryPolicy
  /// Conduct while the store does not answer.
  package var storeDown: JobPlacement.StoreDown
  /// Schedule of a counted job, which has more than one entry a second and is claimed by windows; `nil` for any other.
  package var countedSchedule: ScheduleRule?
  /// Digest of all that is to be the same on the nodes that run it.
  package var digest: String

  /// Makes a job.
  package init(
    name: JobName, rules: [LabelRule] = [], delivery: DeliveryPolicy = .atMostOnce,
    storeDown: JobPlacement.StoreDown = .hold, countedSchedule: ScheduleRule? = nil, digest: String
  ) {
    (self.name, self.rules, self.delivery, self.digest) = (name, rules, delivery, digest)
    (self.storeDown, self.countedSchedule) = (storeDown, countedSchedule)
  }
}

/// A job that this node has become the owner of.
package struct OwnedJob: Sendable, Hashable {
  /// Name of the job.
  package var name: JobName
  /// Nominal instant up to which entries are decided; `nil` for a job that begins.
  package var watermark: WallInstant?
  /// Cursor of its plugin, in Base64.
  package var cursor: String?
  /// Whether its last run failed.
  package var isFailing: Bool
  /// Its incidents, as its last owner has told them.
  package var incidents: [StoredIncident]
  /// Instant since which it is paused.
  package var pausedSince: WallInstant?
  /// Entries that another node was granted, and may have started. The store knows those as settled that are not run again.
  package var doubtful: [DoubtfulEntry]
  /// All claims that the node holds of it, those of doubtful entries that are run again included. What an earlier life of this node made
  /// of them, its ledger knows.
  package var held: [HeldClaim]
  /// The first entry that this node was about to run without a claim when it lost the job, if the store does not say that it is decided.
  package var undecidedSince: WallInstant?

  /// The doubtful entries that are run again, because the node holds their claims.
  var runAgain: [DoubtfulEntry] {
    let nominals = Set(held.map(\.nominal))
    return doubtful.filter { nominals.contains($0.nominal) }
  }

  /// The claims of all entries about which the node decides at first: those that it holds, and those of doubtful entries.
  package var inheritedClaims: [HeldClaim] {
    let nominals = Set(held.map(\.nominal))
    let left = doubtful.filter { !nominals.contains($0.nominal) }
    return held + left.map { HeldClaim(nominal: $0.nominal, token: $0.token) }
  }
}

/// An entry that another node was granted, that has no outcome, and that it may have started.
package struct DoubtfulEntry: Sendable, Hashable {
  /// Nominal instant; of several entries the last.
  package var nominal: WallInstant
  /// Number of entries.
  package var entryCount: Int
  /// The other node.
  package var node: String
  /// Token of its claim, which this node holds now if the entry is run again.
  package var token: Int64
}

/// A claim that this node holds.
package struct HeldClaim: Sendable, Hashable {
  /// Nominal instant; of several entries the last.
  package var nominal: WallInstant
  /// Token of the claim.
  package var token: Int64
}
