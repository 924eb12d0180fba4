import TimelineConfiguration
import TimelineControl
import TimelineCore
import TimelineEngine
import TimelineLedger

// Answers to clients.
extension Backfills {
  /// Returns the open backfills and the last one of each job that has ended, newest first, of all jobs or of one.
  func reports(of text: String?) throws(ControlError) -> [BackfillReport] {
    if let text, !all.contains(where: { $0.job.text == text }) { _ = try answers.row(named: text) }
    var known: Set<JobName> = []
    let shown = all.reversed().filter { backfill in
      let isLast = known.insert(backfill.job).inserted
      return (isLast || backfill.state.isOpen) && text.map { backfill.job.text == $0 } ?? true
    }
    return shown.prefix(ControlLimits.backfillsMax).map(report(of:))
  }

  /// Adds the progress of open backfills to the reports of their jobs.
  func addProgress(to reports: inout [JobReport]) {
    guard openCount > 0 else { return }
    for place in reports.indices {
      guard let name = JobName(reports[place].name), let backfill = open(of: name) else { continue }
      let failed = backfill.failedCount > 0 ? ", \(backfill.failedCount) failed" : ""
      let state = report(of: backfill).state
      reports[place].backfill =
        (state == BackfillReport.State.running.rawValue ? "" : "\(state), ")
        + "\(backfill.doneCount) of \(backfill.totalCount) entries\(failed)"
    }
  }

  /// Returns the report on a backfill.
  func report(of backfill: Backfill) -> BackfillReport {
    let request = backfill.request
    let job = jobs[backfill.job]?.job
    let active = active(in: backfill)
    let attempts = runs.attempts(of: backfill.job).filter { active.contains($0.entry.nominal) }
    var (state, reason) = (backfill.state.reported, String?.none)
    if backfill.state.isOpen, case .suspend(let cause) = BackfillStep(facts(of: backfill)),
      let text = cause.text
    {
      (state, reason) = (.suspended, text)
    }
    let left = max(0, backfill.totalCount - backfill.doneCount)
    let rest = backfill.state.isOpen ? job.flatMap { length(of: left, request, $0) } : nil
    var report = Self.report(
      on: request, of: backfill.job, state, totalCount: backfill.totalCount,
      unrecordedCount: backfill.unrecordedCount, rest, zone: answers.zoneName(of: backfill.job.text))
    report.reason = reason
    (report.doneCount, report.succeededCount) = (backfill.doneCount, backfill.succeededCount)
    report.failedCount = backfill.failedCount
    report.activeRuns = attempts.map { Int($0.run.number) }.sorted()
    report.position = backfill.position.map(Timestamp.init)
    report.requestedAt = Timestamp(backfill.requestedAt)
    report.endedAt = backfill.endedAt.map(Timestamp.init)
    report.by = backfill.by.report
    return report
  }

  /// Returns the report on a dry run, or on a request without an entry to run.
  func report(
    of plan: BackfillPlan, _ count: BackfillCount.Result, _ state: BackfillReport.State = .planned
  ) -> BackfillReport {
    var report = Self.report(
      on: plan.request, of: plan.job.name, state, totalCount: count.total, unrecordedCount: count.unrecorded,
      length(of: count.total, plan.request, plan.job), zone: plan.job.zone.name)
    report.firstEntries = count.first.map(Timestamp.init)
    return report
  }

  private static func report(
    on request: Backfill.Request, of job: JobName, _ state: BackfillReport.State, totalCount: Int,
    unrecordedCount: Int, _ estimate: ElapsedTime?, zone: String
  ) -> BackfillReport {
    BackfillReport(
      job: job.text, from: request.from, until: request.until, outcomes: request.outcomeTexts,
      isNewestFirst: request.isNewestFirst, parallel: request.parallel,
      paceNanoseconds: Int(request.pace.nanoseconds), includesUnrecorded: request.includesUnrecorded,
      state: state, totalCount: totalCount, unrecordedCount: unrecordedCount,
      estimateNanoseconds: estimate.map { Int($0.nanoseconds) }, zone: zone)
  }

  /// Number of a job's last runs by whose durations lengths are estimated.
  private static let sampleMax = 20

  /// Returns about how long `count` entries take, by the median of the job's last runs; `nil` if it has none.
  func length(of count: Int, _ request: Backfill.Request, _ job: Job) -> ElapsedTime? {
    let sorted = writer.durations(of: job.name, limit: Self.sampleMax).sorted()
    guard !sorted.isEmpty else { return nil }
    let each = max(request.pace.nanoseconds, sorted[sorted.count / 2].nanoseconds / Int64(request.parallel))
    return .nanoseconds(each.multipliedReportingOverflow(by: Int64(count)).partialValue)
  }
}

extension Backfill.State {
  fileprivate var reported: BackfillReport.State {
    switch self {
    case .running: .running
    case .paused: .paused
    case .cancelled: .cancelled
    case .ended: .ended
    }
  }
}

extension Backfill.Request {
  fileprivate var outcomeTexts: [String] { Outcome.allCases.filter(outcomes.contains).map(\.rawValue) }
}
