import TimelineConfiguration
import TimelineCore
import TimelineEngine
import TimelineHostPool
import TimelineLoading
import TimelineSystem

// Starts of runs: consecutive starts are all made before any of them is recorded or reported.
extension Daemon {
  /// Makes the consecutive starts from `index` on, before they are recorded or reported. Returns the index of the next effect.
  func start(from index: Int) -> Int {
    var starts: [PluginHosts.ReadyRun] = []
    // After the deadline starts are made ready a few at a time.
    if iteration.ahead != nil { starts.reserveCapacity(iteration.effects.count - index) }
    var end = ready(from: index, into: &starts)
    if let deadline = iteration.ahead?.deadline {
      while deadline - clock.now > Self.timeToMakeReady, end < iteration.effects.count,
        case .start = iteration.effects[end]
      {
        end = ready(from: end, into: &starts)
      }
      hosts.sendAhead(&starts, in: deadline - clock.now)
    }
    let isLast =
      if end < iteration.effects.count, case .start = iteration.effects[end] { false } else { true }
    let calls = hosts.start(starts, areLast: isLast) { waitForDeadline(isCalledHere: $0) }
    // Between the calls only the monotonic clock is read, which cannot be set.
    let reading = clock.reading
    for call in calls { iteration.startedAt.append(reading.instant(at: call)) }
    return end
  }

  /// Time before a deadline from which no further starts are made ready, so that the ready starts are not delayed.
  private static let timeToMakeReady = WakeLead.leadPerEntry * Int64(LedgerWriter.startsPerNote)

  /// Notes consecutive starts from `index` on and makes them ready. Returns the index of the next effect.
  private func ready(from index: Int, into starts: inout [PluginHosts.ReadyRun]) -> Int {
    let end = writer.recordStartsAhead(iteration.effects, from: index)
    for index in index..<end {
      if case .start(let attempt) = iteration.effects[index] { starts.append(ready(attempt)) }
    }
    return end
  }

  /// Prepares the call of a plugin as far as possible.
  private func ready(_ attempt: Attempt) -> PluginHosts.ReadyRun {
    let name = attempt.entry.job
    guard let launch = jobs.launch(of: attempt.entry), let host = launch.kind else {
      let reason = jobs.fault(of: name) ?? "job \(name) was taken out of the configuration"
      return .over(attempt.run, .failed(reason))
    }
    // Makes the node give up the job, which then leaves the engine with the next events, or continue it without the store.
    if let cluster, !cluster.mayStart(attempt) {
      cluster.wake()
      if !cluster.mayStart(attempt) {
        runs.withhold(attempt.run)
        return .withheld(attempt.run)
      }
    }
    if launch.isSpun, let ahead = iteration.ahead, !ahead.isSpun {
      iteration.ahead?.isSpun = clock.maySpin(to: ahead.deadline)
    }
    return hosts.ready(
      addingUpstream(to: cluster?.addingToken(to: attempt) ?? attempt), kind: host,
      parameters: launch.parameters,
      revision: launch.revision,
      cursor: writer.cursor(of: name), isRehearsal: options.clock.isRehearsal,
      spin: launch.isSpun && iteration.ahead?.isSpun ?? false ? WakeLead.spin : .zero,
      startBy: cluster?.startBy(attempt))
  }

  /// Adds the output and the schedule of its upstream to a reaction. Returns any other attempt unchanged.
  private func addingUpstream(to attempt: Attempt) -> Attempt {
    guard let upstream = attempt.upstream else { return attempt }
    var attempt = attempt
    if let run = upstream.run { attempt.upstreamOutput = writer.output(of: run) }
    attempt.upstreamSchedule = loaded.configuration.job(named: upstream.entry.job)?.schedule.portable
    return attempt
  }

  /// Waits for the deadline before which the daemon has woken, if any. `isCalledHere` is true if a plugin in this process is
  /// called next.
  func waitForDeadline(isCalledHere: Bool = false) {
    guard let ahead = iteration.ahead.take() else { return }
    clock.wait(until: ahead.deadline, isSpun: ahead.isSpun, isCalledHere: isCalledHere)
  }

  /// Records and reports the next of the starts that were made; `clocks` is a reading of the clocks after all starts.
  func noteStart(_ decided: Attempt, _ clocks: DaemonClock.Reading) {
    var attempt = decided
    // If the clock was set back in between, the instant of the call is not usable.
    if let instant = iteration.startedAt.popFirst() { attempt.startedAt = max(decided.startedAt, instant) }
    runs.start(attempt, decidedAt: decided.startedAt, clocks)
    if !iteration.runsWithoutHost.isEmpty, iteration.runsWithoutHost.remove(attempt.run) != nil {
      return noteWait(of: attempt.run)
    }
    let delay = attempt.startedAt - decided.startedAt
    if attempt.reportsCall || attempt.deadline != nil && delay > .zero {
      iteration.inbox.append(.attemptBegan(attempt.run, late: delay))
    }
    writer.note(attempt)
    cluster?.noteStart(attempt)
    runs.tellStart(of: attempt)
    if attempt.number == 1 { tellTrigger(of: attempt.entry, .started(attempt.entry, attempt.run)) }
  }
}
