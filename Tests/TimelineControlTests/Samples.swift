import TimelineControl
import TimelineCore

/// Replies with everything in them, and with as little as there can be.
enum Samples {
  static let start = WallInstant(nanosecondsSinceEpoch: 1_795_000_000_123_456_789)

  static let table = ConfigurationTable(
    path: ["job", "report"], isElement: true, origin: "a.toml:1",
    values: [.init(key: "priority", text: "0", origin: "default")])

  static let configuration = ConfigurationReply(path: "a", tables: [table])

  static let end = entry
  static let bareEnd = EntryReport(job: "report", entry: start, outcome: .overlapped, endedAt: start)

  static let run = {
    var run = runWithoutOrigin
    (run.cause, run.of) = ("rerun", Timestamp(start))
    return run
  }()
  private static let runWithoutOrigin = RunReport(
    run: 9, entry: start, startedAt: start, attempt: 1, progressMillionths: 250_000, progressText: "a quarter"
  )
  static let bareRun = RunReport(run: 9, entry: start, startedAt: start)

  static let operatorOfAll = OperatorReport(uid: 1_000, user: "alice", pid: 4_711, program: "timelinectl")
  static let bareOperator = OperatorReport(uid: 1_000)

  static let wait = WaitReport(
    entry: start, run: 9, since: start, until: start + .seconds(1), reason: .backOff,
    text: "back-off until 12:00:00")
  static let bareWait = WaitReport(entry: start, reason: .ledger, text: "for the ledger")

  static let job = {
    var report = ownJob
    report.leftToCron = "cron.service is active"
    report.backfill = "12 of 40 entries"
    return report
  }()
  private static let ownJob = JobReport(
    name: "report", plugin: "exec", schedule: "every 30s", zone: "Europe/Berlin", next: start,
    pausedSince: start, pausedBy: operatorOfAll, pauseReason: "disk swap", fault: "no zone", running: [run],
    waiting: [wait], waitingCount: 2, last: end,
    outcomes: [.succeeded: 4, .daylightSavingGap: 1, .failed: 0], node: "a")
  static let bareJob = JobReport(name: "x", plugin: "log", schedule: "never", next: nil)

  static let group = GroupReport(name: "disk", limit: 2, runningCount: 2, waitingCount: 3)

  static let fault = FaultReport(job: "report", message: "no zone", isSuspended: true)

  static let move = ZoneChangeReport.Move(job: "report", before: start, after: start + .hours(1))
  static let bareMove = ZoneChangeReport.Move(job: "report", before: nil, after: nil)
  static let zoneChange = ZoneChangeReport(at: start, zones: ["Europe/Berlin"], moves: [move])
  static let bareZoneChange = ZoneChangeReport(at: start, zones: [], moves: [])

  static let status = {
    var reply = bareZonesStatus
    (reply.zone, reply.zones) = ("UTC", ["report": "Europe/Berlin"])
    reply.modeReason = "on battery (BAT0)"
    reply.cluster = "prod: node a"
    reply.controlFault = "made by timelined itself"
    reply.ledgerLoss = "was damaged"
    reply.leftToCron = "2 jobs, as cron.service is active"
    reply.importConflicts = ["a.toml: systemd still runs a.timer, as well as this file: stop it"]
    return reply
  }()
  private static let bareZonesStatus = StatusReply(
    version: "0.1.0", pid: 4711, startedAt: start, now: start + .hours(1), uptime: .minutes(59),
    clock: "scaled:60", isClockPaused: true, clockOffset: .hours(1),
    mode: .lowFrequency,
    configuration: "/etc/timelined/timelined.toml", jobCount: 2, runningCount: 1, waitingCount: 2,
    groups: [group],
    ledgerFault: "no room to write",
    next: NextEntry(job: "report", entry: start), lastFailure: end, zoneChange: zoneChange, faultCount: 1,
    faults: [fault], outcomes: [.succeeded: 4], clockWaitCount: 1,
    clockWaits: [NextEntry(job: "report", entry: start)])
  static let bareStatus = StatusReply(
    version: "", pid: 1, startedAt: start, now: start, uptime: .zero, clock: "system", mode: .normal,
    configuration: "",
    jobCount: 0,
    runningCount: 0, next: nil, lastFailure: nil, outcomes: [:])

  static let histogram = {
    var histogram = DurationHistogram()
    histogram.add(.seconds(1))
    return histogram
  }()
  static let clusterMetrics = ClusterMetrics(
    isMember: true, isStoreUp: true, trust: .seconds(3), clockOffset: .milliseconds(2),
    counters: ["takeovers": 1], orphans: ["lost"], joinFault: "another daemon has the node name")
  static let bareClusterMetrics = ClusterMetrics(isMember: false, isStoreUp: false)
  static let daemonMetrics = {
    var metrics = metricsWithoutBackfills
    metrics.openBackfillCount = 1
    return metrics
  }()
  private static let metricsWithoutBackfills = DaemonMetrics(
    version: "0.1.0", startedAt: start, mode: .normal, jobCount: 1, clockStepCount: 1,
    reloads: ["failed": 1], pluginHosts: ["idle": 1], unwrittenEntryCount: 2, commits: histogram,
    cluster: clusterMetrics)
  static let bareDaemonMetrics = DaemonMetrics(
    version: "", startedAt: start, mode: .normal, jobCount: 0)
  static let jobMetrics = {
    var metrics = bareJobMetrics
    (metrics.node, metrics.backfillOutcomes) = ("a", ["failed": 1])
    metrics.overdueEntry = Timestamp(start)
    metrics.next = Timestamp(start + .hours(1))
    metrics.lastEntry = Timestamp(start)
    metrics.lastSuccess = Timestamp(start)
    (metrics.lateness, metrics.duration) = (histogram, histogram)
    return metrics
  }()
  static let bareJobMetrics = JobMetrics(job: "report", outcomes: [.failed: 2], attempts: ["failed": 4])
  static let metrics = MetricsReply(daemon: daemonMetrics, jobs: [jobMetrics])
  static let bareMetrics = MetricsReply(daemon: bareDaemonMetrics, bucketBounds: [], jobs: [])

  static let trigger = TriggerReply(run: 9, progressMillionths: 1, progressText: "x", end: end)
  static let bareTrigger = TriggerReply(run: 9)
  static let rerun = {
    var reply = trigger
    reply.of = Timestamp(start)
    return reply
  }()
  static let gaps = GapsReply(
    entries: [end], unknownCount: 2, from: start, until: start, isCut: true, zone: "UTC")
  static let bareGaps = GapsReply(
    entries: [], unknownCount: 0, from: start, until: start, isCut: false, zone: "UTC")

  static let backfill = BackfillReport(
    job: "report", from: start, until: start + .hours(1), outcomes: ["failed"], isNewestFirst: true,
    parallel: 2,
    paceNanoseconds: 1, includesUnrecorded: true, state: .suspended, reason: "the schedule has changed",
    totalCount: 40, doneCount: 12, succeededCount: 11, failedCount: 1, unrecordedCount: 3, activeRuns: [9],
    position: start, requestedAt: start, endedAt: start, by: operatorOfAll, estimateNanoseconds: 1,
    firstEntries: [start], zone: "Europe/Berlin")
  static let bareBackfill = BackfillReport(
    job: "report", from: start, until: start, outcomes: [], state: .planned, totalCount: 0, zone: "UTC")

  static let entry = {
    var entry = entryWithPeak
    entry.memoryPeakBoundBytes = 5 << 20
    entry.of = Timestamp(start)
    return entry
  }()
  private static let entryWithPeak = EntryReport(
    job: "report", entry: start, firstEntry: start - .seconds(60), entryCount: 3, cause: "missed",
    outcome: .timedOut, reason: "took longer than 10s", run: 7, node: "a", token: 7,
    claimedAt: start - .seconds(2), leaseUntil: start, startedAt: start + .nanoseconds(42),
    endedAt: start + .seconds(10),
    usage: RunUsage(processorTime: .milliseconds(40), memoryPeak: MemoryPeak(bytes: 4 << 20)),
    attempts: 2, by: operatorOfAll,
    cancelledBy: operatorOfAll)
  static let bareEntry = EntryReport(job: "report", entry: start, outcome: nil)

  static let attempt = WhyReply.AttemptReport(
    number: 1, startedAt: start, endedAt: start + .seconds(3), outcome: "failed", message: "exit status 1")
  static let bareAttempt = WhyReply.AttemptReport(number: 2, startedAt: start)
  static let neighbor = WhyReply.Neighbor(entry: start, verdict: .settled, outcome: "succeeded")
  static let incident = {
    var state = WhyReply.IncidentState(kind: "missed", failures: 5, after: 3, since: start)
    state.withinNanoseconds = 7
    state.toldAt = Timestamp(start + .seconds(1))
    state.nextReminder = Timestamp(start + .hours(1))
    return state
  }()
  static let bareIncident = WhyReply.IncidentState(kind: "failure", failures: 1, after: 3, since: start)
  static let bareNeighbor = WhyReply.Neighbor(entry: start, verdict: .planned)

  static let why = {
    var reply = WhyReply(
      job: "report", zone: "Europe/Berlin", now: start + .hours(1), verdict: .settled,
      headline: "report failed")
    reply.details = [WhyReply.Detail("cause", "it fell due")]
    reply.entry = Timestamp(start)
    reply.record = entry
    reply.attempts = [attempt]
    reply.running = run
    reply.waiting = wait
    reply.omission = "dst-gap"
    reply.counts = ["succeeded": 4]
    reply.pausedSince = Timestamp(start)
    reply.pausedBy = operatorOfAll
    reply.pauseReason = "disk swap"
    reply.node = "a"
    reply.fault = "no zone"
    reply.underWay = [entry]
    reply.reactions = [entry]
    reply.reruns = [entry]
    reply.incident = incident
    reply.before = neighbor
    reply.after = neighbor
    reply.alsoCount = 3
    reply.output = "line\n"
    return reply
  }()
  static let bareWhy = WhyReply(job: "x", zone: "UTC", now: start, verdict: .none, headline: "")

  static let history = {
    var reply = HistoryReply(entries: [entry], isCut: true, isCounted: true, zone: "Europe/Berlin")
    reply.zones = ["report": "Europe/Berlin"]
    return reply
  }()
  static let bareHistory = HistoryReply(entries: [], isCut: false, zone: "UTC")

  static let watch = {
    var reply = WatchReply(.ended, at: start, job: "report", text: "x")
    reply.run = 7
    reply.entry = Timestamp(start)
    reply.attempt = 1
    reply.cause = "schedule"
    reply.of = Timestamp(start)
    reply.progressMillionths = 1
    reply.end = end
    reply.count = 2
    reply.by = operatorOfAll
    reply.zone = "Europe/Berlin"
    return reply
  }()
  static let bareWatch = WatchReply(.watching, at: start)

  static let next = NextReply(
    job: "report", zone: "UTC", schedule: "every 1h", now: start, entries: [start + .hours(1)],
    withoutNext: "at the next start of the machine")
  static let bareNext = NextReply(job: "report", zone: "UTC", schedule: "never", now: start, entries: [])
  static let explained = ExplainReply(
    job: "report", zone: "Europe/Berlin", words: "at 02:30", canonicalForm: "30 2 * * *",
    daylightSaving: "once", next: start,
    withoutNext: "never again",
    changes: [ExplainReply.Change(instant: start, kind: "gap", times: 1, entries: [start], words: "later")])
  static let bareExplained = ExplainReply(job: "report", zone: "UTC", words: "every 1h")
  static let clockChange = explained.changes[0]
  static let bareClockChange = ExplainReply.Change(
    instant: start, kind: "gap", times: 1, entries: [], words: "not at all")

  static let output = RunOutput(entry: entry, output: "one\ntwo")
  static let bareOutput = RunOutput(entry: bareEntry, output: "")
  static let logs = LogsReply(runs: [output], line: "three", run: 7, isCounted: true, zone: "UTC")
  static let bareLogs = LogsReply(zone: "UTC")

  static let paused = PausedJob(
    job: "report", pausedSince: start, wasPaused: true, runningCount: 1, by: operatorOfAll,
    reason: "disk swap")
  static let barePaused = PausedJob(job: "report", pausedSince: start, wasPaused: false, runningCount: 0)
  static let resume = ResumeReply(
    job: "report", pausedSince: start, catchUp: .all, heldCount: 3, takenCount: 2)
  static let bareResume = ResumeReply(
    job: "report", pausedSince: nil, catchUp: .latest, heldCount: 0, takenCount: 0)
  static let release = ReleaseReply(job: "report", waitedUntil: start, next: start, forgottenCount: 2)
  static let bareRelease = ReleaseReply(job: "report", waitedUntil: nil, next: nil)
  static let clock = {
    var state = ClockState(
      clock: "scaled:60", now: start, isPaused: true, offset: .hours(1), zone: "UTC",
      next: NextEntry(job: "report", entry: start), reached: NextEntry(job: "report", entry: start))
    state.zones = ["report": "Europe/Berlin"]
    return state
  }()
  static let bareClock = ClockState(clock: "system", now: start, zone: "UTC")
  static let mode = ModeState(
    mode: .lowFrequency, cadence: .minutes, choice: .lowFrequency, cause: .operatorChoice,
    reason: "chosen by an operator", since: start, by: operatorOfAll, zone: "UTC")
  static let bareMode = ModeState(
    mode: .normal, cadence: .live, choice: .auto, cause: .none, reason: "the default", since: start,
    zone: "UTC")
  static let store = ClusterStoreReport(
    server: "PostgreSQL 15.18", identity: "1/1", standbys: ["b, asynchronous"], warning: "b may lack claims")
  static let bareStore = ClusterStoreReport(server: "", identity: "", standbys: [], warning: nil)
  static let node = ClusterNodeReport(
    node: "a", epoch: "e", state: "member", lease: .seconds(7), clockOffset: .milliseconds(3),
    labels: ["role": "db"], jobCount: 1, version: "0.1.0")
  static let bareNode = ClusterNodeReport(
    node: "b", epoch: "f", state: "dead", lease: .zero, clockOffset: nil, labels: [:], jobCount: 0,
    version: "")
  static let clusterJob = {
    var job = ClusterJobReport(
      job: "report", node: "a", isHere: true, divergentNodes: ["b"], isActiveHere: true)
    job.formerNode = "c"
    return job
  }()
  static let bareClusterJob = ClusterJobReport(
    job: "report", node: nil, isHere: false, divergentNodes: [], isActiveHere: true)
  static let cluster = ClusterState(
    cluster: "prod", node: "a", epoch: "e", isMember: true, trust: .seconds(7), clockOffset: .milliseconds(3),
    storeFault: "it does not answer", joinFault: "another daemon has the node name", store: store,
    nodes: [node], jobs: [clusterJob],
    counters: ["takeovers": 1])
  static let bareCluster = ClusterState(
    cluster: "prod", node: "a", epoch: "e", isMember: false, trust: nil, clockOffset: nil, storeFault: nil,
    nodes: [], jobs: [], counters: [:])
  static let clusterHistory = {
    var reply = ClusterHistoryReply(entries: [entry], isCut: true, zone: "UTC")
    reply.zones = ["report": "Europe/Berlin"]
    return reply
  }()
  static let bareClusterHistory = ClusterHistoryReply(entries: [], isCut: false, zone: "UTC")
  static let cancel = CancelReply(run: 7, job: "report", end: end)
  static let bareCancel = CancelReply(run: 7, job: "report")
}
