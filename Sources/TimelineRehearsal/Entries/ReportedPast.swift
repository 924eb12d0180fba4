package import TimelineCore

/// Entries that a daemon and the other nodes of its cluster have reported.
package struct ReportedPast: Sendable {
  /// Entries of one job on another node.
  package struct Lane: Sendable, Hashable {
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
  /// Instant from which all entries of the daemon are known; `nil` before the first history.
  package private(set) var knownFrom: WallInstant?
  /// Instant from which finished entries are unknown again; `nil` if all are known up to now.
  package private(set) var knownUntil: WallInstant?
  /// Whether there may be older entries that can be read.
  package private(set) var hasOlder = true
  /// Nodes whose leases have ended although the nodes have not left.
  package var lostNodes: [String] = []
  /// Reason why the cluster's store could not be reached; `nil` if it could, and without a cluster.
  package var storeFault: String?

  /// Makes the past of a daemon that has reported nothing.
  package init() {}

  /// Makes the past from the entries of jobs at `places`.
  package init(
    entries: EntryList, places: [JobName: Int], knownFrom: WallInstant?, knownUntil: WallInstant?,
    hasOlder: Bool
  ) {
    (self.entries, self.places, self.hasOlder) = (entries, places, hasOlder)
    (self.knownFrom, self.knownUntil) = (knownFrom, knownUntil)
  }

  /// The daemon's own entries of a job, ascending.
  package func entries(of job: JobName) -> [ViewEntry] { places[job].map(entries.entries) ?? [] }
}

/// The stretch of the past that a view shows.
package struct PastStretch: Sendable, Hashable {
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
}
