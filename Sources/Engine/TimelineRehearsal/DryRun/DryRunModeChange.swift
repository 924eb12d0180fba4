package import TimelineCore

/// A change of the mode in a dry run.
package struct DryRunModeChange: Sendable, Equatable {
  package var at: WallInstant
  /// Mode from this instant on.
  package var mode: ScheduleMode

  package init(at instant: WallInstant, mode: ScheduleMode) {
    (at, self.mode) = (instant, mode)
  }
}
