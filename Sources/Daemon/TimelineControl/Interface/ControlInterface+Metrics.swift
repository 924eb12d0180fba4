extension ControlInterface {
  /// The types of metrics.
  static let metricsTypes = """
    # Distribution of durations in buckets. The upper bounds of the buckets are in the reply of Metrics.
    type Histogram (
      # Number of durations in each bucket, also the one without a bound; empty if there are none.
      counts: []int,
      # Sum of all durations in nanoseconds.
      sumNanoseconds: int
    )

    # Numbers of the daemon as a whole. Counts begin with its start.
    type DaemonMetrics (
      # Version of the daemon.
      version: string,
      # Instant at which the daemon was started, by its own clock, RFC 3339 in UTC.
      startedAt: string,
      # "normal" or "low-frequency".
      mode: string,
      # Whether the daemon is draining: it stops and waits for active runs.
      isDraining: bool,
      # Number of jobs.
      jobCount: int,
      # Number of times that the clock was set or the machine resumed.
      clockStepCount: int,
      # Number of reloads by result: succeeded, failed.
      reloads: [string]int,
      # Number of plugin hosts at present by state: loading, idle, running, ending.
      pluginHosts: [string]int,
      # Whether the ledger can be written.
      isLedgerWritable: bool,
      # Number of outcomes in memory that are not in the ledger yet.
      unwrittenEntryCount: int,
      # Durations of the ledger's transactions.
      commits: Histogram,
      # Number of open backfills. This version always has it.
      openBackfillCount: ?int,
      # Numbers of the node; absent for a daemon without a cluster.
      cluster: ?ClusterMetrics
    )

    # Numbers of a node of a cluster.
    type ClusterMetrics (
      # Whether this node is a member of the cluster.
      isMember: bool,
      # Whether the store can be used, as last seen.
      isStoreUp: bool,
      # As in ClusterState: nanoseconds for which this node may start runs; absent if it may start none.
      trustNanoseconds: ?int,
      # As in ClusterState: this node's clock minus the store's, in nanoseconds; absent if it was not measured.
      clockOffsetNanoseconds: ?int,
      # Number of events since the daemon was started, by name, as in ClusterState.
      counters: [string]int,
      # Names of the jobs that no node can run, because the node that had
      # them is gone. This version always has it.
      orphans: ?[]string,
      # As in ClusterState: reason why this node waits outside of the cluster; absent if it does not wait.
      joinFault: ?string
    )

    # Numbers of a job since the daemon was started, and its state.
    type JobMetrics (
      # Name of the job.
      job: string,
      # Whether another node of the cluster runs the job, or none.
      isElsewhere: bool,
      # The node of the cluster that runs the job, empty for none at present; absent unless one node runs the job.
      node: ?string,
      # Whether the job is paused.
      isPaused: bool,
      # Number of active runs, without those that wait for a plugin host or the end of a back-off.
      runningCount: int,
      # Number of due entries that wait, with those of waiting runs.
      waitingCount: int,
      # Nominal time of the oldest entry that is overdue, RFC 3339 in UTC: it is due, and has
      # not begun within one period of its schedule, at least 1 min and at most 1 h. Absent if
      # there is none, and while the job is paused.
      overdueEntry: ?string,
      # Nominal time of the next entry, RFC 3339 in UTC; absent as in Job, and if isElsewhere.
      next: ?string,
      # Nominal time of the last entry that ended, under this daemon or an earlier one,
      # RFC 3339 in UTC; absent if none is known.
      lastEntry: ?string,
      # Instant at which an entry last succeeded, under this daemon or an earlier one,
      # RFC 3339 in UTC; absent if none is known.
      lastSuccess: ?string,
      # Number of failed entries since the last one that succeeded, at most 100 of them under earlier daemons.
      consecutiveFailures: int,
      # Number of entries by outcome; outcomes without entries are left out.
      outcomes: [string]int,
      # Number of entries that backfills have run, by the outcome of the backfilled run; they are not in outcomes.
      # Absent if there are none.
      backfillOutcomes: ?[string]int,
      # Number of attempts by result: succeeded, failed, cancelled.
      attempts: [string]int,
      # Delays of first attempts after the nominal time, for entries of the schedule; absent if there are none.
      lateness: ?Histogram,
      # Durations of runs, from the first attempt to the end; absent if there are none.
      duration: ?Histogram
    )
    """

  /// The method that returns the metrics.
  static let metricsMethod = """
    # Numbers for monitors, from memory alone. Called with "more", it replies several times, with some of the jobs
    # in each reply; more than 1000 jobs need such a call.
    method Metrics() -> (
      # Numbers of the daemon as a whole.
      daemon: DaemonMetrics,
      # Upper bounds of the buckets of all histograms in nanoseconds, ascending and inclusive. Histograms have one
      # more bucket, without a bound.
      bucketBounds: []int,
      # Numbers of the jobs, in the order of the configuration.
      jobs: []JobMetrics
    )
    """
}
