package import TimelineCore
package import TimelineStoreWire

/// A message for the operator about a node and its cluster.
package enum ClusterNotice: Sendable, Equatable {
  /// The node is a member of the cluster.
  case joined(nodeCount: Int)
  /// Another daemon has the node's name. Reported when the other daemon is found, and again when it renews its lease.
  case nameTaken(NameHolder)
  /// The lease may have ended, and the node has given its jobs up.
  case leaseEnded
  /// The lease may have ended and the store does not answer: the node keeps running these jobs.
  case goesOnAlone([String])
  /// The store has given the node's name to another daemon.
  case expelled
  /// The store cannot be used.
  case storeFailed(StoreFailure)
  /// The store adapter has not answered in time.
  case storeSilent
  /// The store can be used again.
  case storeBack
  /// The node's clock is ahead of the store's clock by this time, or behind if negative. The node runs nothing for the
  /// cluster.
  case clockOff(ElapsedTime)
  /// The difference between the clocks is tolerable again.
  case clockRight
  /// A standby has taken the store's place.
  case failedOver
  /// Another node holds the claim to an entry that this node has run.
  case split(EntryConflict)
  /// A job is not run: its definitions on the live nodes differ, and none of these definitions was activated.
  case divergent(String)
  /// These jobs have no node: their last nodes are gone, and no live node defines them.
  case orphaned([String])
  /// A job that was divergent runs again.
  case agreed(String)
}

/// Another daemon that has the name of a node.
package struct NameHolder: Sendable, Equatable {
  package let epoch: String
  /// Instant at which this node found the other daemon, by this node's clock.
  package let since: WallInstant
  /// End of the other daemon's lease at the first contact. A renewal extends the lease.
  let leaseEnd: BootInstant
  /// Whether the other daemon is alive: it has renewed its lease since the first contact.
  package internal(set) var isAlive = false
}

/// An entry that was granted to two nodes.
package struct EntryConflict: Sendable, Equatable {
  package var entry: EntryKey
  /// The other node.
  package var node: String
}
