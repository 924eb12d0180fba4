package import TimelineCore

/// The entry of the schedule that a run repeats, and the number of the repetition. The repetition has an entry of its own.
package struct RerunOrigin: Sendable, Hashable {
  /// Nominal instant of the repeated entry.
  package var of: WallInstant
  /// Number among all repetitions of this entry, from 1.
  package var number: Int
  /// Number of the backfill that repeats it; `nil` for a rerun.
  package var backfill: Int64?

  package init(of nominal: WallInstant, number: Int, backfill: Int64? = nil) {
    of = nominal
    self.number = number
    self.backfill = backfill
  }

  /// Cause of the run.
  package var cause: RunCause { backfill == nil ? .rerun : .backfill }
}
