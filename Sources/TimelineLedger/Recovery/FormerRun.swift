package import TimelineCore

/// End of a job's run in the time of an earlier daemon.
package struct FormerRun: Sendable, Hashable {
  /// The outcome.
  package var outcome: Outcome
  /// The entry's nominal instant.
  package var nominal: WallInstant
  /// Instant at which the run ended.
  package var endedAt: WallInstant

  /// Makes an end.
  package init(outcome: Outcome, nominal: WallInstant, endedAt: WallInstant) {
    (self.outcome, self.nominal, self.endedAt) = (outcome, nominal, endedAt)
  }
}
