package import TimelineCore

/// Metrics of the daemon since its start (`DaemonMetrics`).
package struct DaemonMetrics: Codable, Sendable, Equatable {
  package var version: String
  /// Start of the daemon, by the daemon's own clock.
  package var startedAt: Timestamp
  /// `normal` or `low-frequency`.
  package var mode: String
  package var isDraining: Bool
  package var jobCount: Int
  /// Number of times that the clock was set, or the machine resumed.
  package var clockStepCount: Int
  /// Number of reloads by result: `succeeded`, `failed`.
  package var reloads: [String: Int]
  /// Number of plugin hosts by state: `loading`, `idle`, `running`, `ending`.
  package var pluginHosts: [String: Int]
  package var isLedgerWritable: Bool
  /// Number of outcomes in memory that are not yet written to the ledger.
  package var unwrittenEntryCount: Int
  /// Durations of commits of the ledger.
  package var commits: DurationHistogram
  /// Number of open backfills; `nil` from an older daemon without backfills; not set by the initializer.
  package var openBackfillCount: Int?
  /// Metrics of the node; `nil` without a cluster.
  package var cluster: ClusterMetrics?

  package init(
    version: String, startedAt: WallInstant, mode: ScheduleMode, isDraining: Bool = false, jobCount: Int,
    clockStepCount: Int = 0, reloads: [String: Int] = [:], pluginHosts: [String: Int] = [:],
    isLedgerWritable: Bool = true, unwrittenEntryCount: Int = 0,
    commits: DurationHistogram = DurationHistogram(), cluster: ClusterMetrics? = nil
  ) {
    (self.version, self.startedAt, self.mode) = (version, Timestamp(startedAt), mode.rawValue)
    (self.isDraining, self.jobCount, self.clockStepCount) = (isDraining, jobCount, clockStepCount)
    (self.reloads, self.pluginHosts) = (reloads, pluginHosts)
    (self.isLedgerWritable, self.unwrittenEntryCount) = (isLedgerWritable, unwrittenEntryCount)
    (self.commits, self.cluster) = (commits, cluster)
  }
}

/// Metrics of a node of a cluster (`ClusterMetrics`).
package struct ClusterMetrics: Codable, Sendable, Equatable {
  package var isMember: Bool
  /// Last seen state of the store: whether the store can be used.
  package var isStoreUp: Bool
  /// Time left in which this node may start runs of the cluster without another renewal; `nil` for none.
  package var trustNanoseconds: Int64?
  /// This node's clock minus the store's clock; `nil` if not measured.
  package var clockOffsetNanoseconds: Int64?
  /// Numbers of events since the start, by name.
  package var counters: [String: Int]
  /// Jobs that no node can run, because their node is gone; `nil` from an older daemon without the list.
  package var orphans: [String]?
  /// Reason why this node waits outside of the cluster; `nil` if it does not wait.
  package var joinFault: String?

  package init(
    isMember: Bool, isStoreUp: Bool, trust: ElapsedTime? = nil, clockOffset: ElapsedTime? = nil,
    counters: [String: Int] = [:], orphans: [String]? = nil, joinFault: String? = nil
  ) {
    (self.isMember, self.isStoreUp, self.counters) = (isMember, isStoreUp, counters)
    (self.orphans, self.joinFault) = (orphans, joinFault)
    (trustNanoseconds, clockOffsetNanoseconds) = (trust?.nanoseconds, clockOffset?.nanoseconds)
  }
}

/// Metrics of a job since the daemon's start, and its state (`JobMetrics`).
package struct JobMetrics: Codable, Sendable, Equatable {
  package var job: String
  /// Whether another node of the cluster runs the job, or no node does.
  package var isElsewhere: Bool
  /// The node that runs a job of the cluster; empty if no node runs the job at present; `nil` for other jobs.
  package var node: String?
  package var isPaused: Bool
  package var runningCount: Int
  /// Number of due entries that wait.
  package var waitingCount: Int
  /// The oldest overdue entry; `nil` for none. The engine decides which entries are overdue.
  package var overdueEntry: Timestamp?
  /// The next entry, if there is one.
  package var next: Timestamp?
  /// The nominal instant of the last entry that ended; `nil` if unknown.
  package var lastEntry: Timestamp?
  /// Instant at which an entry last succeeded; `nil` if unknown.
  package var lastSuccess: Timestamp?
  /// Number of failed entries since the last success.
  package var consecutiveFailures: Int
  /// Number of entries by outcome.
  package var outcomes: [String: Int]
  /// Number of entries that backfills have run, by outcome of the backfilled run; they are not in ``outcomes``. `nil` for none.
  package var backfillOutcomes: [String: Int]?
  /// Number of attempts by result: `succeeded`, `failed`, `cancelled`.
  package var attempts: [String: Int]
  /// Delays from the nominal instant to the start, for entries of the schedule; `nil` before the first run.
  package var lateness: DurationHistogram?
  /// Durations of runs; `nil` before the first run.
  package var duration: DurationHistogram?

  /// Makes metrics. The initializer does not set the optional metrics.
  package init(
    job: String, isElsewhere: Bool = false, isPaused: Bool = false, runningCount: Int = 0,
    waitingCount: Int = 0, consecutiveFailures: Int = 0, outcomes: [Outcome: Int] = [:],
    attempts: [String: Int] = [:]
  ) {
    (self.job, self.isElsewhere, self.isPaused) = (job, isElsewhere, isPaused)
    (self.runningCount, self.waitingCount) = (runningCount, waitingCount)
    (self.consecutiveFailures, self.outcomes, self.attempts) = (
      consecutiveFailures, outcomes.named, attempts
    )
  }
}
