import TimelineConfiguration
import TimelineControl
import TimelineCore
import TimelineEngine
import TimelineLedger
import TimelineLoading
import TimelineSystem

/// Answers to clients, read from the parts of the daemon that own the facts. Changes nothing.
final class Answers {
  let startedAt: WallInstant
  /// Each job's last entry in the ledger when the ledger was opened.
  let decidedAtStart: [JobName: WallInstant]
  let engine: any EngineReader
  let waits: WaitReports
  let jobs: LoadedJobs
  let runs: RunBoard
  let cluster: ClusterMember?
  let writer: LedgerWriter
  let pauses: PauseActions
  let modes: ModeMonitor
  let cron: CronMonitor
  let zones: ZoneMonitor
  let imports: ImportMonitor
  let reloader: Reloader
  let stopping: Stopping
  let parts: DaemonParts

  init(
    startedAt: WallInstant, decidedAtStart: [JobName: WallInstant], engine: EngineLoop, jobs: LoadedJobs,
    runs: RunBoard, cluster: ClusterMember?, writer: LedgerWriter, pauses: PauseActions, modes: ModeMonitor,
    cron: CronMonitor, zones: ZoneMonitor, imports: ImportMonitor, reloader: Reloader, stopping: Stopping,
    _ parts: DaemonParts
  ) {
    (self.startedAt, self.decidedAtStart, self.engine, waits) = (
      startedAt, decidedAtStart, engine, engine.waits
    )
    (self.jobs, self.runs, self.cluster, self.writer) = (jobs, runs, cluster, writer)
    (self.pauses, self.modes, self.cron, self.zones, self.imports) = (pauses, modes, cron, zones, imports)
    (self.reloader, self.stopping, self.parts) = (reloader, stopping, parts)
  }

  /// Current time of the daemon's clock.
  var now: WallInstant { parts.clock.now }
}

// Jobs by name.
extension Answers {
  /// Returns the row of the job with the name `text`.
  func row(named text: String) throws(ControlError) -> LoadedJobs.Row {
    guard let name = JobName(text), let row = jobs[name] else {
      if jobs.loaded.configuration.jobs.contains(where: { $0.name.text == text }) {
        throw .jobDisabled(job: text)
      }
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

  /// Parses a moment. A moment without an offset is a time in `zone`.
  func moment(_ text: String, at now: WallInstant, in zone: Zone) throws(ControlError) -> Moment {
    do {
      return try Moment(parsing: text, now: now, in: zone)
    } catch {
      throw .badMoment(text: text, reason: "\(error)")
    }
  }
}

// The zones in which clients show instants.
extension Answers {
  /// Returns the zone of each configured job among `jobs`, by the job's name.
  func zoneNames(of jobs: some Sequence<String>) -> [String: String] {
    var names: [String: String] = [:]
    for text in jobs where names[text] == nil {
      names[text] = JobName(text).flatMap { self.jobs[$0] }?.job.zone.name
    }
    return names
  }

  /// Returns the zone in which instants of `job` are shown; the daemon's zone if `job` is `nil` or not configured.
  func zoneName(of job: String?) -> String {
    jobs.zone(of: job.flatMap(JobName.init)).name
  }

  /// Returns the zone that a client has requested.
  func shownZone(named name: String) throws(ControlError) -> Zone {
    guard let zone = parts.loader.zone(named: name) else { throw .noSuchZone(zone: name) }
    return zone
  }
}

// Mode and clock.
extension Answers {
  /// State of the mode for clients.
  var modeReply: ModeReply {
    let change = modes.current
    return ModeReply(
      state: ModeState(
        mode: change.mode, cadence: change.cadence, choice: change.choice, cause: change.cause,
        reason: change.reason, since: change.at, by: change.by?.report, zone: jobs.settings.zone.name))
  }

  /// Returns the state of the clock; `reached` is the entry that a step has reached.
  func clockReply(reached: EntryKey? = nil) -> ClockReply {
    let next = engine.state.nextEntry
    var state = ClockState(
      clock: parts.clock.description, now: now, isPaused: parts.clock.isPaused, offset: parts.clock.offset,
      zone: jobs.settings.zone.name, next: next.map(NextEntry.init), reached: reached.map(NextEntry.init))
    state.zones = zoneNames(of: [next, reached].compactMap { $0?.job.text })
    return ClockReply(state: state)
  }
}

extension NextEntry {
  /// The entry for clients.
  init(_ entry: EntryKey) { self.init(job: entry.job.text, entry: entry.nominal) }
}
