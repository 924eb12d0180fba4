import TimelineCore
import TimelineEngine
import TimelineStoreWire

/// Windows that the node has claimed for its counted jobs, with the outcomes of the entries in them.
///
/// All nodes have the same windows, so the store grants each window to one node, like an entry. Outcomes are counted, and
/// stored as one record after the window has ended.
struct WindowTable: Sendable, Equatable {
  private struct Tally: Sendable, Equatable {
    /// Nominal instant of the first entry that was started or settled; `nil` for none.
    var first: Int64?
    var counts: [Outcome: Int] = [:]
    var attempts = 0
    var startedAt: Int64?
    var endedAt: Int64?
    /// Reason of the last outcome.
    var reason = ""
  }

  /// Windows without a record, by job and end.
  private var open: [JobName: [Int64: Tally]] = [:]
  /// Records that may still be missing in the store.
  private(set) var records: [StoredRecord] = []
  /// Stored records of the last minute. After a failover the new server may lack them.
  private var told: [StoredRecord] = []
  /// Latest nominal instant of each job that this daemon process has started or settled.
  private var reached: [JobName: Int64] = [:]
  /// Ends of former owners' windows that this daemon process has settled.
  private var settledEnds: [JobName: Set<Int64>] = [:]

  /// Returns the end of the window that contains `instant`. The end itself belongs to the window.
  static func end(of instant: Int64) -> Int64 {
    let rest = instant % length
    return rest > 0 ? instant + length - rest : instant - rest
  }

  /// Length of a window in nanoseconds. A job that moves to another node pauses for at most this time. Each window costs one
  /// claim.
  static let length: Int64 = 2_000_000_000

  /// The latest nominal instant of a job that this node has started or settled.
  func reached(_ job: JobName) -> Int64? { reached[job] }

  /// Whether there are no windows to be recorded or withdrawn.
  var isEmpty: Bool { open.isEmpty }

  /// Whether a window is held and has no record.
  func holds(_ key: EntryKey) -> Bool { open[key.job]?[key.nanoseconds] != nil }

  /// Whether a window has a record that may still be missing in the store.
  func isRecorded(_ key: EntryKey) -> Bool { records.contains { $0.key == key } }

  /// Marks a former owner's window as settled. Its entries are decided, although the job's watermark is earlier.
  mutating func noteSettled(_ key: EntryKey) { settledEnds[key.job, default: []].insert(key.nanoseconds) }

  /// Returns the ends of a job's settled windows that are later than `watermark`, the job's watermark in the store. Removes
  /// earlier ends.
  mutating func takeSettled(_ job: JobName, after watermark: Int64?) -> Set<Int64> {
    let ends = Set((settledEnds[job] ?? []).filter { $0 > watermark ?? .min })
    settledEnds[job] = ends.isEmpty ? nil : ends
    return ends
  }

  /// Adds a window that the store has granted.
  mutating func hold(_ key: EntryKey) {
    if !holds(key) { open[key.job, default: [:]][key.nanoseconds] = Tally() }
  }

  /// Removes a job's windows without activity, except windows with an end in `kept`.
  mutating func dropUnused(of job: JobName, but kept: Set<Int64> = []) {
    open[job] = open[job]?.filter { $0.value.first != nil || kept.contains($0.key) }
    if open[job]?.isEmpty ?? false { open[job] = nil }
  }

  /// Marks the window of a started run as in use. Returns the window, or `nil` if the node holds none.
  mutating func start(_ entry: EntryKey) -> EntryKey? {
    reached[entry.job] = max(reached[entry.job] ?? .min, entry.nanoseconds)
    return note(entry.job, entry.nanoseconds, entry.nanoseconds, true) { _ in }
  }

  /// Counts the outcome of entries in a window. Returns the window, or `nil` if the node holds none.
  ///
  /// - Parameters:
  ///   - isRunning: Whether the node still has the job. If not, entries without a run that are later than the last window in use
  ///     belong to the next owner.
  ///   - count: Function that returns the number of the job's entries in a range of nominal instants.
  mutating func settle(
    _ record: EntryRecord, isRunning: Bool, count: (ClosedRange<Int64>) -> Int
  ) -> EntryKey? {
    let job = record.entry.job
    let first = record.firstNominal.nanosecondsSinceEpoch
    let nominal = record.entry.nanoseconds
    let isOwn = isRunning || record.startedAt != nil
    let last = isOwn ? nominal : min(nominal, lastUsed(of: job) ?? .min)
    guard first <= last else { return nil }
    let entryCount = last < nominal ? count(first...last) : record.entryCount
    return note(job, first, last, isRunning) { tally in
      tally.counts[record.outcome, default: 0] += entryCount
      tally.attempts += record.attempts
      let started = [tally.startedAt, record.startedAt?.nanosecondsSinceEpoch].compactMap(\.self)
      (tally.startedAt, tally.endedAt) = (started.min(), record.endedAt.nanosecondsSinceEpoch)
      tally.reason = record.reason
    }
  }

  private func lastUsed(of job: JobName) -> Int64? {
    open[job]?.filter { $0.value.first != nil }.keys.max()
  }

  /// Changes the tally of an entry's window. If this window already has a record, changes the first open window instead. If
  /// the node has lost the job, only windows in use count.
  private mutating func note(
    _ job: JobName, _ first: Int64, _ nominal: Int64, _ isRunning: Bool, _ change: (inout Tally) -> Void
  ) -> EntryKey? {
    let own = Self.end(of: nominal)
    let windows = (open[job] ?? [:]).filter { isRunning || $0.value.first != nil }
    guard let end = windows[own] != nil ? own : windows.keys.min() else { return nil }
    reached[job] = max(reached[job] ?? .min, nominal)
    var tally = windows[end] ?? Tally()
    tally.first = min(tally.first ?? first, first)
    change(&tally)
    open[job]?[end] = tally
    return EntryKey(job: job, nanoseconds: end)
  }
}

// Records.
extension WindowTable {
  /// Author and time of records.
  struct Writer {
    let epoch: String
    let node: String
    let now: Int64
  }

  /// Records the windows that have ended, and all windows of jobs that the node no longer runs. Returns the ended windows
  /// without activity.
  ///
  /// - Parameters:
  ///   - isOver: Whether a job can have no further activity on this node.
  ///   - token: Token of a window's claim.
  mutating func close(
    _ writer: Writer, isOver: (JobName) -> Bool, token: (EntryKey) -> Int64?
  ) -> [EntryKey] {
    var unused: [EntryKey] = []
    for (job, windows) in open.sorted(on: \.key) {
      let isOver = isOver(job)
      for (end, tally) in windows.sorted(on: \.key) where isOver || end < writer.now {
        let key = EntryKey(job: job, nanoseconds: end)
        if let first = tally.first {
          // An active run keeps its window open.
          if tally.counts.isEmpty, !isOver { continue }
          records.append(record(of: tally, key, first, writer, token(key)))
        } else if end < writer.now {
          unused.append(key)
        } else {
          continue
        }
        open[job]?[end] = nil
      }
      if open[job]?.isEmpty ?? false { open[job] = nil }
    }
    return unused
  }

  private func record(of tally: Tally, _ key: EntryKey, _ first: Int64, _ writer: Writer, _ token: Int64?)
    -> StoredRecord
  {
    let counts = tally.counts.sorted {
      ($0.key.weight, $1.value, $0.key.rawValue) < ($1.key.weight, $0.value, $1.key.rawValue)
    }
    let reason =
      counts.count > 1
      ? counts.map { "\($0.value) \($0.key.rawValue)" }.joined(separator: ", ") : tally.reason
    return StoredRecord(
      key: key, firstNominal: first, entryCount: max(1, counts.reduce(0) { $0 + $1.value }),
      outcome: (counts.first?.key ?? .unknown).rawValue, cause: RunCause.schedule.rawValue, reason: reason,
      startedAt: tally.startedAt, endedAt: tally.endedAt ?? writer.now, attempts: tally.attempts,
      node: writer.node, epoch: writer.epoch, token: token)
  }

  /// Records entries as missed, because no node had a window for them: the job had no owner, or the store did not answer.
  ///
  /// The store keeps one record for each window. If a run of the last window is still active, the entries are added to the
  /// record of this window.
  mutating func addMissed(_ job: JobName, first: Int64, last: Int64, count: Int, _ writer: Writer) {
    if open[job]?[last]?.first != nil {
      _ = note(job, first, last, true) { tally in
        tally.counts[.missed, default: 0] += count
        (tally.endedAt, tally.reason) = (writer.now, Reason.unwindowed)
      }
      return
    }
    records.append(
      StoredRecord(
        key: EntryKey(job: job, nanoseconds: last), firstNominal: first, entryCount: count,
        outcome: Outcome.missed.rawValue, cause: RunCause.missed.rawValue, reason: Reason.unwindowed,
        startedAt: nil, endedAt: writer.now, attempts: 0, node: writer.node, epoch: writer.epoch))
  }

  /// Marks records as stored.
  mutating func stored(_ keys: [EntryKey]) {
    let stored = records.filter { keys.contains($0.key) }
    guard !stored.isEmpty else { return }
    records.removeAll { keys.contains($0.key) }
    told += stored
    let newest = told.reduce(Int64.min) { max($0, $1.endedAt) }
    told.removeAll { newest - $0.endedAt > Self.toldLength }
    told.removeFirst(max(0, told.count - Self.toldMax))
  }

  /// Queues the stored records of the last minute again, because of a failover.
  mutating func tellAgain() {
    let known = Set(records.map(\.key))
    records = told.filter { !known.contains($0.key) } + records
    told = []
  }

  /// Time in nanoseconds for which a stored record is kept. The lag of a standby is shorter.
  private static let toldLength: Int64 = 60_000_000_000
  /// The maximum number of stored records that are kept, enough for 100 counted jobs.
  private static let toldMax = 3_000
}

extension Outcome {
  /// Rank among the outcomes of a window. The outcome with the lowest rank stands for the whole window: failures first, then
  /// runs, then entries without a run.
  fileprivate var weight: Int {
    switch kind {
    case .failure: 0
    case .cancellation: 1
    case .success: 2
    case .miss: 3
    case .omission: 4
    }
  }
}
