import TimelineConfiguration
import TimelineControl
import TimelineCore
import TimelineEngine
import TimelineHostPool

// Metrics for monitors. All metrics are in memory, so frequent queries cause no disk access.
extension Answers {
  /// Metrics of the daemon as a whole, and of its cluster.
  var metrics: DaemonMetrics {
    DaemonMetrics(
      version: DaemonOptions.version, startedAt: startedAt, mode: engine.state.mode,
      isDraining: stopping.isDraining,
      jobCount: jobs.count, clockStepCount: engine.clockSteps.count,
      reloads: ["succeeded": reloader.succeededCount, "failed": reloader.failedCount],
      pluginHosts: parts.hosts.hostCounts, isLedgerWritable: writer.fault == nil,
      unwrittenEntryCount: writer.unwrittenEntryCount, commits: writer.commits,
      cluster: cluster?.metrics)
  }

  /// Returns the metrics of the given jobs that are still configured, in the given order.
  func metrics(of jobs: ArraySlice<Job>) -> [JobMetrics] {
    let known = Dictionary(
      engine.state.statuses(of: jobs.map(\.name), at: now).map { ($0.name, $0) }, uniquingKeysWith: { $1 })
    return jobs.compactMap { job in self.jobs[job.name].map { metrics(of: $0, known[job.name]) } }
  }

  /// Returns the metrics of one job. `status` is `nil` if another node of the cluster, or no node, runs the job.
  private func metrics(of row: LoadedJobs.Row, _ status: JobStatus?) -> JobMetrics {
    let idleCount = status?.idleRuns.count ?? 0
    var metrics = JobMetrics(
      job: row.job.name.text, isElsewhere: status == nil, isPaused: status?.pausedSince != nil,
      runningCount: (status?.runs.count ?? 0) - idleCount,
      waitingCount: (status?.waitingEntries ?? 0) + idleCount,
      consecutiveFailures: row.runs.consecutiveFailures, outcomes: row.tally.byOutcome,
      attempts: Dictionary(uniqueKeysWithValues: row.runs.attempts.map { ("\($0.key)", $0.value) }))
    metrics.node = isOfCluster(row.job.name) ? cluster?.owner(of: row.job.name) ?? "" : nil
    metrics.next = status?.next.map(Timestamp.init)
    metrics.overdueEntry = status?.overdueEntry.map(Timestamp.init)
    metrics.lastEntry = (row.last?.entry.nominal ?? row.runs.formerEntry).map(Timestamp.init)
    metrics.lastSuccess = row.runs.lastSuccess.map(Timestamp.init)
    metrics.lateness = row.runs.lateness.orNil
    metrics.duration = row.runs.duration.orNil
    if row.backfilled.total > 0 {
      metrics.backfillOutcomes = Dictionary(
        uniqueKeysWithValues: row.backfilled.sorted.map { ($0.outcome.rawValue, $0.count) })
    }
    return metrics
  }
}
