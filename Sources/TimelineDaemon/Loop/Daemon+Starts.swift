import TimelineConfiguration
import TimelineCore
import TimelineEngine
import TimelineHostPool
import TimelineLoading
import TimelineSystem

// Starts of runs: nothing is written or reported about them before all of a row are made.
extension Daemon {
  /// Makes the starts in a row that begins at `index`, before anything is written or said about them; gives where the next
  /// effect is.
  func start(from index: Int) -> Int {
    var starts: [PluginHosts.ReadyRun] = []
    // After the deadline they are made ready a few at a time.
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
    // To read the clock that nobody can set is all that a row of calls has to do in between.
    let reading = clock.reading
    for call in calls { iteration.startedAt.append(reading.instant(at: call)) }
    return end
  }

  /// Time before a deadline from which no further starts are made ready, so that those that are ready are not delayed.
  private static let timeToMakeReady = WakeLead.leadPerEntry * Int64(LedgerWriter.startsPerNote)

  /// Notes starts in a row from `index` on and makes them ready; gives where the next effect is.
  private func ready(from index: Int, into starts: inout [PluginHosts.ReadyRun]) -> Int {
    let end = writer.recordStartsAhead(iteration.effects, from: index)
    for index in index..<end {
      if case .start(let attempt) = iteration.effects[index] { starts.append(ready(attempt)) }
    }
    return end
  }

  /// Makes ready what can be before the plugin is called.
  private func ready(_ attempt: Attempt) -> PluginHosts.ReadyRun {
    let name = attempt.entry.job
    guard let launch = jobs.launch(of: attempt.entry), let host = launch.kind else {
      let reason = jobs.fault(of: name) ?? "job \(name) was taken out of the configuration"
      return .over(attempt.run, .failed(reason))
    }
    // It gives the job up, which comes to an end here with the other events, or goes on with it.
    if !mayStart(attempt) { cluster?.wake() }
    if !mayStart(attempt) {
      withheldRuns.insert(attempt.run)
      return .withheld(attempt.run)
    }
    if launch.isSpun, let ahead = iteration.ahead, !ahead.isSpun {
      iteration.ahead?.isSpun = clock.maySpin(to: ahead.deadline)
    }
    return hosts.ready(
      addingUpstream(to: addingToken(to: attempt)), kind: host, parameters: launch.parameters,
      revision: launch.revision,
      cursor: writer.cursor(of: name), isRehearsal: options.clock.isRehearsal,
      spin: launch.isSpun && iteration.ahead?.isSpun ?? false ? WakeLead.spin : .zero,
      startBy: startBy(attempt))
  }

  /// Returns a reaction together with what its upstream wrote and the schedule of that; any other attempt unchanged.
  private func addingUpstream(to attempt: Attempt) -> Attempt {
    guard let upstream = attempt.upstream else { return attempt }
    var attempt = attempt
    if let run = upstream.run { attempt.upstreamOutput = writer.output(of: run) }
    attempt.upstreamSchedule = loaded.configuration.job(named: upstream.entry.job)?.schedule.portable
    return attempt
  }

  /// Lets the deadline come that is come up to; `isCalledHere` if the call of a plugin in this process comes next.
  func waitForDeadline(isCalledHere: Bool = false) {
    guard let ahead = iteration.ahead.take() else { return }
    clock.wait(until: ahead.deadline, isSpun: ahead.isSpun, isCalledHere: isCalledHere)
  }

  /// Notes the next of the starts that were made, and tells of it; `clocks` is what they showed after all of them.
  func noteStart(_ decided: Attempt, _ clocks: DaemonClock.Reading) {
    var attempt = decided
    // Set back in between, the clock says nothing of when.
    if let instant = iteration.startedAt.popFirst() { attempt.startedAt = max(decided.startedAt, instant) }
    runs[attempt.run] = ActiveRun(
      attempt, decidedAt: decided.startedAt, clocks: clocks, following: runs[attempt.run])
    if !iteration.runsWithoutHost.isEmpty, iteration.runsWithoutHost.remove(attempt.run) != nil {
      return noteWait(of: attempt.run)
    }
    let delay = attempt.startedAt - decided.startedAt
    if attempt.reportsCall || attempt.deadline != nil && delay > .zero {
      iteration.inbox.append(.attemptBegan(attempt.run, late: delay))
    }
    writer.note(attempt)
    noteClusterStart(attempt)
    tellStart(of: attempt)
    if attempt.number == 1 { tellTrigger(of: attempt.entry, .started(attempt.entry, attempt.run)) }
  }

  /// Tells who listens that a plugin is called.
  func tellStart(of attempt: Attempt) {
    subscribers.tell(.started(attempt))
    if attempt.number == 1 { tellObservers(of: attempt.entry, .started(attempt.run)) }
  }
}
