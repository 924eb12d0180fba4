package import TimelineCore

/// Properties of a job that the ledger needs.
package struct LedgerJob: Sendable, Equatable {
  package var name: JobName
  /// Text that changes when the schedule's entries change.
  package var schedule: String
  /// Whether a crash may lose or repeat the job's entries.
  package var delivery: DeliveryPolicy
  /// Whether the job has too many entries for one row each. Only its counts and its watermark are kept.
  package var isCounted: Bool
  /// Whether the job cannot be scheduled for now. ``schedule`` is then ignored, and the job's state in the file stays.
  package var isSuspended: Bool

  package init(
    name: JobName, schedule: String, delivery: DeliveryPolicy = .atMostOnce, isCounted: Bool = false,
    isSuspended: Bool = false
  ) {
    self.name = name
    self.schedule = schedule
    self.delivery = delivery
    self.isCounted = isCounted
    self.isSuspended = isSuspended
  }
}
