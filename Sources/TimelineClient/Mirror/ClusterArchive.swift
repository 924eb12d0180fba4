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
  private var known = KnownStretch()
  private var entries: [JobName: [WallInstant: ViewEntry]] = [:]
  /// Instant from which entries may have changed since they were read.
  private var changedFrom: WallInstant?
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

  /// Adds the entries to what a view shows.
  func show(in past: inout ReportedPast) {
    (past.lanes, past.lostNodes, past.storeFault) = (lanes, lostNodes, fault)
    past.nodesKnown = known.from == nil ? nil : known
  }

  /// Moves the archive to the stretch of the past that its only view shows, as an ``EntryArchive`` is moved.
  mutating func turn(to stretch: PastStretch, now: WallInstant) {
    guard let instant = known.turn(to: stretch, now: now, isFull: isFull) else { return }
    for job in entries.keys { entries[job] = entries[job]?.filter { $0.key < instant } }
    arrangeLanes()
    // After a return to the present time all entries are read again.
    if known.from == nil { changedFrom = nil }
  }

  /// Returns the query for new entries and for entries that may have changed; `nil` for a view that does not reach the present
  /// time.
  func questionOfChanges(downTo instant: WallInstant) -> Control.History? {
    guard known.until == nil else { return nil }
    return Control.History(since: "\(changedFrom ?? instant)", limit: ControlLimits.clusterHistoryMax)
  }

  /// Returns the query for the next older page, down to `instant`; `nil` if no page is missing, no more entries can be kept,
  /// or enough pages were read since the last query was due.
  func questionOfOlder(downTo instant: WallInstant) -> Control.History? {
    guard let from = known.from, known.lacks(instant), !isFull, pageCount < MirrorLimits.clusterPagesMax
    else { return nil }
    return Control.History(
      since: instant == .min ? nil : "\(instant)", until: "\(from + .nanoseconds(1))",
      limit: ControlLimits.clusterHistoryMax)
  }

  /// Adds the answer to the query of changes.
  mutating func takeChanges(_ reply: ClusterHistoryReply, downTo instant: WallInstant, now: WallInstant) {
    pageCount += 1
    let former = count
    let since = changedFrom ?? instant
    let reached = Self.reached(by: reply, downTo: since)
    if reached > since {
      // Entries between this page and the previous page are missing.
      entries = [:]
      known.begin(at: nil)
    }
    // Replaces the entries from `reached` on: a withdrawn claim no longer has an entry.
    for job in entries.keys { entries[job] = entries[job]?.filter { $0.key < reached } }
    add(reply)
    known.add(downTo: reached, isCut: false)
    let open = entries.values.joined().filter { $0.value.outcome == nil }.map(\.key).min()
    changedFrom = max(reached, min(open ?? .max, now - Self.margin))
    if count > former, isFull { dropOlderHalf() }
  }

  /// Adds an older page.
  mutating func takeOlder(_ reply: ClusterHistoryReply, downTo instant: WallInstant) {
    pageCount += 1
    add(reply)
    known.add(downTo: Self.reached(by: reply, downTo: instant), isCut: reply.isCut)
  }

  private var count: Int { entries.values.reduce(0) { $0 + $1.count } }

  private var isFull: Bool { count >= MirrorLimits.clusterEntriesMax }

  private mutating func dropOlderHalf() {
    let instants = entries.values.flatMap(\.keys).sorted()
    let instant = instants[instants.count / 2]
    for job in entries.keys { entries[job] = entries[job]?.filter { $0.key >= instant } }
    arrangeLanes()
    known.drop(before: instant)
    changedFrom = changedFrom.map { max($0, instant) }
  }

  private mutating func add(_ reply: ClusterHistoryReply) {
    for report in reply.entries.filter({ $0.node != state?.node }).compactMap({ ReportedEntry($0) }) {
      entries[report.job, default: [:]][report.entry.entry] = report.entry
    }
    arrangeLanes()
  }

  private mutating func arrangeLanes() {
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
