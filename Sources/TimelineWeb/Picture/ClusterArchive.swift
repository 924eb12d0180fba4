import TimelineClient
import TimelineControl
import TimelineCore
import TimelineRehearsal
import TimelineSystem

/// The other nodes of a daemon's cluster as its store makes them known: which there are, and what became of entries there.
///
/// The store is shared by all nodes, so it is asked for little: what may have changed, some seconds apart, and only while a page is looked at.
struct ClusterArchive {
  /// State of the cluster; `nil` before the first.
  private(set) var state: ClusterState?
  /// Reason why the store could not be asked.
  private(set) var fault: String?
  /// Instant from which entries are known; `nil` before the first history.
  private(set) var knownFrom: WallInstant?
  private var entries: [JobName: [WallInstant: ViewEntry]] = [:]
  /// Instant from which entries may have changed since they were read.
  private var changedFrom: WallInstant?
  /// Whether entries of one instant are more than a page, so that nothing before it can be read.
  private var isStuck = false
  private var askAt = MonotonicInstant(nanosecondsSinceBoot: 0)

  /// Time in which the outcome of an entry comes to the store, and clocks of nodes differ.
  private static let margin = ElapsedTime.minutes(1)

  /// Whether the store is to be asked now; it is not again for a while.
  mutating func begins(at instant: MonotonicInstant) -> Bool {
    guard instant >= askAt else { return false }
    askAt = instant + WebLimits.clusterPause
    return true
  }

  /// Takes in how the cluster stands.
  mutating func take(_ state: ClusterState) { (self.state, fault) = (state, state.storeFault) }

  /// Takes in why the store could not be asked.
  mutating func take(fault: String) { self.fault = fault }

  /// The question for entries that are new or may have changed.
  func questionOfChanges(downTo instant: WallInstant) -> HistoryParameters {
    HistoryParameters(since: "\(changedFrom ?? instant)", limit: ControlLimits.clusterHistoryMax)
  }

  /// The question for the next older page, down to `instant`; `nil` if nothing is lacking, or nothing more is kept.
  func questionOfOlder(downTo instant: WallInstant) -> HistoryParameters? {
    guard let knownFrom, instant < knownFrom, !isStuck, count < WebLimits.clusterEntriesMax else {
      return nil
    }
    return HistoryParameters(
      since: "\(instant)", until: "\(knownFrom + .nanoseconds(1))", limit: ControlLimits.clusterHistoryMax)
  }

  /// Takes in the answer to the question of changes.
  mutating func takeChanges(_ reply: ClusterHistoryReply, downTo instant: WallInstant, now: WallInstant) {
    let since = changedFrom ?? instant
    let reached = Self.reached(by: reply, downTo: since)
    if reached > since || count >= WebLimits.clusterEntriesMax {
      // What lies between this page and the last is not known, or too much is.
      (entries, knownFrom, isStuck) = ([:], nil, false)
    }
    // A claim that was given back has no entry any more.
    for job in entries.keys { entries[job] = entries[job]?.filter { $0.key < reached } }
    add(reply)
    knownFrom = min(knownFrom ?? .max, reached)
    let open = entries.values.joined().filter { $0.value.outcome == nil }.map(\.key).min()
    changedFrom = max(reached, min(open ?? .max, now - Self.margin))
  }

  /// Takes in an older page.
  mutating func takeOlder(_ reply: ClusterHistoryReply, downTo instant: WallInstant) {
    let reached = Self.reached(by: reply, downTo: instant)
    isStuck = knownFrom.map { reached >= $0 } ?? false
    add(reply)
    knownFrom = min(knownFrom ?? .max, reached)
  }

  /// Entries of a job on other nodes, by the names of the nodes in their order; of each node ascending.
  func lanes(of job: JobName) -> [(node: String, entries: [ViewEntry])] {
    Dictionary(grouping: entries[job].map { Array($0.values) } ?? []) { $0.node ?? "" }
      .map { ($0.key, $0.value.sorted { $0.entry < $1.entry }) }.sorted { $0.node < $1.node }
  }

  private var count: Int { entries.values.reduce(0) { $0 + $1.count } }

  private mutating func add(_ reply: ClusterHistoryReply) {
    for report in reply.entries.filter({ $0.node != state?.node }).compactMap({ ReportedEntry($0) }) {
      entries[report.job, default: [:]][report.entry.entry] = report.entry
    }
  }

  /// The instant from which a page has all entries.
  private static func reached(by reply: ClusterHistoryReply, downTo instant: WallInstant) -> WallInstant {
    reply.isCut ? reply.entries.first?.entry.instant ?? instant : instant
  }
}
