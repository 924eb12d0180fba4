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
    case .line(let line): runs.note(line)
    case .progress(let run, _, let millionths, let text): runs.noteProgress(of: run, millionths, text)
    case .ended(let run, let end) where isTooLate(run, end):
      noteWaits(run)
      cluster?.wake()
      var result = end.outcome
      result.isUncalled = true
      post(.attemptEnded(run, result))
    case .ended(let run, let end): post(.attemptEnded(run, runs.end(run, end)))
    case .note(let note):
      announcer.announce(note.level, note.description)
    }
  }

  /// Whether a run ended because its plugin host was too late to call the plugin. If the node's lease has ended, the run is
  /// left to the next owner of its job; otherwise the run is decided anew.
  private func isTooLate(_ run: RunID, _ end: PluginRunEnd) -> Bool {
    guard let cluster, end.call == nil, end.outcome.status == .cancelled, let active = runs[run] else {
      return false
    }
    return cluster.includes(active.attempt.entry.job) && !active.isWaiting && !active.isAskedToStop
  }
}
