import Testing
import TimelineControl
import TimelineCore
import TimelineMonitoring

@Suite struct HealthTests {
  struct Row: Sendable {
    var status = Replies.status()
    var metrics = Replies.calm
    var isClockSynchronized: Bool? = true
    var isWell = false
    /// Kinds of the findings, in order.
    var kinds: [HealthFinding.Kind]
    /// Text of the first line after the verdict.
    var line: String?
  }

  private static func metrics(_ jobs: JobMetrics...) -> MetricsReply {
    MetricsReply(daemon: Replies.calm.daemon, jobs: jobs)
  }

  private static func metrics(_ cluster: ClusterMetrics, _ jobs: JobMetrics...) -> MetricsReply {
    var reply = MetricsReply(daemon: Replies.calm.daemon, jobs: jobs)
    reply.daemon.cluster = cluster
    return reply
  }

  private static func overdue(_ name: String) -> JobMetrics {
    var job = JobMetrics(job: name)
    job.overdueEntry = Timestamp(WallInstant(secondsSinceEpoch: 1_795_000_000))
    return job
  }

  private static func elsewhere(_ node: String) -> JobMetrics {
    var job = JobMetrics(job: "a", isElsewhere: true, consecutiveFailures: 1)
    job.node = node
    return job
  }

  private static let member = ClusterMetrics(isMember: true, isStoreUp: true, clockOffset: .milliseconds(500))

  static let rows: [Row] = [
    Row(isWell: true, kinds: []),
    Row(metrics: metrics(JobMetrics(job: "a", isPaused: true)), isWell: true, kinds: []),
    Row(
      status: Replies.status(ledgerFault: "ledger.sqlite: no space left on device"), kinds: [.ledger],
      line:
        "problem: ledger: cannot be written: ledger.sqlite: no space left on device: jobs run, and what is not written is kept in memory"
    ),
    Row(
      status: {
        var status = Replies.status()
        status.leftToCron = "2 jobs, as cron.service is active"
        return status
      }(), isWell: true, kinds: [.cron],
      line: "notice: cron: left to it: 2 jobs, as cron.service is active"),
    Row(
      status: {
        var status = Replies.status()
        status.importConflicts = ["a.toml: systemd still runs a.timer, as well as this file: stop it"]
        return status
      }(), isWell: true, kinds: [.cron],
      line: "notice: cron: a.toml: systemd still runs a.timer, as well as this file: stop it"),
    Row(
      status: {
        var status = Replies.status()
        status.ledgerLoss = "was damaged and is now x"
        return status
      }(), kinds: [.ledger],
      line: "problem: ledger: was damaged and is now x: look after the jobs, then restart timelined"),
    Row(
      status: {
        var status = Replies.status()
        status.controlFault = "made by timelined itself"
        return status
      }(), kinds: [.control], line: "problem: control socket: made by timelined itself"),
    Row(
      metrics: metrics(overdue("a")), kinds: [.overdue],
      line:
        "problem: job a: the entry of noon has been due for 2h and has not begun: see `timelinectl why a 2026-11-18T11:06:40Z`"
    ),
    Row(
      metrics: metrics(JobMetrics(job: "a", consecutiveFailures: 1)), kinds: [.failing],
      line: "problem: job a: the last run failed: see `timelinectl logs a`"),
    Row(
      metrics: metrics(JobMetrics(job: "a", consecutiveFailures: 3)), kinds: [.failing],
      line: "problem: job a: the last 3 runs failed: see `timelinectl logs a`"),
    Row(
      status: Replies.status(faults: [
        FaultReport(job: "a", message: "zone file is gone", isSuspended: false),
        FaultReport(job: "b", message: "no plugin x", isSuspended: true),
      ]), kinds: [.suspended, .fault],
      line: "problem: job b: does not run: no plugin x: correct it, then `timelinectl reload`"),
    Row(
      status: Replies.status(faults: [
        FaultReport(job: "a", message: "zone file is gone", isSuspended: false)
      ]), isWell: true, kinds: [.fault],
      line: "notice: job a: will not run after a restart: zone file is gone"),
    Row(
      status: Replies.status(
        clockWaits: [NextEntry(job: "a", entry: Replies.start)], clockWaitCount: 3),
      kinds: [.clockWait, .clockWait],
      line:
        "problem: job a: waits until noon, because the clock was set back: `timelinectl release a` lets it go on"
    ),
    Row(
      isClockSynchronized: false, isWell: true, kinds: [.clock],
      line:
        "notice: clock: nothing keeps it right: install chrony or systemd-timesyncd, unless the machine has another way"
    ),
    Row(isClockSynchronized: nil, isWell: true, kinds: []),
    Row(status: Replies.status(clock: "scaled:60"), isClockSynchronized: false, isWell: true, kinds: []),
    Row(
      status: Replies.status(isDraining: true), isWell: true, kinds: [.stopping],
      line: "notice: timelined: stops, and waits for active runs"),
    Row(metrics: metrics(member, elsewhere("b")), isWell: true, kinds: []),
    Row(
      metrics: metrics(member, elsewhere("")), kinds: [.unowned],
      line: "problem: job a: no node of the cluster runs it: see `timelinectl cluster`"),
    Row(
      metrics: metrics(ClusterMetrics(isMember: true, isStoreUp: true, orphans: ["lost"])), kinds: [.unowned],
      line: "problem: job lost: no node of the cluster runs it: see `timelinectl cluster`"),
    Row(
      metrics: metrics(ClusterMetrics(isMember: false, isStoreUp: false), elsewhere("")),
      kinds: [.cluster, .cluster],
      line: "problem: cluster: the store cannot be used: see `timelinectl cluster`"),
    Row(
      metrics: metrics(
        ClusterMetrics(isMember: false, isStoreUp: true, joinFault: "another daemon has the node name a")),
      kinds: [.cluster],
      line: "problem: cluster: this node is not a member: another daemon has the node name a"),
    Row(
      metrics: metrics(ClusterMetrics(isMember: true, isStoreUp: true, clockOffset: .milliseconds(-700))),
      kinds: [.clock],
      line:
        "problem: clock: 700ms behind the store of the cluster: set it right, with chrony or systemd-timesyncd"
    ),
  ]

  @Test(arguments: rows)
  func `a finding names the fact and the remedy`(_ row: Row) {
    let health = Health(row.status, row.metrics, isClockSynchronized: row.isClockSynchronized) { _ in "noon" }
    #expect(health.isWell == row.isWell)
    #expect(health.findings.map(\.kind) == row.kinds)
    #expect(health.lines.count == row.kinds.count + 1)
    #expect(health.lines.dropFirst().first == row.line)
    let count = health.findings.count { $0.severity == .problem }
    #expect(health.lines.first == (row.isWell ? "well" : count == 1 ? "1 problem" : "\(count) problems"))
  }

  @Test func `the first of many jobs with one problem are named`() {
    let jobs = (1...1_000).map { JobMetrics(job: "job\($0)", consecutiveFailures: 1) }
    let metrics = MetricsReply(daemon: Replies.calm.daemon, jobs: jobs)
    let health = Health(Replies.status(), metrics, isClockSynchronized: true) { "\($0)" }
    #expect(health.findings.count == Health.namedMax + 1)
    #expect(health.lines.last == "problem: jobs: 980 more like the last one: `timelinectl list` shows all")
  }

  @Test func `each kind of finding has a row`() {
    #expect(Set(Self.rows.flatMap(\.kinds)) == Set(HealthFinding.Kind.allCases))
  }
}
