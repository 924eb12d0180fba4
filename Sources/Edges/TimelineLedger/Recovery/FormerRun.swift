package import TimelineCore

/// End of a job's run under an earlier daemon.
package struct FormerRun: Sendable, Equatable {
  package var outcome: Outcome
  package var nominal: WallInstant
  package var endedAt: WallInstant
  /// Number of failed entries since the last successful one, at most ``failuresMax``.
  package var failures: Int

  /// Maximum number of failures that are counted at a start. Alerts use a few, and each failure costs the read of a row.
  package static let failuresMax = 100

  package init(outcome: Outcome, nominal: WallInstant, endedAt: WallInstant, failures: Int = 0) {
    (self.outcome, self.nominal, self.endedAt) = (outcome, nominal, endedAt)
    self.failures = failures
  }
}
