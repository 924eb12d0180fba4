import TimelineCore
package import TimelineEngine

// The entries that have a row of their own.
extension Ledger {
  /// Whether the entry of the attempt has a row, and not only the number of its run.
  package func hasRow(for attempt: Attempt) -> Bool {
    hasRow(jobs.number(of: attempt.entry.job), attempt.cause) || runs[attempt.run] != nil
  }

  /// Whether an entry is kept as a row. For a counted job, only entries of no schedule have rows.
  func hasRow(_ job: Int, _ cause: RunCause) -> Bool { !(jobs.isCounted(job) && cause.isOfSchedule) }
}
