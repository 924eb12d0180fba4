package import TimelineControl
package import TimelineCore
package import TimelineRehearsal
import TimelineSystem

/// The other nodes of a daemon's cluster and their entries, as the cluster's store reports them.
///
/// All nodes share the store, so queries are few: some seconds apart, only while a view is open, and only for entries that may
/// have changed.
package struct ClusterArchive: Sendable {
  /// `nil` before the first answer.
  package private(set) var state: ClusterState?
  /// Reason why the store could not be reached; `nil` if it could.
  package private(set) var fault: String?
  /// Entries of each job on other nodes, in order of the nodes' names.
  package private(set) var lanes: [JobName: [ReportedPast.Lane]] = [:]
  /// Instant from which entries are known; `nil` before the first history.
  private var knownFrom: WallInstant?
  private var entries: [JobName: [WallInstant: ViewEntry]] = [:]
  /// Instant from which entries may have changed since they were read.
  private var changedFrom: WallInstant?
  /// Whether more entries have the same instant than fit on a page, so that no earlier entry can be read.
  private var isStuck = false
  /// Pages that were read since the last query was due.
  private var pageCount = 0
  /// Instant of the next query.
  private(set) var askAt = MonotonicInstant(nanosecondsSinceBoot: 0)

  /// Allowance for the delay of outcomes on their way to the store, and for differences between the clocks of nodes.
  private static let margin = ElapsedTime.minutes(1)

  /// Returns whether a query of the store is due. If it is, the next query is due ``MirrorLimits/clusterPause`` later.
  mutating func begins(at instant: MonotonicInstant) -> Bool {
    guard instant >= askAt else { return false }
    askAt = instant + MirrorLimits.clusterPause
    pageCount = 0
    return true
  }

  /// Nodes whose leases have expired and that have not left the cluster.
  package var lostNodes: [String] { state?.nodes.filter { $0.state == "dead" }.map(\.node) ?? [] }

  /// Records the state of the cluster.
  mutating func take(_ state: ClusterState) { (self.state, fault) = (state, state.storeFault) }

  /// Records why the store could not be reached. It is asked again when the next query is due.
  mutating func take(fault: String) {
    self.fault = fault
    pageCount = MirrorLimits.clusterPagesMax
  }

  /// Returns the query for new entries and for entries that may have changed.
  func questionOfChanges(downTo instant: WallInstant) -> Control.History {
    Control.History(since: "\(changedFrom ?? instant)", limit: ControlLimits.clusterHistoryMax)
  }

  /// Returns the query for the next older page, down to `instant`; `nil` if no page is missing, no more entries can be kept,
  /// or enough pages were read since the last query was due.
  func questionOfOlder(downTo instant: WallInstant) -> Control.History? {
    guard let knownFrom, instant < knownFrom, !isStuck, pageCount < MirrorLimits.clusterPagesMax,
      count < MirrorLimits.clusterEntriesMax
    else { return nil }
    return Control.History(
      since: "\(instant)", until: "\(knownFrom + .nanoseconds(1))", limit: ControlLimits.clusterHistoryMax)
  }

  /// Adds the answer to the query of changes.
  mutating func takeChanges(_ reply: ClusterHistoryReply, downTo instant: WallInstant, now: WallInstant) {
    pageCount += 1
    let since = changedFrom ?? instant
    let reached = Self.reached(by: reply, downTo: since)
    if reached > since || count >= MirrorLimits.clusterEntriesMax {
      // Entries between this page and the previous page are missing, or there are too many entries.
      (entries, knownFrom, isStuck) = ([:], nil, false)
    }
    // Replaces the entries from `reached` on: a withdrawn claim no longer has an entry.
    for job in entries.keys { entries[job] = entries[job]?.filter { $0.key < reached } }
    add(reply)
    knownFrom = min(knownFrom ?? .max, reached)
    let open = entries.values.joined().filter { $0.value.outcome == nil }.map(\.key).min()
    changedFrom = max(reached, min(open ?? .max, now - Self.margin))
  }

  /// Adds an older page.
  mutating func takeOlder(_ reply: ClusterHistoryReply, downTo instant: WallInstant) {
    pageCount += 1
    let reached = Self.reached(by: reply, downTo: instant)
    isStuck = knownFrom.map { reached >= $0 } ?? false
    add(reply)
    knownFrom = min(knownFrom ?? .max, reached)
  }

  private var count: Int { entries.values.reduce(0) { $0 + $1.count } }

  private mutating func add(_ reply: ClusterHistoryReply) {
    for report in reply.entries.filter({ $0.node != state?.node }).compactMap({ ReportedEntry($0) }) {
      entries[report.job, default: [:]][report.entry.entry] = report.entry
    }
    lanes = entries.mapValues { entries in
      Dictionary(grouping: entries.values) { $0.node ?? "" }
        .map { ReportedPast.Lane(node: $0.key, entries: $0.value.sorted { $0.entry < $1.entry }) }
        .sorted { $0.node < $1.node }
    }
  }

  /// Returns the instant from which `reply` has all entries.
  private static func reached(by reply: ClusterHistoryReply, downTo instant: WallInstant) -> WallInstant {
    reply.isCut ? reply.entries.first?.entry.instant ?? instant : instant
  }
}
