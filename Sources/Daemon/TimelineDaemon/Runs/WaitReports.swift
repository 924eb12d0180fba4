import TimelineConfiguration
import TimelineControl
import TimelineCore
import TimelineEngine
import TimelineHostPool

/// Reports for clients about entries and runs that wait, in words.
struct WaitReports {
  private unowned let engine: any EngineReader
  private let runs: RunBoard
  private let jobs: LoadedJobs
  private let hosts: PluginHosts
  private let clock: DaemonClock

  init(engine: any EngineReader, runs: RunBoard, jobs: LoadedJobs, _ parts: DaemonParts) {
    (self.engine, self.runs, self.jobs, hosts, clock) = (engine, runs, jobs, parts.hosts, parts.clock)
  }

  /// Returns the event of a run that waits; `nil` if the run does not wait.
  func event(of run: RunID) -> DaemonEvent? {
    guard let active = runs[run] else { return nil }
    let entry = active.attempt.entry
    let wait =
      active.isWaiting
      ? EntryWait(nominal: entry.nominal, run: run, since: active.attempt.startedAt, reason: .pluginHost)
      : engine.state.wait(of: run)
    return wait.map { .waiting(entry.job, report(of: $0, of: entry)) }
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
    let zone = jobs.zone(of: entry.job)
    switch wait.reason {
    case .pluginHost:
      let kind = jobs.launch(of: entry)?.kind
      return kind.map { hosts.wait(for: $0).text } ?? "for a plugin host"
    case .groups(let places):
      return places.map(text).joined(separator: ", and ")
    case .previousRuns(let previous):
      let names = previous.prefix(Self.namedRunsMax).map { "run \($0)" }.joined(separator: ", ")
      let more = previous.count > Self.namedRunsMax ? " and \(previous.count - Self.namedRunsMax) more" : ""
      let wait = previous.first.flatMap { engine.state.wait(of: $0) }
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
    let isToday = civil.date == zone.civil(at: clock.now).date
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
