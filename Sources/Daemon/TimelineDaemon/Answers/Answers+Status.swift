import TimelineConfiguration
import TimelineControl
import TimelineCore
import TimelineEngine
import TimelineLedger
import TimelineLoading
import TimelineSystem

// The daemon and its jobs: `status` and `list`.
extension Answers {
  /// The status of the daemon as a whole.
  var statusReply: StatusReply {
    let next = engine.state.nextEntry
    let statuses = engine.state.statuses(at: now)
    let clockWaits = engine.state.waitingForClock(at: now)
    var reply = StatusReply(
      version: DaemonOptions.version, pid: CurrentProcess.pid, startedAt: startedAt, now: now,
      uptime: now - startedAt - engine.clockSteps.sum,
      clock: parts.clock.description, isClockPaused: parts.clock.isPaused, clockOffset: parts.clock.offset,
      mode: engine.state.mode,
      configuration: parts.options.normalizedConfigurationPath,
      jobCount: jobs.count, pausedCount: statuses.count { $0.pausedSince != nil },
      runningCount: runs.count - statuses.reduce(0) { $0 + $1.idleRuns.count },
      waitingCount: statuses.reduce(0) { $0 + $1.idleRuns.count + $1.waitingEntries },
      groups: groupReports(statuses), isDraining: stopping.isDraining, ledgerFault: writer.fault,
      next: next.map(NextEntry.init),
      lastFailure: (jobs.lastFailure ?? formerFailure).map(EntryReport.init),
      zoneChange: zones.lastChange.map(ZoneChangeReport.init), faultCount: jobs.complaints.count,
      faults: faultReports, outcomes: jobs.tally.byOutcome,
      clockWaitCount: clockWaits.count,
      clockWaits: clockWaits.prefix(ClockWaits.shownMax).map(NextEntry.init)
    )
    reply.zone = jobs.settings.zone.name
    reply.modeReason = modes.current.reason
    reply.ledgerLoss = writer.loss
    reply.cluster = cluster?.summary
    let leftCount = jobs.all.count { $0.definition.isLeftToCron }
    if leftCount > 0, case .active(let clause) = cron.activity {
      reply.leftToCron = "\(leftCount == 1 ? "1 job" : "\(leftCount) jobs"), as \(clause)"
    }
    if !imports.warnings.isEmpty { reply.importConflicts = imports.warnings }
    let named =
      [reply.next?.job, reply.lastFailure?.job] + (reply.zoneChange?.moves.map(\.job) ?? [])
      + reply.clockWaits.map(\.job)
    reply.zones = zoneNames(of: named.compactMap { $0 })
    return reply
  }

  /// Number of runs whose plugin was called.
  var runningCount: Int { runs.count - engine.state.idleRunCount }

  /// Returns a report of each group: its limit, and its numbers of active runs and waiting entries.
  private func groupReports(_ statuses: [JobStatus]) -> [GroupReport] {
    let groups = jobs.loaded.configuration.groups
    guard !groups.isEmpty else { return [] }
    var running: [GroupName: Int] = [:]
    var waiting: [GroupName: Int] = [:]
    for status in statuses {
      for group in jobs[status.name]?.job.definition.policies.groups ?? [] {
        running[group, default: 0] += status.runs.count
        waiting[group, default: 0] += status.waitingEntries
      }
    }
    return groups.keys.sorted().map { name in
      GroupReport(
        name: name.text, limit: groups[name] ?? 1, runningCount: running[name] ?? 0,
        waitingCount: waiting[name] ?? 0)
    }
  }

  /// Returns the reports of the given jobs that are still configured, in the given order.
  func reports(of jobs: ArraySlice<Job>) -> [JobReport] {
    let known = Dictionary(
      engine.state.statuses(of: jobs.map(\.name), at: now).map { ($0.name, $0) }, uniquingKeysWith: { $1 })
    return jobs.compactMap { job in
      self.jobs[job.name].flatMap { row in
        known[job.name].map { report(of: $0, row) } ?? (cluster == nil ? nil : reportElsewhere(row))
      }
    }
  }

  private func report(of status: JobStatus, _ row: LoadedJobs.Row) -> JobReport {
    let pause = status.pausedSince == nil ? nil : pauses[status.name]
    var result = JobReport(
      name: row.job.name.text, plugin: row.job.plugin.text, schedule: row.job.schedule.description,
      zone: row.job.zone.name, next: status.next, pausedSince: status.pausedSince,
      pausedBy: pause?.by.report, pauseReason: pause?.words,
      fault: jobs.complaint(about: status.name),
      running: status.runs.compactMap { run in
        status.idleRuns.contains(run) ? nil : runs[run].map { RunReport(run, $0) }
      },
      waiting: status.waits.map { waits.report(of: $0, of: EntryKey(job: status.name, nominal: $0.nominal)) },
      waitingCount: status.waitingEntries + status.idleRuns.count,
      last: (row.last ?? formerEnd(of: status.name)).map(EntryReport.init),
      outcomes: row.tally.byOutcome, waitsForClock: status.settledThrough != nil,
      node: isOfCluster(status.name) ? cluster?.nodeName : nil)
    result.leftToCron = cronClause(of: row.job)
    return result
  }

  /// Jobs with a missing requirement, at most ``ControlLimits/faultsMax``: jobs that cannot run, and jobs that cannot run after a
  /// restart.
  private var faultReports: [FaultReport] {
    jobs.complaints.prefix(ControlLimits.faultsMax).map { name in
      FaultReport(
        job: name.text, message: jobs.complaint(about: name) ?? "", isSuspended: jobs.isSuspended(name))
    }
  }

  /// Returns the clause with the reason why cron runs a job; `nil` if cron does not run the job.
  func cronClause(of job: Job) -> String? {
    guard job.definition.isLeftToCron, case .active(let clause) = cron.activity else { return nil }
    return clause
  }

  /// Returns the report of a job that this node does not own. Runs of the job that this node started before may still be active.
  private func reportElsewhere(_ row: LoadedJobs.Row) -> JobReport {
    JobReport(
      name: row.job.name.text, plugin: row.job.plugin.text, schedule: row.job.schedule.description,
      zone: row.job.zone.name, next: row.job.schedule.next(after: now),
      fault: jobs.complaint(about: row.job.name),
      running: runs.runs(of: row.job.name).sorted { $0.key < $1.key }.map(RunReport.init),
      last: (row.last ?? formerEnd(of: row.job.name)).map(EntryReport.init), outcomes: row.tally.byOutcome,
      node: cluster?.owner(of: row.job.name) ?? "", isElsewhere: true)
  }

  /// Returns the record of a job's last entry that ended under an earlier daemon.
  private func formerEnd(of job: JobName) -> EntryRecord? {
    // Newer entries may have only a claim.
    writer.history(HistoryQuery(job: job, limit: 10, hasDetails: false)).first { !$0.isOpen }?.record
  }

  /// The last entry that failed under an earlier daemon.
  private var formerFailure: EntryRecord? {
    writer.history(HistoryQuery(onlyFailures: true, limit: 10, hasDetails: false)).first { !$0.isOpen }?
      .record
  }
}

extension ZoneChangeReport {
  init(_ change: ZoneChange) {
    self.init(
      at: change.at, zones: change.zones,
      moves: change.moves.map { Move(job: $0.job.text, before: $0.before, after: $0.after) })
  }
}

extension RunReport {
  init(_ id: RunID, _ run: ActiveRun) {
    self.init(
      run: id.number, entry: run.attempt.entry.nominal, startedAt: run.attempt.startedAt,
      attempt: run.attempt.number, progressMillionths: run.progressMillionths,
      progressText: run.progressText.isEmpty ? nil : run.progressText)
    cause = run.attempt.cause.rawValue
    of = run.attempt.rerun.map { Timestamp($0.of) }
  }
}

extension OutcomeCounts {
  /// The counts by outcome.
  var byOutcome: [Outcome: Int] {
    Dictionary(sorted.map { ($0.outcome, $0.count) }, uniquingKeysWith: +)
  }
}
