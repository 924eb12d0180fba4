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
  /// Instant of the last query for changes: up to it no entry is missing.
  private var readAt: WallInstant?
  /// First and last instants of the changes that did not fit on their page. Their entries are shown as they were read last.
  private var skipped: ClosedRange<WallInstant>?
  /// An entry from before the changes that had no outcome when it was read last, and is to be read again.
  private var openDue: WallInstant?
  private var lastOpen: WallInstant?
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
    (skipped, openDue) = (nil, nil)
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

  /// Returns the next page to be read, for a view that goes back to `instant`: changes that did not fit on their page, an entry
  /// without an outcome, or older entries. Returns `nil` if no page is missing, no more entries can be kept, or enough pages were
  /// read since the last query was due.
  func nextPage(downTo instant: WallInstant) -> ClusterPage? {
    guard pageCount < MirrorLimits.clusterPagesMax else { return nil }
    if let skipped {
      return ClusterPage(purpose: .skipped, from: skipped.lowerBound, through: skipped.upperBound)
    }
    if let openDue { return ClusterPage(purpose: .open, from: openDue, through: openDue) }
    guard let from = known.from, known.lacks(instant), !isFull else { return nil }
    return ClusterPage(purpose: .older, from: instant, through: from)
  }

  /// Adds the answer to the query of changes.
  mutating func takeChanges(_ reply: ClusterHistoryReply, downTo instant: WallInstant, now: WallInstant) {
    pageCount += 1
    let former = count
    let since = changedFrom ?? instant
    let reached = Self.reached(by: reply, downTo: since)
    if reached > since {
      if let readAt, reached <= readAt {
        skipped = min(since, skipped?.lowerBound ?? since)...reached
      } else {
        // Entries between this page and the previous page are missing.
        (entries, skipped) = ([:], nil)
        known.begin(at: nil)
      }
    }
    replace(from: reached, through: .max, by: reply)
    known.add(downTo: reached, isCut: false)
    let open = entries.values.joined().filter { $0.value.outcome == nil }.map(\.key).sorted()
    changedFrom = max(known.from ?? reached, min(open.first { $0 >= reached } ?? .max, now - Self.margin))
    readAt = now
    // One of the earlier ones at a time, in turn: there may be many, and they rarely end.
    let earlier = open.prefix { $0 < reached }
    openDue = earlier.first { $0 > lastOpen ?? .min } ?? earlier.first
    lastOpen = openDue
    if count > former, isFull { dropOlderHalf() }
  }

  /// Adds the answer to the query for a page.
  mutating func take(_ reply: ClusterHistoryReply, for page: ClusterPage) {
    pageCount += 1
    let reached = Self.reached(by: reply, downTo: page.from)
    switch page.purpose {
    case .older:
      add(reply)
      known.add(downTo: reached, isCut: reply.isCut)
    case .skipped:
      replace(from: reached, through: page.through, by: reply)
      // More entries with one instant than fit on a page cannot be read.
      let isDone = reached <= page.from || reached >= page.through
      if skipped == page.from...page.through { skipped = isDone ? nil : page.from...reached }
    case .open:
      replace(from: reached, through: page.through, by: reply)
      if openDue == page.from { openDue = nil }
    }
  }

  /// Replaces the entries of a stretch: a withdrawn claim no longer has an entry.
  private mutating func replace(
    from: WallInstant, through: WallInstant, by reply: ClusterHistoryReply
  ) {
    for job in entries.keys { entries[job] = entries[job]?.filter { $0.key < from || $0.key > through } }
    add(reply)
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
    (skipped, openDue) = (nil, nil)
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
        .sorted(on: \.node)
    }
  }

  /// Returns the instant from which `reply` has all entries.
  private static func reached(by reply: ClusterHistoryReply, downTo instant: WallInstant) -> WallInstant {
    reply.isCut ? reply.entries.first?.entry.instant ?? instant : instant
  }
}

/// A page of entries of a cluster that are missing, or may have changed.
struct ClusterPage: Sendable, Equatable {
  /// Reasons to read a page.
  enum Purpose: Sendable, Hashable {
    /// The entries are older than the known ones.
    case older
    /// The entries may have changed, and there were too many for a page.
    case skipped
    /// The entry had no outcome.
    case open
  }

  let purpose: Purpose
  /// First instant.
  let from: WallInstant
  /// Last instant. A page may end within the entries of one instant, so the next page has this instant again.
  let through: WallInstant

  /// Query for the page.
  var question: Control.History {
    Control.History(
      since: from == .min ? nil : "\(from)", until: "\(through + .nanoseconds(1))",
      limit: ControlLimits.clusterHistoryMax)
  }
}
