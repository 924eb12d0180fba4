import TimelineConfiguration
import TimelineControl
import TimelineCore
import TimelineEngine
import TimelineHostPool
import TimelineLedger
import TimelineSystem

// Runs that wait for a plugin host, or for the end of a back-off.
extension Daemon {
  /// Withdraws the record of a start, because the plugin was not called.
  func noteWait(of run: RunID) {
    if runs.noteWait(of: run) { tellWait(of: run) }
  }

  /// Handles the report that a run waits for a plugin host.
  func noteWaits(_ run: RunID) {
    // The run's host may have turned out to be dead.
    noteWait(of: run)
    post(.attemptWaits(run))
  }

  /// Records the start of a run that has waited for a plugin host, just before the plugin is called. Returns the run with
  /// updated data for the plugin.
  ///
  /// A plugin host that was started early may be ready before the entry is due. It calls the plugin when the entry is due.
  func recordLateCall(of run: PluginRun) -> PluginRun {
    var run = run
    let decided = run.attempt.startedAt
    let early = run.notBefore.map { max(.zero, $0 - SystemTime.monotonic()) } ?? .zero
    let reading = clock.reading
    let instant = reading.instant + early
    run.attempt.startedAt = instant
    run.attempt.deadline = run.attempt.deadline.map { instant + ($0 - decided) }
    // The mode may have changed during the wait; only runs with a plugin host receive changes of the mode.
    run.attempt.mode = modes.current.mode
    run.attempt.cadence = modes.current.cadence
    run.startBy = cluster?.startBy(run.attempt)
    _ = writer.recordStartsAhead([.start(run.attempt)], from: 0)
    runs.call(run.attempt.run, at: instant, by: reading)
    return run
  }

  /// Handles the report that the plugin of a run was called after a wait for a plugin host.
  func noteBegan(_ run: RunID) {
    switch runs.noteCall(of: run) {
    case nil: return
    case .known(let waited): post(.attemptBegan(run, late: waited))
    case .first(let attempt):
      writer.note(attempt)
      cluster?.noteStart(attempt)
      runs.tellStart(of: attempt)
      post(.attemptBegan(run, late: .zero))
    }
  }

  /// Reports the wait of a run to subscribers, if it waits.
  func tellWait(of run: RunID) {
    subscribers.tell { () -> DaemonEvent? in
      guard let active = runs[run] else { return nil }
      let entry = active.attempt.entry
      let wait =
        active.isWaiting
        ? EntryWait(nominal: entry.nominal, run: run, since: active.attempt.startedAt, reason: .pluginHost)
        : engine.wait(of: run)
      return wait.map { .waiting(entry.job, report(of: $0, of: entry)) }
    }
  }

  /// Returns the run of an entry whose plugin host is being started; `nil` for an entry that waits for anything else.
  func runOfStartingHost(for entry: EntryKey) -> RunID? {
    guard let run = runs.runWithoutHost(of: entry), let kind = jobs.launch(of: entry)?.kind
    else { return nil }
    return hosts.isStarting(kind) ? run : nil
  }

  /// Returns the report of a wait for clients.
  func report(of wait: EntryWait, of entry: EntryKey) -> WaitReport {
    WaitReport(
      entry: wait.nominal, run: wait.run?.number, since: wait.since, until: wait.until,
      reason: wait.reason.name,
      text: text(of: wait, of: entry))
  }

  private func text(of wait: EntryWait, of entry: EntryKey) -> String {
    let zone = jobs[entry.job]?.job.zone ?? settings.zone
    switch wait.reason {
    case .pluginHost:
      let kind = jobs.launch(of: entry)?.kind
      return kind.map { hosts.wait(for: $0).text } ?? "for a plugin host"
    case .groups(let places):
      return places.map(text).joined(separator: ", and ")
    case .previousRuns(let previous):
      let names = previous.prefix(Self.namedRunsMax).map { "run \($0)" }.joined(separator: ", ")
      let more = previous.count > Self.namedRunsMax ? " and \(previous.count - Self.namedRunsMax) more" : ""
      let wait = previous.first.flatMap { engine.wait(of: $0) }
      let own = wait.map { ", which waits \(text(of: $0, of: entry))" } ?? ""
      return previous.count == 1
        ? "for the previous run: \(names)\(own)" : "for one of the previous runs: \(names)\(more)"
    case .backOff(let end): return "back-off until \(time(end, in: zone))"
    case .jitter(let end): return "jitter until \(time(end, in: zone))"
    case .pause: return "for the end of the job's pause"
    case .ledger: return "for the ledger"
    case .store: return "for the cluster's store"
    }
  }

  private func text(of place: EntryWait.GroupPlace) -> String {
    let named = place.holders.prefix(Self.namedRunsMax).map { run in
      (runs[run].map { "job \($0.attempt.entry.job) " } ?? "") + "run \(run)"
    }
    let more = place.holders.count > named.count ? " and \(place.holders.count - named.count) more" : ""
    let held = named.isEmpty ? "" : ", held by \(named.joined(separator: ", "))\(more)"
    return "for group \(place.name): limit \(place.limit)\(held)"
  }

  private func time(_ instant: WallInstant, in zone: Zone) -> String {
    let civil = zone.civil(at: instant)
    let isToday = civil.date == zone.civil(at: now).date
    return (isToday ? "" : "\(civil.date) ") + civil.time.millisecondText
  }

  /// Largest number of runs in a sentence.
  private static let namedRunsMax = 3
}

extension EntryWait {
  /// Instant at which the wait ends, if it is known.
  var until: WallInstant? {
    switch reason {
    case .backOff(let end), .jitter(let end): end
    default: nil
    }
  }
}

extension EntryWait.Reason {
  /// The reason's name in the interface.
  var name: WaitReport.Reason {
    switch self {
    case .pluginHost: .pluginHost
    case .groups: .group
    case .previousRuns: .previousRun
    case .backOff: .backOff
    case .jitter: .jitter
    case .pause: .pause
    case .ledger: .ledger
    case .store: .store
    }
  }
}
