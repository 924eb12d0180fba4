extension ControlInterface {
  /// The types of numbers for monitors.
  static let metricsTypes = """
    # Durations by size: the number of those in each bucket, and their sum. Without any there are no counts.
    type Histogram (counts: []int, sumNanoseconds: int)

    # Numbers of the daemon since its start. The results of reloads are succeeded and failed, the states of pluginHosts loading, idle,
    # running and ending. unwrittenEntryCount outcomes are in memory and not in the ledger yet. commits are the durations of the ledger's
    # transactions.
    type DaemonMetrics (
      version: string, startedAt: string, mode: string, isDraining: bool, jobCount: int, clockStepCount: int,
      reloads: [string]int, pluginHosts: [string]int,
      isLedgerWritable: bool, unwrittenEntryCount: int, commits: Histogram, cluster: ?ClusterMetrics
    )

    # Numbers of a node of a cluster, as ClusterState has them.
    type ClusterMetrics (
      isMember: bool, isStoreUp: bool, trustNanoseconds: ?int, clockOffsetNanoseconds: ?int, counters: [string]int,
      orphans: ?[]string, joinFault: ?string
    )

    # Numbers of a job since the daemon's start, and its state. overdueEntry is the oldest due entry that should have begun some time ago
    # and has not: the daemon decides, by the schedule. lastEntry and lastSuccess may be of an earlier daemon. The results of attempts are
    # succeeded, failed and cancelled. lateness and duration are absent before the first run. node and isElsewhere are as in Job.
    type JobMetrics (
      job: string, isElsewhere: bool, node: ?string, isPaused: bool, runningCount: int, waitingCount: int,
      overdueEntry: ?string, next: ?string, lastEntry: ?string, lastSuccess: ?string, consecutiveFailures: int,
      outcomes: [string]int, attempts: [string]int, lateness: ?Histogram, duration: ?Histogram
    )
    """

  /// The method that gives them.
  static let metricsMethod = """
    # Numbers for monitors, from memory alone. bucketBounds are the upper bounds of the buckets of all histograms in nanoseconds; one more
    # bucket has none. All jobs, in the order of the configuration; with "more" some after the other, as more than 1000 have to be asked for.
    method Metrics() -> (daemon: DaemonMetrics, bucketBounds: []int, jobs: []JobMetrics)
    """
}
