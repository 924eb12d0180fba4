import TimelineConfiguration
import TimelineControl
import TimelineCore
import TimelineEngine
import TimelineLedger

/// A backfill that a client requests, after its parameters were examined.
struct BackfillPlan {
  let job: Job
  let request: Backfill.Request
}

// Requests of operators.
extension Backfills {
  /// Open backfills of the daemon: each is asked at the end of each run.
  private static let openMax = 100

  /// Examines a request. Throws an error if the job cannot have the backfill.
  func plan(_ call: Control.Backfill) throws(ControlError) -> BackfillPlan {
    let job = try answers.row(named: call.job).job
    try answers.refuseUnrecorded(job)
    let refuse = { (reason: String) in ControlError.backfillRefused(job: call.job, reason: reason) }
    if answers.isOfCluster(job.name) {
      throw refuse("one node of the cluster runs it for all: rerun its entries one by one, on its owner")
    }
    let (from, until) = try answers.stretch(from: call.from, until: call.until, in: job.zone)
    let outcomes = call.outcomes?.compactMap(Outcome.init(rawValue:)) ?? Control.Backfill.defaultOutcomes
    var request = Backfill.Request(
      from: from, until: min(until, answers.now + .nanoseconds(1)), outcomes: Set(outcomes))
    request.isNewestFirst = call.isNewestFirst ?? false
    request.includesUnrecorded = call.includesUnrecorded ?? false
    request.parallel = call.parallel ?? 1
    request.pace = .nanoseconds(Int64(call.paceNanoseconds ?? 0))
    guard from < request.until else {
      throw refuse("the stretch lies ahead: a backfill runs past entries again")
    }
    guard request.parallel <= job.policies.capacity else {
      throw refuse(
        "its `concurrency` allows \(job.policies.capacity) at a time, fewer than \(request.parallel) in parallel"
      )
    }
    return BackfillPlan(job: job, request: request)
  }

  /// Begins a backfill whose entries have been counted. Throws an error if the job has an open one, or if the operator is to confirm.
  func request(
    _ plan: BackfillPlan, _ count: BackfillCount.Result, isConfirmed: Bool, by: Operator
  ) throws(ControlError) -> BackfillReport {
    let job = plan.job.name
    let refuse = { (reason: String) in ControlError.backfillRefused(job: job.text, reason: reason) }
    if let open = open(of: job) {
      throw refuse(
        "a backfill is open, \(open.doneCount) of \(open.totalCount) entries done: `timelinectl backfills \(job)` shows it, `timelinectl backfill \(job) --cancel` ends it"
      )
    }
    guard openCount < Self.openMax else {
      throw refuse("\(openCount) backfills are open, as many as can be: `timelinectl backfills` shows them")
    }
    // Nothing is recorded of a backfill that has nothing to run.
    if count.total == 0 { return report(of: plan, count, .ended) }
    if !isConfirmed, let question = question(about: plan, count) {
      throw .backfillQuestion(job: job.text, reason: question)
    }
    let backfill = Backfill(
      number: nextNumber, job: job, schedule: plan.job.schedule.identity, plan.request,
      totalCount: count.total, unrecordedCount: count.unrecorded, by: by, at: answers.now)
    note("from \(plan.request.from) to \(plan.request.until), \(count.total) entries", on: job, by: by)
    add(backfill)
    return report(of: backfill)
  }

  /// The reason for a question to the operator; `nil` for none.
  private func question(about plan: BackfillPlan, _ count: BackfillCount.Result) -> String? {
    if count.total > ControlLimits.backfillEntriesAskMax {
      let length = length(of: count.total, plan.request, plan.job).map { ", for about \($0.approximateText)" }
      return "it would run \(count.total) entries\(length ?? "")"
    }
    let mayHaveRun = plan.request.outcomes.intersection([.unknown, .lost])
    if plan.job.policies.delivery == .atMostOnce, !mayHaveRun.isEmpty {
      let words = mayHaveRun.map(\.rawValue).sorted().joined(separator: " and ")
      return "entries that are \(words) may have run, and its delivery is at most once"
    }
    return nil
  }

  /// Pauses, resumes or cancels the open backfill of a job. Throws an error if there is none.
  func change(
    _ text: String, _ change: BackfillChange, by: Operator
  ) throws(ControlError) -> BackfillReport {
    // The job may be removed: its backfill can still be cancelled.
    guard let name = JobName(text), let backfill = open(of: name) else {
      if JobName(text).map({ name in !all.contains { $0.job == name } }) ?? true {
        _ = try answers.row(named: text)
      }
      throw .backfillRefused(job: text, reason: "it has no open backfill: `timelinectl backfills` shows all")
    }
    note(change.rawValue, on: name, by: by)
    switch change {
    case .pause: set(.paused, of: backfill.number)
    case .resume: set(.running, of: backfill.number)
    case .cancel: set(.cancelled, of: backfill.number)
    }
    return report(of: all.last { $0.number == backfill.number } ?? backfill)
  }

  private func note(_ words: String, on job: JobName, by: Operator) {
    audit.announce(.backfill, on: job, by: by, details: "; \(words)")
    audit.file(.backfill, on: job, by: by, reason: words)
  }
}
