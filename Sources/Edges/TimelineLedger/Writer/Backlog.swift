import TimelineCore
import TimelineEngine

/// Changes that wait to be written: the changes of one iteration of the loop or, after a failure, of all iterations since.
struct Backlog {
  /// Limit of the changes kept while writing fails: about 10 MiB, or a few hours of an ordinary configuration.
  static let countMax = 10_000
  /// Number of changes in the first write after a failure. The number is small, because this write is tried in every iteration
  /// of the loop and mostly fails.
  static let firstPortion = 64
  /// Number of changes written in the same iteration after the first write succeeded. More would stall the daemon.
  static let nextPortion = 1_000

  private(set) var changes: [Change] = []
  /// Whether a write has failed and changes still wait.
  private(set) var isBehind = false
  /// Number of changes dropped since writing last began to fail, because too many waited.
  private(set) var droppedCount = 0
  /// Whether a change of the configuration was dropped. Only a whole configuration can replace it.
  private(set) var lacksConfiguration = false
  /// Entries with an outcome among the first ``indexedCount`` changes. They are indexed on demand, because lookups are rare.
  private var settled: Set<EntryKey> = []
  /// Spans of entries that share a record, among the first ``indexedCount`` changes, with the ends of their records.
  private var spans: [JobName: [(entries: ClosedRange<WallInstant>, endedAt: WallInstant)]] = [:]
  private var indexedCount = 0
  /// Watermarks of jobs while writing fails. They may be writable when nothing else is.
  private(set) var watermarks: [JobName: WallInstant] = [:]
  /// Whether ``watermarks`` has watermarks that are not in the file.
  private(set) var hasWatermarksToSave = false

  /// Whether the entry's outcome waits to be written. If `alone`, only a record with the entry's own nominal instant counts.
  /// Otherwise a record of several entries applies once the clock is past its end, as in the file.
  mutating func settles(_ key: EntryKey, at now: WallInstant = .max, alone: Bool = false) -> Bool {
    while indexedCount < changes.count {
      index(changes[indexedCount])
      indexedCount += 1
    }
    if settled.contains(key) { return true }
    return spans[key.job]?.contains { span in
      alone
        ? span.entries.upperBound == key.nominal
        : span.endedAt <= now && span.entries.contains(key.nominal)
    } ?? false
  }

  /// Whether a pending change takes back the start of the entry's first attempt; O(pending changes).
  func takesBack(_ key: EntryKey) -> Bool {
    for change in changes.reversed() {
      switch change {
      case .start(let attempt, _) where attempt.entry == key: return false
      case .unstart(let attempt) where attempt.entry == key: return attempt.number == 1
      default: continue
      }
    }
    return false
  }

  /// The schedules of the last configuration, if it waits to be written; otherwise empty.
  var unwrittenSchedules: [JobName: String] {
    for case .adopt(let jobs, _) in changes.reversed() {
      return Dictionary(
        jobs.filter { !$0.isSuspended }.map { ($0.name, $0.schedule) },
        uniquingKeysWith: { first, _ in first })
    }
    return [:]
  }

  mutating func append(_ change: Change) {
    defer { if case .adopt = change { lacksConfiguration = false } }
    if isBehind {
      if changes.count >= Self.countMax {
        // Several at once, because each removal moves all remaining changes.
        droppedCount += Self.nextPortion
        if changes.prefix(Self.nextPortion).contains(where: \.isOfConfiguration) { lacksConfiguration = true }
        removeFirst(Self.nextPortion)
      }
      raiseWatermark(by: change)
      // Output is the least important part, and by far the largest.
      if case .settle(let record, let cursor, _, let usage) = change {
        changes.append(.settle(record, cursor: cursor, tail: "", usage: usage))
      } else {
        changes.append(change)
      }
    } else {
      changes.append(change)
    }
  }

  private mutating func index(_ change: Change) {
    guard case .settle(let record, _, _, _) = change else { return }
    guard record.firstNominal < record.entry.nominal else {
      settled.insert(record.entry)
      return
    }
    spans[record.entry.job, default: []].append(
      (record.firstNominal...record.entry.nominal, record.endedAt))
  }

  /// Removes the first `count` changes, which have been written.
  mutating func didWrite(_ count: Int) {
    guard count == changes.count else { return removeFirst(count) }
    changes.removeAll(keepingCapacity: true)
    if !settled.isEmpty || !spans.isEmpty { (settled, spans) = ([], [:]) }
    indexedCount = 0
    isBehind = false
    watermarks = [:]
    hasWatermarksToSave = false
  }

  /// Removes the first `count` changes and indexes their outcomes. The index lasts until everything is written: an entry stays
  /// settled even if its change was dropped.
  private mutating func removeFirst(_ count: Int) {
    while indexedCount < count {
      index(changes[indexedCount])
      indexedCount += 1
    }
    changes.removeFirst(count)
    indexedCount -= count
  }

  /// Records that a write failed.
  mutating func fallBehind() {
    guard !isBehind else { return }
    isBehind = true
    droppedCount = 0
    for change in changes { raiseWatermark(by: change) }
  }

  mutating func didSaveWatermarks() { hasWatermarksToSave = false }

  /// Raises a watermark. An entry that was started or has ended is then not run again after a crash, even if its record is
  /// lost.
  private mutating func raiseWatermark(by change: Change) {
    let key: EntryKey
    switch change {
    case .settle(let record, _, _, _) where record.cause.isOfSchedule: key = record.entry
    case .start(let attempt, _) where attempt.cause.isOfSchedule: key = attempt.entry
    case .raiseWatermark(let job, let nominal): key = EntryKey(job: job, nominal: nominal)
    case .setWatermarks(let set):
      for mark in set where watermarks[mark.job].map({ $0 > mark.decided }) ?? false {
        watermarks[mark.job] = nil
      }
      return
    default: return
    }
    guard watermarks[key.job].map({ $0 < key.nominal }) ?? true else { return }
    watermarks[key.job] = key.nominal
    hasWatermarksToSave = true
  }
}
