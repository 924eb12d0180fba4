import TimelineCore
import TimelineEngine
import TimelineHostPool
import TimelineSystem
import TimelineSystemd

/// Performs effects of the engine other than starts: on the ledger, the cluster and the plugin hosts.
final class EffectPerformer {
  private var cluster: ClusterMember?
  private let runs: RunBoard
  private let settled: SettledEntries
  private let pauses: PauseActions
  private let writer: LedgerWriter
  private let hosts: PluginHosts
  private let clock: DaemonClock
  private let loop: EventLoop
  private let service: ServiceNotifier

  init(
    _ parts: DaemonParts, writer: LedgerWriter, runs: RunBoard, settled: SettledEntries, pauses: PauseActions
  ) {
    (self.writer, self.runs, self.settled, self.pauses) = (writer, runs, settled, pauses)
    (hosts, clock, loop, service) = (parts.hosts, parts.clock, parts.loop, parts.service)
  }

  /// Adds the membership of this node in a cluster.
  func join(_ cluster: ClusterMember) { self.cluster = cluster }

  /// Performs an effect of an event; returns the answer to a claim, or `nil` for any other effect.
  func perform(_ effect: EngineEffect, of event: EngineEvent, _ events: some EventInbox) -> EngineEvent? {
    switch effect {
    case .start, .arm:
      preconditionFailure("performed by the loop")
    case .claim(let keys):
      return .claimsAnswered(claim(keys, events))
    case .settle(let record):
      let endedRun = if case .attemptEnded(let run, _) = event { run } else { RunID?.none }
      let (completed, token) = runs.settle(record, after: endedRun)
      cluster?.noteOutcome(completed, token: token)
      settled.add(completed)
    case .withdraw(let keys):
      writer.withdraw(keys)
      cluster?.withdraw(keys)
    case .askToStop(let run, let reason):
      runs.askToStop(run, reason)
      hosts.askToStop(run, reason)
    case .kill(let run, let reason):
      runs.askToStop(run, reason)
      hosts.kill(run, reason)
    case .dequeue(let run):
      if runs.takeWithheld(run) {
        events.post(.attemptEnded(run, AttemptResult(status: .cancelled)))
      } else {
        hosts.dequeue(run)
      }
    case .notePause(let job, let since):
      writer.pause(job, since: since)
      cluster?.note(pauseOf: job, since: since)
      if since == nil { pauses.forget(job) }
    case .noteRerun(let entry, let origin): writer.note(origin, at: entry)
    case .noteWaiting(let waiting): writer.wait(waiting)
    case .noteRetry(_, let entry, let instant): writer.retry(entry, at: instant)
    case .cutRanges(let cuts): writer.cut(cuts)
    case .noteWatermarks(let watermarks): writer.note(watermarks)
    case .noteIncidents(let incidents):
      writer.note(incidents)
      cluster?.note(incidents)
    case .drained:
      service.status("every run has ended; closing the plugins")
      let shutDown = { [loop, hosts] in hosts.shutDown { loop.stop() } }
      if let cluster { cluster.leave(shutDown) } else { shutDown() }
    }
    return nil
  }

  /// Claims entries. If the instant of a manually triggered entry is taken, the client that triggered it gets the answer at
  /// once, because no run follows.
  private func claim(_ keys: [EntryKey], _ events: some EngineReader) -> [ClaimAnswer] {
    var answers = writer.claim(keys, at: clock.now)
    let denied = answers.indices.filter { answers[$0].verdict == .denied }
    // A read of the state copies it.
    let state = denied.isEmpty ? nil : events.state
    for place in denied {
      let key = answers[place].entry
      guard state?.isAskingForItsOwn(key) == true else { continue }
      // A record for many entries of the schedule does not cover a manually triggered entry between them.
      if let answer = writer.claim([key], at: clock.now, alone: true).first { answers[place] = answer }
      guard answers[place].verdict == .denied else { continue }
      settled.tellTrigger(of: key, .taken)
      runs.tellObservers(of: key, .taken)
    }
    return cluster?.claim(answers) ?? answers
  }
}
