package import TimelineCore

/// A backfill: entries of a job's schedule that are run again, one after the other (`BackfillState`).
package struct BackfillReport: Codable, Sendable, Equatable {
  /// States of a backfill.
  package enum State: String, Sendable, Hashable, CaseIterable {
    /// The reply to a dry run: nothing is run.
    case planned
    /// Entries are run, or wait for their turn.
    case running
    /// An operator has paused the backfill.
    case paused
    /// The job is paused or gone, or its schedule has changed. The backfill goes on when that is over.
    case suspended
    /// An operator has cancelled the backfill.
    case cancelled
    /// Every entry has been run.
    case ended

    /// Whether the backfill has entries to run.
    package var isOpen: Bool {
      switch self {
      case .running, .paused, .suspended: true
      case .planned, .cancelled, .ended: false
      }
    }
  }

  package var job: String
  /// Start of the stretch.
  package var from: Timestamp
  /// End of the stretch, not included.
  package var until: Timestamp
  /// Outcomes of the entries to run again.
  package var outcomes: [String]
  package var isNewestFirst: Bool
  /// Largest number of backfilled runs at a time.
  package var parallel: Int
  /// Length of time from one start to the next; 0 for none.
  package var paceNanoseconds: Int
  /// Whether entries without a record are run as well.
  package var includesUnrecorded: Bool
  /// Raw value of ``State``. Text, so that an older client can show a state of a newer daemon.
  package var state: String
  /// Cause of the state: why the backfill is suspended, or who has paused it; `nil` for other states.
  package var reason: String?
  /// Number of entries to run again, those that are done included.
  package var totalCount: Int
  /// Number of entries whose backfilled run has ended.
  package var doneCount: Int
  /// Number of these entries that ended with a success.
  package var succeededCount: Int
  /// Number of these entries that ended without a success.
  package var failedCount: Int
  /// Number of entries that are left out because they have no record.
  package var unrecordedCount: Int
  /// Numbers of the backfilled runs that are active.
  package var activeRuns: [Int]
  /// The last entry that was begun; `nil` if there is none.
  package var position: Timestamp?
  /// Instant of the request; `nil` for a dry run.
  package var requestedAt: Timestamp?
  /// Instant of the end; `nil` while the backfill is open, and for a dry run.
  package var endedAt: Timestamp?
  /// The operator who requested the backfill; `nil` if unknown, and for a dry run.
  package var by: OperatorReport?
  /// Length of the rest, by the durations of the job's last runs; `nil` if there are none, and after the end.
  package var estimateNanoseconds: Int?
  /// The first entries to run, at most ``ControlLimits/backfillFirstEntriesMax``; empty unless it is a dry run.
  package var firstEntries: [Timestamp]
  /// The job's zone.
  package var zone: String

  package init(
    job: String, from: WallInstant, until: WallInstant, outcomes: [String], isNewestFirst: Bool = false,
    parallel: Int = 1, paceNanoseconds: Int = 0, includesUnrecorded: Bool = false, state: State,
    reason: String? = nil, totalCount: Int, doneCount: Int = 0, succeededCount: Int = 0, failedCount: Int = 0,
    unrecordedCount: Int = 0, activeRuns: [Int] = [], position: WallInstant? = nil,
    requestedAt: WallInstant? = nil, endedAt: WallInstant? = nil, by: OperatorReport? = nil,
    estimateNanoseconds: Int? = nil, firstEntries: [WallInstant] = [], zone: String
  ) {
    (self.job, self.from, self.until) = (job, Timestamp(from), Timestamp(until))
    (self.outcomes, self.isNewestFirst, self.parallel) = (outcomes, isNewestFirst, parallel)
    (self.paceNanoseconds, self.includesUnrecorded) = (paceNanoseconds, includesUnrecorded)
    (self.state, self.reason) = (state.rawValue, reason)
    (self.totalCount, self.doneCount, self.succeededCount) = (totalCount, doneCount, succeededCount)
    (self.failedCount, self.unrecordedCount, self.activeRuns) = (failedCount, unrecordedCount, activeRuns)
    self.position = position.map(Timestamp.init)
    self.requestedAt = requestedAt.map(Timestamp.init)
    self.endedAt = endedAt.map(Timestamp.init)
    (self.by, self.estimateNanoseconds) = (by, estimateNanoseconds)
    self.firstEntries = firstEntries.map(Timestamp.init)
    self.zone = zone
  }
}
