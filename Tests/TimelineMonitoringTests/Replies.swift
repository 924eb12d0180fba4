import TimelineControl
import TimelineCore

/// Replies of a daemon to monitors.
enum Replies {
  static let start = WallInstant(nanosecondsSinceEpoch: 1_795_000_000_500_000_000)

  /// A daemon without findings.
  static let calm = MetricsReply(
    daemon: DaemonMetrics(version: "0.1.0", startedAt: start, mode: .normal, jobCount: 0), jobs: [])

  static func histogram(_ lengths: ElapsedTime...) -> DurationHistogram {
    lengths.reduce(into: DurationHistogram()) { $0.add($1) }
  }

  /// A node of a cluster with one job that runs, one that is overdue and fails, and one that another node runs.
  static let busy = {
    var backup = JobMetrics(
      job: "backup", runningCount: 1, waitingCount: 2,
      outcomes: [.succeeded: 7, .daylightSavingGap: 1], attempts: ["succeeded": 7, "failed": 2])
    backup.next = Timestamp(start + .hours(1))
    (backup.lastEntry, backup.lastSuccess) = (Timestamp(start), Timestamp(start + .milliseconds(1)))
    backup.lateness = histogram(.microseconds(30), .milliseconds(1), .days(2))
    backup.duration = histogram(.seconds(90))
    (backup.node, backup.backfillOutcomes) = ("a", ["succeeded": 11, "failed": 1])
    var failing = JobMetrics(
      job: "failing", isPaused: false, waitingCount: 1, consecutiveFailures: 3, outcomes: [.failed: 3],
      attempts: ["failed": 9])
    failing.overdueEntry = Timestamp(start)
    failing.lastEntry = Timestamp(start)
    var elsewhere = JobMetrics(job: "elsewhere", isElsewhere: true, outcomes: [.succeeded: 1])
    elsewhere.node = "b"
    var daemon = DaemonMetrics(
      version: "0.1.0", startedAt: start, mode: .lowFrequency, jobCount: 3, clockStepCount: 1,
      reloads: ["succeeded": 2, "failed": 1],
      pluginHosts: ["loading": 0, "idle": 2, "running": 1, "ending": 0],
      unwrittenEntryCount: 4, commits: histogram(.microseconds(300), .milliseconds(20)),
      cluster: ClusterMetrics(
        isMember: true, isStoreUp: true, trust: .milliseconds(7_250), clockOffset: .microseconds(-1_500),
        counters: ["claimsGranted": 8, "claimsDenied": 1, "takeovers": 2, "splits": 0]))
    daemon.openBackfillCount = 1
    return MetricsReply(daemon: daemon, jobs: [backup, failing, elsewhere])
  }()

  static func status(
    clock: String = "system", isDraining: Bool = false, ledgerFault: String? = nil,
    faults: [FaultReport] = [],
    clockWaits: [NextEntry] = [], clockWaitCount: Int? = nil
  ) -> StatusReply {
    StatusReply(
      version: "0.1.0", pid: 1, startedAt: start, now: start + .hours(2), uptime: .hours(2), clock: clock,
      mode: .normal, configuration: "/etc/timelined/timelined.toml", jobCount: 3, runningCount: 0,
      isDraining: isDraining, ledgerFault: ledgerFault, next: nil, lastFailure: nil,
      faultCount: faults.count, faults: faults, outcomes: [:],
      clockWaitCount: clockWaitCount ?? clockWaits.count, clockWaits: clockWaits)
  }
}
