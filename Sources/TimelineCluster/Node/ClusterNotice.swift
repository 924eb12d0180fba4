package import TimelineCore
package import TimelineStoreWire

/// Something that people are told about a node and its cluster.
package enum ClusterNotice: Sendable, Hashable {
  /// The node is a member of the cluster.
  case joined(nodeCount: Int)
  /// Another daemon has the node's name: once when it is found, and once when its lease was renewed since.
  case nameTaken(NameHolder)
  /// The node does not know whether its lease lasts, and has given its jobs up.
  case leaseEnded
  /// The lease may have ended and the store does not answer: the node goes on with these jobs.
  case goesOnAlone([String])
  /// The store has given the node's name to another.
  case expelled
  /// The store cannot be used.
  case storeFailed(StoreFailure)
  /// The store adapter has not answered in time.
  case storeSilent
  /// The store can be used again.
  case storeBack
  /// The node's clock is ahead of the store's by so much, or behind it if that is negative; it runs nothing for the cluster.
  case clockOff(ElapsedTime)
  /// The node's clock is right again.
  case clockRight
  /// A standby has taken the store's place.
  case failedOver
  /// Another node holds the claim to an entry that this one has run.
  case split(EntryConflict)
  /// A job is not run, because the live nodes have different definitions of it and none of these was activated.
  case divergent(String)
  /// The nodes that had these jobs are gone, and no node that is there defines them.
  case orphaned([String])
  /// A job that was divergent runs again.
  case agreed(String)
}

/// Another daemon that has the name of a node.
package struct NameHolder: Sendable, Hashable {
  /// Its epoch.
  package let epoch: String
  /// Instant at which it was found, by the clock of this node.
  package let since: WallInstant
  /// Instant at which its lease ends unless it is renewed, as it was found.
  let leaseEnd: BootInstant
  /// Whether its lease was renewed since: it has not just died.
  package internal(set) var isAlive = false
}

/// An entry that two nodes were granted.
package struct EntryConflict: Sendable, Hashable {
  /// Name of the job.
  package var job: String
  /// Nominal instant.
  package var nominal: WallInstant
  /// The other node.
  package var node: String
}
