package import TimelineCore
import TimelineEngine

/// The entries of each job that a view can show, in order.
///
/// A job with more than one entry per second is counted by the minute, as in a dry run.
package struct EntryList: Sendable {
  /// Maximum number of entries and minutes that are kept: about 20 MB, and more than a window shows separately.
  package static let entriesMax = 100_000

  private var entries: [[ViewEntry]]
  private var minutes: [[DryRunMinute]]
  /// Number of entries and minutes.
  package private(set) var count = 0
  /// Instant before which entries were dropped; `nil` if all are kept.
  package private(set) var keptFrom: WallInstant?

  /// Makes an empty list for `jobCount` jobs.
  package init(jobCount: Int) {
    entries = Array(repeating: [], count: jobCount)
    minutes = Array(repeating: [], count: jobCount)
  }

  /// Whether the maximum is reached. Entries must then be dropped before more can be added.
  package var isFull: Bool { count >= Self.entriesMax }

  /// The entries of a job, ascending.
  package func entries(of job: Int) -> [ViewEntry] { entries[job] }

  /// The counted minutes of a job, ascending.
  package func minutes(of job: Int) -> [DryRunMinute] { minutes[job] }

  /// Adds an entry, or replaces the previous state of the same entry.
  package mutating func add(_ entry: ViewEntry, of job: Int) {
    let position = Self.position(after: entry.entry, in: entries[job], by: \.entry)
    if position > 0, entries[job][position - 1].entry == entry.entry {
      entries[job][position - 1] = entry
    } else {
      entries[job].insert(entry, at: position)
      count += 1
    }
  }

  /// Adds entries, ascending. Fast if all are older than the job's known entries.
  package mutating func add(contentsOf added: [ViewEntry], of job: Int) {
    if let last = added.last, entries[job].first.map({ last.entry < $0.entry }) ?? true {
      entries[job].insert(contentsOf: added, at: 0)
      count += added.count
    } else {
      for entry in added { add(entry, of: job) }
    }
  }

  /// Drops the active and waiting entries, which have no outcome. Returns the active runs by their numbers.
  package mutating func dropOpen() -> [UInt64: ViewEntry] {
    var runs: [UInt64: ViewEntry] = [:]
    for job in entries.indices {
      let open = entries[job].filter { $0.outcome == nil }
      guard !open.isEmpty else { continue }
      entries[job].removeAll { $0.outcome == nil }
      count -= open.count
      for entry in open { if let run = entry.run { runs[run] = entry } }
    }
    return runs
  }

  /// Counts entries of a counted job in their minute.
  package mutating func count(_ number: Int, of outcome: Outcome, at entry: WallInstant, job: Int) {
    let length = ElapsedTime.minutes(1).nanoseconds
    let start = WallInstant(
      nanosecondsSinceEpoch: entry.nanosecondsSinceEpoch.flooredQuotient(by: length)
        .multipliedSaturating(by: length))
    let position = Self.position(after: start, in: minutes[job], by: \.minute)
    if position > 0, minutes[job][position - 1].minute == start {
      minutes[job][position - 1].outcomes.add(number, of: outcome)
    } else {
      var minute = DryRunMinute(job: job, minute: start, entry: start)
      minute.outcomes.add(number, of: outcome)
      minutes[job].insert(minute, at: position)
      count += 1
    }
  }

  /// Drops the older half of the entries with an outcome, and all entries that ended at the same time as the last dropped
  /// entry. Returns the instant before which entries were dropped; `nil` if none has an outcome.
  package mutating func dropOlderHalf() -> WallInstant? {
    let ends = entries.joined().filter { $0.outcome != nil }.map { max($0.entry, $0.end ?? $0.entry) }
      .sorted()
    guard !ends.isEmpty else { return nil }
    let instant = ends[(ends.count - 1) / 2] + .nanoseconds(1)
    drop(before: instant)
    return instant
  }

  /// Drops entries with an outcome that ended before `instant`.
  package mutating func drop(before instant: WallInstant) {
    let before = count
    for job in entries.indices {
      entries[job].removeAll { $0.outcome != nil && max($0.entry, $0.end ?? $0.entry) < instant }
      minutes[job].removeAll { $0.minute + .minutes(1) <= instant }
    }
    recount()
    if count < before { keptFrom = max(keptFrom ?? .min, instant) }
  }

  /// Drops entries with an outcome whose nominal instant is not before `instant`.
  package mutating func drop(from instant: WallInstant) {
    for job in entries.indices { entries[job].removeAll { $0.outcome != nil && $0.entry >= instant } }
    recount()
  }

  private mutating func recount() {
    count = entries.reduce(0) { $0 + $1.count } + minutes.reduce(0) { $0 + $1.count }
  }

  /// Returns the number of elements that are not later than `instant`.
  private static func position<Element>(
    after instant: WallInstant, in elements: [Element], by key: (Element) -> WallInstant
  ) -> Int {
    // Fast path: nearly all entries arrive in order.
    if let last = elements.last, key(last) <= instant { return elements.count }
    var (low, high) = (0, elements.count)
    while low < high {
      let middle = (low + high) / 2
      if key(elements[middle]) <= instant { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
