package import TimelineCore
package import TimelineEngine

/// Counts of a dry run.
package struct DryRunSummary: Sendable, Hashable {
  /// One job's share.
  package struct Job: Sendable, Hashable {
    /// The job.
    package var name: JobName
    /// Number of entries by outcome.
    package var outcomes = OutcomeCounts()
    /// The most concurrent runs.
    package var peak = 0

    /// Number of entries.
    package var entries: Int { outcomes.total }
  }

  /// Its begin.
  package var from: WallInstant
  /// Its end.
  package var until: WallInstant
  /// Each job, in order.
  package var jobs: [Job]
  /// Number of entries of all ``jobs``.
  package var entries = 0
  /// The most concurrent runs of all jobs; zero-length runs that begin at one instant count as concurrent.
  package var peak = 0

  /// Number of entries of all ``jobs`` by outcome.
  package var outcomes: OutcomeCounts {
    var all = OutcomeCounts()
    for job in jobs {
      for (outcome, count) in job.outcomes.sorted { all.add(count, of: outcome) }
    }
    return all
  }
}
