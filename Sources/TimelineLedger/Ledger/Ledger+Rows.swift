import TimelineCore
package import TimelineEngine

// The entries that have a row of their own.
extension Ledger {
  /// Whether there is a row for the entry of the attempt, and not just the number of its run.
  package func hasRow(for attempt: Attempt) -> Bool {
    hasRow(jobs.number(of: attempt.entry.job), attempt.cause) || runs[attempt.run] != nil
  }

  /// Whether an entry is kept as a row; of a job that has too many entries only what was asked for is.
  func hasRow(_ job: Int, _ cause: RunCause) -> Bool { !(jobs.isCounted(job) && cause.isOfSchedule) }
}
