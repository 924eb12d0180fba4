package import TimelineCore

/// A change of the mode in a dry run.
package struct DryRunModeChange: Sendable, Hashable {
  /// Instant of the change.
  package var at: WallInstant
  /// The mode from then on.
  package var mode: ScheduleMode

  /// Makes a change.
  package init(at instant: WallInstant, mode: ScheduleMode) {
    (at, self.mode) = (instant, mode)
  }
}
