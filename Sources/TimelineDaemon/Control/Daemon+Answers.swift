import TimelineCluster
import TimelineConfiguration
import TimelineControl
import TimelineCore
import TimelineEngine
import TimelineLedger
import TimelineLoading

// Answers about a job, and changes to it.
extension Daemon {
  /// Returns the row of the job with the name `text`.
  func row(named text: String) throws(ControlError) -> LoadedJobs.Row {
    guard let name = JobName(text), let row = jobs[name] else {
      if loaded.configuration.jobs.contains(where: { $0.name.text == text }) { throw .jobDisabled(job: text) }
      throw .noSuchJob(job: text, nearest: Spelling.nearest(to: text, among: jobs.order.map(\.text)))
    }
    return row
  }

  /// Whether a job belongs to the cluster, so that this node runs the job only while the node owns it.
  func isOfCluster(_ job: JobName) -> Bool { cluster?.includes(job) ?? false }

  /// Returns the row of the job with the name `text`. Throws an error if the job belongs to the cluster and this node does not
  /// run it.
  func ownRow(named text: String) throws(ControlError) -> LoadedJobs.Row {
    let row = try row(named: text)
    if let cluster, isOfCluster(row.job.name), !cluster.running.contains(row.job.name) {
      throw .jobElsewhere(job: text, node: cluster.owner(of: row.job.name) ?? "")
    }
    return row
  }

  /// Returns the state of a job's timeline at a moment, with the reasons for it.
  func why(job text: String, moment: String, shownIn zone: String?) throws(ControlError) -> WhyReply {
    let job = try row(named: text).job
    let now = now
    let status = engine.status(of: job.name, at: now)
    let question = WhyQuestion(
      job: job.name, schedule: job.schedule, policies: job.definition.policies,
      zone: try zone.map { name throws(ControlError) in try shownZone(named: name) } ?? job.zone, now: now,
      startedAt: startedAt, moment: try self.moment(moment, at: now, in: job.zone),
      runs: inFlight(of: job.name), waits: waits(of: job.name), next: status?.next,
      pausedSince: status?.pausedSince, pauseAction: pauses[job.name],
      fault: jobs.complaint(about: job.name), settledThrough: status?.settledThrough,
      decidedAtStart: decidedAtStart[job.name], waiting: Set(engine.waitingEntries(of: job.name)),
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
    let waits = engine.waits(of: job, at: now).map { wait in
      (wait.nominal, events.waits.report(of: wait, of: EntryKey(job: job, nominal: wait.nominal)))
    }
    return Dictionary(waits, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the runs of a job with their present deadlines, which a reload may have changed.
  private func inFlight(of job: JobName) -> [RunID: ActiveRun] {
    var own = runs.runs(of: job)
    for id in own.keys { own[id]?.attempt.deadline = engine.timeoutInstant(of: id) }
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

  /// Entries of the ledger that match a query.
  struct History {
    /// The entries, oldest first.
    var entries: [LedgerEntry]
    /// Whether the ledger has earlier entries that match.
    var isCut: Bool
    /// Whether the query is for a job that has counters and no records; `nil` for no.
    var isCounted: Bool?
    /// The zone of moments without an offset.
    var zone: String
  }

  /// Returns the outcomes of entries. A removed job is found as long as the ledger has entries of that job.
  func history(_ parameters: HistoryParameters) throws(ControlError) -> History {
    let name = parameters.job.flatMap(JobName.init)
    let zone = name.flatMap { jobs[$0]?.job.zone } ?? settings.zone
    let limit = parameters.limit ?? ControlLimits.historyDefault
    // One entry more than the reply may have shows whether there are more.
    var query = HistoryQuery(
      job: name, onlyFailures: parameters.onlyFailures ?? false, limit: limit + 1, hasDetails: false)
    if let text = parameters.job {
      let isKnown = name.map { jobs[$0] != nil || !writer.history(HistoryQuery(job: $0, limit: 1)).isEmpty }
      if isKnown != true { _ = try row(named: text) }
    }
    let now = now
    query.since = try parameters.since.map { text throws(ControlError) in
      try moment(text, at: now, in: zone).start
    }
    query.until = try parameters.until.map { text throws(ControlError) in
      try moment(text, at: now, in: zone).start
    }
    if let since = query.since, let until = query.until, until < since {
      let text = parameters.until ?? ""
      throw .badMoment(
        text: text,
        reason: "\"\(text)\" is before \"\(parameters.since ?? "")\": let the period end after it begins")
    }
    let entries = writer.history(query)
    return History(
      entries: entries.prefix(limit).reversed(), isCut: entries.count > limit,
      isCounted: name.flatMap(jobs.isCounted), zone: zone.name)
  }

  /// Returns the output of a job's last runs, oldest first, including active runs.
  func outputs(of job: JobName, limit: Int) -> [RunOutput] {
    let inFlight = runs.runs(of: job).values.filter { !$0.isWaiting }.sorted {
      $0.attempt.run < $1.attempt.run
    }
    // The ledger may have active runs, too.
    let query = HistoryQuery(job: job, onlyRuns: true, limit: limit + inFlight.count)
    let past = writer.history(query).filter { !$0.isOpen }.prefix(limit)
    let outputs =
      past.reversed().map { RunOutput(entry: HistoryEntry($0), output: $0.outputTail) }
      + inFlight.map { RunOutput(entry: HistoryEntry($0), output: $0.output.text) }
    return outputs.suffix(limit)
  }

  /// Pauses jobs, or none if one of the names is unknown. A job that is paused already keeps its reason.
  func pause(_ texts: [String], by: Operator, reason: String) throws(ControlError) -> PauseReply {
    var names: [JobName] = []
    for text in texts { names.append(try ownRow(named: text).job.name) }
    return PauseReply(
      jobs: names.map { name in
        let former = engine.status(of: name, at: now)?.pausedSince
        if former == nil { events.post(.pause(name)) }
        let status = engine.status(of: name, at: now)
        if former == nil {
          let action = file(.pause, on: name, by: by, reason: reason)
          pauses.note(action, on: name)
          announce(.pause, on: name, by: by, details: reason.isEmpty ? "" : ": \(reason)")
          subscribers.tell(.paused(name, since: status?.pausedSince ?? now, action))
        }
        let action = pauses[name]
        return PausedJob(
          job: name.text, pausedSince: status?.pausedSince ?? now, wasPaused: former != nil,
          runningCount: (status?.runs.count ?? 0) - (status?.idleRuns.count ?? 0), by: action?.by.report,
          reason: action?.words)
      })
  }

  /// Resumes a job. Without a `choice`, the job's own policy for missed entries applies to the held entries. Must not be called
  /// from within an effect.
  func resume(
    _ text: String, _ choice: MissedPolicy.Choice?, by: Operator
  ) throws(ControlError) -> ResumeReply {
    let job = try ownRow(named: text).job
    let catchUp = choice ?? job.definition.policies.missed.choice
    guard let since = engine.status(of: job.name, at: now)?.pausedSince else {
      return ResumeReply(job: job.name.text, pausedSince: nil, catchUp: catchUp, heldCount: 0, takenCount: 0)
    }
    announce(.resume, on: job.name, by: by, details: "; catch-up = \"\(catchUp.rawValue)\"")
    let action = file(.resume, on: job.name, by: by)
    let (held, dropped) = events.resume(job.name, catchUp: catchUp)
    subscribers.tell(.paused(job.name, since: nil, action))
    return ResumeReply(
      job: job.name.text, pausedSince: since, catchUp: catchUp, heldCount: held,
      takenCount: max(0, held - dropped))
  }

  /// Parses a moment. A moment without an offset is a time in `zone`.
  func moment(_ text: String, at now: WallInstant, in zone: Zone) throws(ControlError) -> Moment {
    do {
      return try Moment(parsing: text, now: now, in: zone)
    } catch {
      throw .badMoment(text: text, reason: "\(error)")
    }
  }
}
