package import TimelineCore

/// What falls due next: the next entry of each job, and the timeout, grace or pause of each run.
///
/// The order is total and the same however records happen to lie: deadline, runs before entries, priority, order in the
/// configuration, and of two runs of one job that of the lower slot. Runs come first so that what a stop frees is free
/// for the entries of the same instant.
package struct DeadlineQueue: Sendable {
  /// A deadline and whose it is.
  package struct Record: Sendable, Hashable {
    /// When it falls due.
    package var deadline: WallInstant
    /// What falls due.
    package var handle: DeadlineHandle
  }

  private(set) var entries = EntryDeadlines()
  private var runs = RunDeadlines()

  /// Makes an empty queue.
  package init() {}

  /// Makes room for the entries of `count` jobs.
  package mutating func reserve(_ count: Int) { entries.reserve(count) }

  /// How many deadlines there are.
  package var count: Int { entries.count + runs.count }

  /// The record to be dealt with first.
  package var first: Record? {
    mutating get {
      // Found before anything else of the queue is looked at: a second reference to its arrays would have them copied.
      let entry = entries.first
      return Self.earlier(of: entry, runs.first)
    }
  }

  /// The record that ``first`` gave, as long as nothing was set or removed since.
  package var firstFound: Record? { Self.earlier(of: entries.firstFound, runs.first) }

  /// About how many entries fall due together with the record that ``firstFound`` gives, at most `limit`; 0 when only a run
  /// does.
  package func countOfFirst(atMost limit: Int) -> Int {
    guard let entry = entries.firstFound, runs.first.map({ entry.deadline <= $0.deadline }) ?? true else {
      return 0
    }
    return entries.countOfFirst(atMost: limit)
  }

  /// When `handle` falls due, or `nil` when it has no deadline.
  package func deadline(of handle: DeadlineHandle) -> WallInstant? {
    handle.isRun ? runs.deadline(of: handle.index) : entries.deadline(of: handle.index)
  }

  /// Gives the job at `index` this deadline for its next entry.
  package mutating func setEntry(_ index: Int, at deadline: WallInstant, tie: TieBreak) {
    entries.set(DeadlineRecord(deadline, tie, index))
  }

  /// Gives the run in `slot` this deadline; `order` is the order of its job.
  package mutating func setRun(_ slot: Int, at deadline: WallInstant, tie: TieBreak, order: Int) {
    runs.set(slot, at: deadline, tie, order)
  }

  /// Takes the deadline of `handle` away, if it has one.
  package mutating func remove(_ handle: DeadlineHandle) {
    if handle.isRun { runs.remove(handle.index) } else { entries.remove(handle.index) }
  }

  /// Takes every deadline away.
  package mutating func removeAll() {
    entries.removeAll()
    runs.removeAll()
  }

  @inline(__always)
  private static func earlier(
    of entry: DeadlineRecord?, _ run: (deadline: WallInstant, slot: Int)?
  ) -> Record? {
    if let run {
      guard let entry, entry.deadline < run.deadline else {
        return Record(deadline: run.deadline, handle: .run(run.slot))
      }
    }
    guard let entry else { return nil }
    return Record(deadline: entry.deadline, handle: .job(entry.index))
  }
}

/// What a deadline belongs to: the next entry of a job, or a run; each numbered densely from 0.
package struct DeadlineHandle: Sendable, Hashable {
  /// Whether it belongs to a run.
  package var isRun: Bool
  /// The index of the job or the slot of the run.
  package var index: Int

  /// The next entry of the job at `index`.
  package static func job(_ index: Int) -> DeadlineHandle { DeadlineHandle(isRun: false, index: index) }
  /// The timeout, grace or pause of the run in `slot`.
  package static func run(_ slot: Int) -> DeadlineHandle { DeadlineHandle(isRun: true, index: slot) }
}

/// Who goes first at one instant: the higher priority; then the order of the configuration.
package struct TieBreak: Sendable, Hashable {
  /// Ascending; below 2^31.
  let rank: UInt32

  /// Priorities beyond a thousand million either way count as that.
  package init(priority: Int) {
    let bound = 1_000_000_000
    self.rank = UInt32(bound - Swift.min(Swift.max(priority, -bound), bound))
  }
}
