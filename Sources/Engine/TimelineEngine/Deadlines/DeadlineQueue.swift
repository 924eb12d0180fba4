package import TimelineCore

/// Deadlines of the engine: the next entry of each job, and the timeout, grace or back-off of each run.
///
/// The order is total and does not depend on the order of changes. Sort keys: deadline, runs before entries, priority, order
/// in the configuration, and for two runs of one job the lower slot. Runs come first: a slot freed by a stop is then free for
/// the entries of the same instant. Setting and removing a deadline take O(log n).
package struct DeadlineQueue: Sendable {
  /// A deadline and its owner.
  package struct Record: Sendable, Hashable {
    package var deadline: WallInstant
    package var handle: DeadlineHandle
  }

  private var heap = DeadlineHeap()

  package init() {}

  /// Reserves memory for the entries of `count` jobs.
  package mutating func reserve(_ count: Int) { heap.reserve(count) }

  package var count: Int { heap.count }

  /// The earliest record.
  package var first: Record? { heap.first.map { Record(deadline: $0.deadline, handle: $0.owner.handle) } }

  /// Returns the number of entries that fall due at the instant of ``first``, at most `limit`; 0 if only runs fall due then.
  package func countOfFirst(atMost limit: Int) -> Int { heap.entryCountOfFirst(atMost: limit) }

  /// Returns the deadline of `handle`; `nil` for none.
  package func deadline(of handle: DeadlineHandle) -> WallInstant? {
    heap.deadline(of: DeadlineHeap.Owner(handle))
  }

  /// Sets the deadline of the next entry of the job at `index`. Replaces a former deadline.
  package mutating func setEntry(_ index: Int, at deadline: WallInstant, tie: TieBreak) {
    heap.set(DeadlineHeap.Node(deadline: deadline, tie: tie, order: index, owner: .init(.job(index))))
  }

  /// Sets the deadline of the run in `slot`. Replaces a former deadline. `order` is the index of the run's job.
  package mutating func setRun(_ slot: Int, at deadline: WallInstant, tie: TieBreak, order: Int) {
    heap.set(DeadlineHeap.Node(deadline: deadline, tie: tie, order: order, owner: .init(.run(slot))))
  }

  /// Removes the deadline of `handle`, if there is one.
  package mutating func remove(_ handle: DeadlineHandle) { heap.remove(DeadlineHeap.Owner(handle)) }

  /// Removes every deadline.
  package mutating func removeAll() { heap = DeadlineHeap() }
}

/// Owner of a deadline: the next entry of a job, or a run. Both are numbered densely from 0.
package struct DeadlineHandle: Sendable, Hashable {
  /// Whether the owner is a run.
  package var isRun: Bool
  /// Index of the job, or slot of the run; below 2^31.
  package var index: Int

  /// The next entry of the job at `index`.
  package static func job(_ index: Int) -> DeadlineHandle { DeadlineHandle(isRun: false, index: index) }
  /// The timeout, grace or back-off of the run in `slot`.
  package static func run(_ slot: Int) -> DeadlineHandle { DeadlineHandle(isRun: true, index: slot) }
}

/// Order of deadlines at one instant: the higher priority first, then the order in the configuration.
package struct TieBreak: Sendable, Hashable {
  /// Rank, ascending; below 2^31.
  let rank: UInt32

  /// Makes a tie break. A priority beyond a thousand million, positive or negative, counts as this limit.
  package init(priority: Int) {
    let bound = 1_000_000_000
    self.rank = UInt32(bound - Swift.min(Swift.max(priority, -bound), bound))
  }
}
