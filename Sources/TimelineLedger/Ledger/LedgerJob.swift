package import TimelineCore

/// Properties of a job that the ledger needs.
package struct LedgerJob: Sendable, Hashable {
  /// Its name.
  package var name: JobName
  /// A text that changes when the schedule's entries change.
  package var schedule: String
  /// Delivery policy: whether a crash may lose or repeat its entries.
  package var delivery: DeliveryPolicy
  /// Whether it has too many entries for one row each: only counts and its watermark are kept.
  package var isCounted: Bool
  /// Whether it cannot be scheduled for now. Then ``schedule`` is ignored, and its state in the file stays.
  package var isSuspended: Bool

  /// Makes a job.
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
