package import TimelineCore
package import TimelineEngine

/// Counts of a dry run.
package struct DryRunSummary: Sendable, Equatable {
  /// Counts of one job.
  package struct Job: Sendable, Equatable {
    package var name: JobName
    package var outcomes = OutcomeCounts()
    /// Maximum number of concurrent runs.
    package var peak = 0

    package var entries: Int { outcomes.total }
  }

  package var from: WallInstant
  package var until: WallInstant
  /// Each job, in order.
  package var jobs: [Job]
  /// Number of entries of all ``jobs``.
  package var entries = 0
  /// Maximum number of concurrent runs of all jobs. Zero-length runs that begin at one instant count as concurrent.
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
