package import TimelineCore

/// Limits on what a client reads of a daemon and keeps, each with its reason. ``EntryList/entriesMax`` limits the kept entries
/// of the daemon itself.
package enum MirrorLimits {
  /// Time between two queries to the store of a cluster, which all nodes share.
  package static let clusterPause = ElapsedTime.seconds(5)
  /// Pages of the cluster's history that are read at a time: 1,000 entries.
  package static let clusterPagesMax = 5
  /// Entries of other nodes that are kept: about 8 MB with their lanes. If there are more, those outside of the window make room.
  package static let clusterEntriesMax = 20_000
  /// Steps of the simulation of future entries for one window: they take about 0.2 s. The simulation of the next window
  /// continues there.
  package static let simulatedPortionsMax = 10
}
