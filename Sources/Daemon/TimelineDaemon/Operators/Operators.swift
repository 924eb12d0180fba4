import TimelineConfiguration
import TimelineControl
import TimelineCore
import TimelineEngine
import TimelineLedger

/// Changes by operators. Each change is recorded in the audit trail and passed to the engine. No change may be made from within
/// an effect.
final class Operators {
  private let audit: Audit
  private let answers: Answers
  private let engine: EngineLoop
  private let runs: RunBoard
  private let cluster: ClusterMember?
  private let writer: LedgerWriter
  private let pauses: PauseActions
  private let modes: ModeMonitor
  private let subscribers: EventSubscribers
  private let parts: DaemonParts

  init(
    _ parts: DaemonParts, answers: Answers, engine: EngineLoop, runs: RunBoard, cluster: ClusterMember?,
    writer: LedgerWriter, pauses: PauseActions, modes: ModeMonitor, subscribers: EventSubscribers
  ) {
    (self.parts, self.answers, self.engine, self.runs, self.cluster) = (parts, answers, engine, runs, cluster)
    (self.writer, self.pauses, self.modes, self.subscribers) = (writer, pauses, modes, subscribers)
    audit = Audit(parts, writer)
  }

  /// Records an action that concerns the daemon as a whole.
  func note(_ verb: OperatorAction.Verb, by: Operator) { audit.note(verb, by: by) }

  /// Pauses jobs. Throws an error and pauses no job if one of the names is unknown. A job that is already paused keeps its
  /// reason.
  func pause(_ texts: [String], by: Operator, reason: String) throws(ControlError) -> PauseReply {
    var names: [JobName] = []
    for text in texts { names.append(try answers.ownRow(named: text).job.name) }
    return PauseReply(
      jobs: names.map { name in
        let former = engine.state.status(of: name, at: parts.clock.now)?.pausedSince
        if former == nil { engine.post(.pause(name)) }
        let status = engine.state.status(of: name, at: parts.clock.now)
        if former == nil {
          let action = audit.file(.pause, on: name, by: by, reason: reason)
          pauses.note(action, on: name)
          audit.announce(.pause, on: name, by: by, details: reason.isEmpty ? "" : ": \(reason)")
          subscribers.tell(.paused(name, since: status?.pausedSince ?? parts.clock.now, action))
        }
        let action = pauses[name]
        return PausedJob(
          job: name.text, pausedSince: status?.pausedSince ?? parts.clock.now, wasPaused: former != nil,
          runningCount: (status?.runs.count ?? 0) - (status?.idleRuns.count ?? 0), by: action?.by.report,
          reason: action?.words)
      })
  }

  /// Resumes a job. Without a `choice`, the job's own policy for missed entries applies to the held entries. Must not be called
  /// from within an effect.
  func resume(
    _ text: String, _ choice: MissedPolicy.Choice?, by: Operator
  ) throws(ControlError) -> ResumeReply {
    let job = try answers.ownRow(named: text).job
    let catchUp = choice ?? job.definition.policies.missed.choice
    guard let since = engine.state.status(of: job.name, at: parts.clock.now)?.pausedSince else {
      return ResumeReply(job: job.name.text, pausedSince: nil, catchUp: catchUp, heldCount: 0, takenCount: 0)
    }
    audit.announce(.resume, on: job.name, by: by, details: "; catch-up = \"\(catchUp.rawValue)\"")
    let action = audit.file(.resume, on: job.name, by: by)
    let (held, dropped) = engine.resume(job.name, catchUp: catchUp)
    subscribers.tell(.paused(job.name, since: nil, action))
    return ResumeReply(
      job: job.name.text, pausedSince: since, catchUp: catchUp, heldCount: held,
      takenCount: max(0, held - dropped))
  }

  /// Releases a job whose entries were decided while the clock was ahead. Must not be called from within an effect.
  func release(_ text: String, by: Operator) throws(ControlError) -> ReleaseReply {
    let configured = try answers.ownRow(named: text).job
    let job = configured.name
    let former = engine.state.status(of: job, at: parts.clock.now)
    let isWaiting = former?.settledThrough != nil
    var forgotten = 0
    if isWaiting {
      audit.announce(
        .release, on: job, by: by,
        details: "; entries that were decided while the clock was ahead are run again")
      audit.file(.release, on: job, by: by)
      forgotten = writer.release(job, configured.definition.schedule, at: parts.clock.now)
      engine.post(.release(job))
    }
    let next = engine.state.status(of: job, at: parts.clock.now)?.next
    return ReleaseReply(
      job: job.text, waitedUntil: isWaiting ? former?.next : nil, next: next, forgottenCount: forgotten)
  }

  /// Applies an operator's choice of the mode and, for low-frequency mode, of the cadence. Must not be called from within an
  /// effect.
  func choose(_ choice: ModeChoice, _ cadence: LowFrequencyCadence?, by: Operator) -> ModeReply {
    let words = choice.rawValue + (cadence.map { ", cadence \($0.rawValue)" } ?? "")
    audit.announce(.mode, by: by, details: "; \(words)")
    audit.file(.mode, by: by, reason: words)
    modes.choose(choice, cadence, by: by)
    return answers.modeReply
  }

  /// Activates this node's definitions of jobs in a cluster, or of all jobs if `names` is empty.
  func activate(_ names: [JobName], in cluster: ClusterMember, by: Operator) {
    let words = names.isEmpty ? "all" : names.map(\.text).joined(separator: ", ")
    audit.announce(.activate, by: by, details: ": \(words)")
    audit.file(.activate, by: by, reason: words)
    cluster.activate(names)
  }
}

// Runs that operators start and stop.
extension Operators {
  /// Runs a job now, under its overlap policy. Throws an error if the engine does not have the job any more.
  func trigger(_ job: JobName, by: Operator) throws(ControlError) -> Triggered {
    audit.announce(.trigger, on: job, by: by)
    let outcome = engine.request(.trigger(job))
    audit.file(.trigger, on: job, entry: outcome?.entry?.nominal, by: by)
    if let outcome { return outcome }
    throw missing(job)
  }

  /// Repeats an entry of a job's schedule, under its overlap policy. Throws an error if the engine does not have the job any more.
  func rerun(_ job: JobName, of nominal: WallInstant, by: Operator) throws(ControlError) -> Triggered {
    let number = writer.nextRerunNumber(of: EntryKey(job: job, nominal: nominal))
    audit.announce(.rerun, on: job, by: by, details: "; of the entry \(nominal)")
    let outcome = engine.request(.rerun(job, RerunOrigin(of: nominal, number: number)))
    audit.file(.rerun, on: job, entry: outcome?.entry?.nominal, by: by)
    if let outcome { return outcome }
    throw missing(job)
  }

  /// The error about a job that the engine does not have.
  private func missing(_ job: JobName) -> ControlError {
    // The node has lost the job during this event, or the daemon has ended its work.
    guard let cluster, cluster.includes(job) else { return .shuttingDown }
    return .jobElsewhere(job: job.text, node: cluster.owner(of: job) ?? "")
  }

  /// Records that a run is to be cancelled. ``cancel(_:)`` must follow.
  func noteCancel(of run: RunID, _ entry: EntryKey, by: Operator) {
    audit.announce(.cancel, on: entry.job, run: run, by: by, details: "; run \(run)")
    audit.file(.cancel, on: entry.job, entry: entry.nominal, by: by)
  }

  /// Asks a run to stop.
  func cancel(_ run: RunID) { engine.post(.cancel(run)) }

  /// Prevents a cycle in which `run` waits for a new run of `job`: throws an error if `run` belongs to `job`, or if a run of
  /// `job` waits for `run`, directly or through other runs.
  func refuseCycle(of run: RunID, triggering job: JobName) throws(ControlError) {
    guard let chain = runs.waits.chain(to: run, from: { runs[$0]?.attempt.entry.job == job }) else { return }
    let names = chain.map(runs.name)
    let middle = names.dropFirst().map { " waits for \($0), which" }.joined()
    throw .waitWithoutEnd(
      job: job.text,
      reason: "\(names.first ?? "")\(middle) would wait for another run of \(job), and nothing was started")
  }

  /// Throws an error if `run` would wait for `entry` forever, because `entry` can only start after `run` has ended.
  func refuseWaitWithoutEnd(of run: RunID, for entry: EntryKey) throws(ControlError) {
    var waits = runs.waits
    waits.entries[run, default: []].insert(entry)
    for entry in waits.entries.values.reduce(into: Set(), { $0.formUnion($1) }) where waits.runs[entry] == nil
    {
      waits.needs[entry] = self.wait(of: entry)?.needs
    }
    guard waits.neverEnds(run), let wait = wait(of: entry) else { return }
    throw .waitWithoutEnd(
      job: entry.job.text,
      reason:
        "it was triggered, and waits \(engine.waits.report(of: wait, of: entry).text); \(runs.name(of: run)) would wait for it"
    )
  }

  private func wait(of entry: EntryKey) -> EntryWait? {
    engine.state.waits(of: entry.job, at: parts.clock.now).first { $0.nominal == entry.nominal }
  }
}

extension EntryWait {
  /// Runs that prevent the start of the entry. One run of each list must end before the entry can start.
  fileprivate var needs: [[RunID]] {
    switch reason {
    case .groups(let places): places.map(\.holders)
    case .previousRuns(let runs): [runs]
    case .pluginHost, .backOff, .jitter, .pause, .ledger, .store: []
    }
  }
}
