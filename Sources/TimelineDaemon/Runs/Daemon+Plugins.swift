import TimelineCore
import TimelineEngine
import TimelineLedger
import TimelineHostPool

// Reports of the pools of hosts.
extension Daemon {
  /// Handles a report, or keeps it until the current effects are performed.
  func take(_ event: PluginEvent) {
    // A start without a wait is recorded already.
    if case .started(_, _, hasWaited: false) = event { return }
    guard iteration.phase.keepsReports else { return receive(event) }
    if case .waits(let run) = event { iteration.runsWithoutHost.insert(run) }
    iteration.reports.append(event)
  }

  /// Handles a report. Must not be called while effects are performed.
  func receive(_ event: PluginEvent) {
    switch event {
    case .waits(let run): noteWaits(run)
    case .started(let run, _, let hasWaited):
      if hasWaited { noteBegan(run) }
    case .line(let line):
      if let run = line.run { writer.note(output: line.message, of: run) }
      announcer.announce(Announcement(line))
      if let run = line.run { runs[run]?.output.append(line.message) }
      subscribers.tell(.line(line))
    case .progress(let run, _, let millionths, let text):
      runs[run]?.progressMillionths = millionths
      runs[run]?.progressText = text
      guard let entry = runs[run]?.attempt.entry else { return }
      subscribers.tell(.progress(run, entry, millionths, text))
      tellObservers(of: entry, .progress(run, millionths, text))
    case .ended(let run, let end) where isTooLate(run, end):
      noteWaits(run)
      cluster?.wake()
      var result = end.outcome
      result.isUncalled = true
      post(.attemptEnded(run, result))
    case .ended(let run, let end):
      cursors[run] = end.cursor
      // A run that failed because no host can be started counts as started.
      if let active = runs[run], active.isWaiting, end.outcome.status == .failed {
        writer.note(active.attempt)
      }
      noteEnd(of: run, end)
      var result = end.outcome
      if let entry = runs[run]?.attempt.entry { jobs.noteAttempt(of: entry, result.status) }
      result.hasOutput = runs[run].map { !$0.output.isEmpty } ?? false
      result.precededStop = end.call.map { runs[run]?.endedBeforeStop($0) ?? false } ?? false
      post(.attemptEnded(run, result))
    case .note(let note):
      announcer.announce(note.level, note.description)
    }
  }

  private func noteEnd(of run: RunID, _ end: PluginRunEnd) {
    guard let call = end.call, let place = runs.index(forKey: run) else {
      return writer.end(
        run, end.outcome, startedAt: nil, usage: end.usage, at: clock.now)
    }
    let now = clock.reading
    runs.values[place].take(call, now)
    writer.end(
      run, end.outcome, startedAt: runs.values[place].attempt.startedAt, usage: end.usage,
      at: runs.values[place].attemptEnd(knownAt: now.instant))
  }
}
