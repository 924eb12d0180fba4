import TimelineCluster
import TimelineConfiguration
import TimelineControl
import TimelineCore
import TimelineEngine
import TimelineLedger
import TimelineLoading

// A job's timeline at a moment: `why`.
extension Answers {
  /// Returns the state of a job's timeline at a moment, with the reasons for it.
  func why(job text: String, moment: String, shownIn zone: String?) throws(ControlError) -> WhyReply {
    let job = try row(named: text).job
    let now = now
    let status = engine.state.status(of: job.name, at: now)
    let question = WhyQuestion(
      job: job.name, schedule: job.schedule, policies: job.definition.policies,
      zone: try zone.map { name throws(ControlError) in try shownZone(named: name) } ?? job.zone, now: now,
      startedAt: startedAt, moment: try self.moment(moment, at: now, in: job.zone),
      runs: inFlight(of: job.name), waits: waits(of: job.name), next: status?.next,
      pausedSince: status?.pausedSince, pauseAction: pauses[job.name],
      fault: jobs.complaint(about: job.name), settledThrough: status?.settledThrough,
      movedAway: status?.movedAway ?? [],
      decidedAtStart: decidedAtStart[job.name], waiting: Set(engine.state.waitingEntries(of: job.name)),
      groupMates: groupMates(of: job), incidents: status?.incidents ?? [])
    var reply = question.answer(from: writer)
    if let clause = cronClause(of: job) {
      reply.details.insert(
        WhyReply.Detail("cron", "runs the job, and timelined records its entries: \(clause)"), at: 0)
    }
    if isOfCluster(job.name) { addOwner(of: job.name, to: &reply) }
    return reply
  }

  /// Adds the node of the cluster that runs a job. If this node has no record of the entry and does not run the job, the
  /// headline reports that another node may have decided the entry.
  private func addOwner(of job: JobName, to reply: inout WhyReply) {
    let node = cluster?.owner(of: job) ?? ""
    reply.node = node
    let isHere = cluster?.running.contains(job) ?? false
    let words =
      if cluster?.node.isDetached(job) ?? false {
        "this node runs the job without a lease or new tokens: the store does not answer"
      } else if isHere {
        "this node runs the job"
      } else {
        node.isEmpty ? "no node runs the job" : "node \(node) runs the job"
      }
    if !isHere, reply.verdict == WhyVerdict.unrecorded.rawValue {
      reply.headline =
        "\(job): this node has no record of that entry: it was another's to decide, or nobody's"
      reply.details.removeAll { $0.name == "reason" }
    }
    reply.details.insert(WhyReply.Detail("cluster", words), at: 0)
  }

  /// Returns the waits of a job's due entries, by nominal time.
  private func waits(of job: JobName) -> [WallInstant: WaitReport] {
    let own = engine.state.waits(of: job, at: now).map { wait in
      (wait.nominal, waits.report(of: wait, of: EntryKey(job: job, nominal: wait.nominal)))
    }
    return Dictionary(own, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the runs of a job with their present deadlines, which a reload may have changed.
  private func inFlight(of job: JobName) -> [RunID: ActiveRun] {
    var own = runs.runs(of: job)
    for id in own.keys { own[id]?.attempt.deadline = engine.state.timeoutInstant(of: id) }
    return own
  }

  /// Returns the jobs that share a group with a job, and their active runs.
  private func groupMates(of job: Job) -> [JobName: [ActiveRun]] {
    let groups = Set(job.policies.groups)
    guard !groups.isEmpty else { return [:] }
    var mates: [JobName: [ActiveRun]] = [:]
    for name in jobs.names(where: { !groups.isDisjoint(with: $0.groups) }) where name != job.name {
      mates[name] = []
    }
    for id in runs.numbers {
      guard let run = runs[id], !run.isWaiting else { continue }
      mates[run.attempt.entry.job]?.append(run)
    }
    return mates
  }
}
