package import TimelineCore

/// Entries that a daemon and the other nodes of its cluster have reported.
package struct ReportedPast: Sendable {
  /// Entries of one job on another node.
  package struct Lane: Sendable, Equatable {
    package var node: String
    /// Ascending.
    package var entries: [ViewEntry]

    package init(node: String, entries: [ViewEntry]) {
      self.node = node
      self.entries = entries
    }
  }

  private var entries = EntryList(jobCount: 0)
  private var places: [JobName: Int] = [:]
  /// Entries of each job on other nodes, in order of the nodes' names.
  package var lanes: [JobName: [Lane]] = [:]
  /// The stretch in which all entries of the daemon are known.
  package private(set) var known = KnownStretch()
  /// The stretch in which all entries of other nodes are known; `nil` before their first page, and without a cluster.
  package var nodesKnown: KnownStretch?
  /// Nodes whose leases have ended although the nodes have not left.
  package var lostNodes: [String] = []
  /// Reason why the cluster's store could not be reached; `nil` if it could, and without a cluster.
  package var storeFault: String?

  /// Makes the past of a daemon that has reported nothing.
  package init() {}

  /// Makes the past from the entries of jobs at `places`.
  package init(entries: EntryList, places: [JobName: Int], known: KnownStretch) {
    (self.entries, self.places, self.known) = (entries, places, known)
  }

  /// Whether no more entries of the daemon can be kept.
  package var isFull: Bool { entries.isFull }

  /// Whether there may be older entries that can be read.
  package var hasOlder: Bool { known.hasOlder || hasOlderOfNodes }

  /// Whether there may be older entries of other nodes that can be read.
  private var hasOlderOfNodes: Bool { storeFault == nil && nodesKnown?.hasOlder ?? false }

  /// The daemon's own entries of a job, ascending.
  package func entries(of job: JobName) -> [ViewEntry] { places[job].map(entries.entries) ?? [] }
}

/// The stretch of the past that a view shows.
package struct PastStretch: Sendable, Equatable {
  /// Begin and end of the view's window.
  package var from: WallInstant
  package var until: WallInstant
  /// Whether the view looks for an entry that is older than all known ones.
  package var isSearch: Bool

  package init(from: WallInstant, until: WallInstant, isSearch: Bool = false) {
    (self.from, self.until, self.isSearch) = (from, until, isSearch)
  }

  /// Instant down to which entries are read: half a window more, for the next key.
  package var readFrom: WallInstant {
    isSearch ? .min : from - ElapsedTime(nanoseconds: (until - from).nanoseconds / 2)
  }

  /// Instant down to which entries of other nodes are read: no further than shown, because all nodes share the store.
  package var readFromOfNodes: WallInstant { isSearch ? .min : from }
}
