package import TimelineCore

/// A backfill: the entries of a job's schedule in a stretch of time that have no success are run again, one after the other.
package struct Backfill: Sendable, Equatable {
  /// States of a backfill.
  package enum State: String, Sendable, CaseIterable {
    /// Its entries are run, or wait for their turn.
    case running
    /// An operator has paused it.
    case paused
    /// An operator has cancelled it.
    case cancelled
    /// Its last entry has ended.
    case ended

    /// Whether it may have more entries to run.
    package var isOpen: Bool { self == .running || self == .paused }
  }

  /// Request of an operator.
  package struct Request: Sendable, Equatable {
    /// Start of the stretch, included.
    package var from: WallInstant
    /// End of the stretch, not included, and not later than the request.
    package var until: WallInstant
    /// Outcomes of the entries to run again.
    package var outcomes: Set<Outcome>
    /// Whether entries without a record are run, too.
    package var includesUnrecorded = false
    /// Whether the newest entry is run first.
    package var isNewestFirst = false
    /// Maximum number of its runs at a time; at least 1.
    package var parallel = 1
    /// Minimum time from one start to the next.
    package var pace = ElapsedTime.zero

    package init(from: WallInstant, until: WallInstant, outcomes: Set<Outcome>) {
      (self.from, self.until, self.outcomes) = (from, until, outcomes)
    }
  }

  /// Unique in the ledger, ascending from 1.
  package var number: Int64
  package var job: JobName
  /// ``LedgerJob/schedule`` of the job at the request. Under another schedule the stretch has other entries.
  package var schedule: String
  package var request: Request
  package var state = State.running
  /// Number of entries to run, counted at the request.
  package var totalCount: Int
  /// Number of entries in the stretch that are left out because they have no record.
  package var unrecordedCount: Int
  /// Nominal instant of the last entry that was begun: all entries of the stretch before it, or after it if the newest comes first,
  /// are begun, too. `nil` if none is.
  package var position: WallInstant?
  /// Number of its runs that ended with a success.
  package var succeededCount = 0
  /// Number of its entries that ended without one.
  package var failedCount = 0
  /// The last repetition that ended without a success, by its own entry; `nil` for none.
  package var lastFailure: WallInstant?
  /// The operator who requested it.
  package var by: Operator
  package var requestedAt: WallInstant
  /// `nil` while it is open.
  package var endedAt: WallInstant?

  package init(
    number: Int64, job: JobName, schedule: String, _ request: Request, totalCount: Int, unrecordedCount: Int,
    by: Operator, at now: WallInstant
  ) {
    (self.number, self.job, self.schedule, self.request) = (number, job, schedule, request)
    (self.totalCount, self.unrecordedCount) = (totalCount, unrecordedCount)
    (self.by, requestedAt) = (by, now)
  }

  /// Number of its entries that have ended.
  package var doneCount: Int { succeededCount + failedCount }

  /// Moves the position past an entry.
  package mutating func pass(_ entry: WallInstant) {
    guard let former = position else { return position = entry }
    position = request.isNewestFirst ? min(former, entry) : max(former, entry)
  }

  /// The part of the stretch whose entries are still to be begun.
  package var rest: (from: WallInstant, until: WallInstant) {
    guard let position else { return (request.from, request.until) }
    return request.isNewestFirst
      ? (request.from, min(request.until, position))
      : (max(request.from, position + .nanoseconds(1)), request.until)
  }
}
