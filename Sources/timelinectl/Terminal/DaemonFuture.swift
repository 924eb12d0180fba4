import ArgumentParser
import TimelineClocks
import TimelineConfiguration
import TimelineControl
import TimelineCore
import TimelineEngine
import TimelineLoading
import TimelineSystem
import TimelineTerminal

/// Future entries of a daemon, simulated from its configuration file with the jobs that are paused and the runs that are active now.
struct DaemonFuture {
  /// The configuration at a path with the length of a window that suits it, or the reason why there is none.
  private var read: (path: String, result: Result<ReadConfiguration, LoadingFailure>)?

  private typealias ReadConfiguration = (configuration: Configuration, usualLength: ElapsedTime)

  /// Reads the configuration again the next time.
  mutating func forget() { read = nil }

  /// The daemon at this moment, with its future.
  mutating func snapshot(_ status: StatusReply, _ jobs: [JobReport], _ zones: ShownZones) -> DaemonSnapshot {
    let zone = zones.zone(named: status.zone)
    let speed = Self.speed(of: status)
    let reports = jobs.compactMap { report in JobName(report.name).map { ($0, report) } }
    var shown = reports.map { name, report in ViewJob(name: name, report, in: zones) }
    switch configuration(at: status.configuration, now: status.now.instant) {
    case .failure(let failure):
      return DaemonSnapshot(
        jobs: shown, now: status.now.instant, speed: speed, zone: zone, simulation: nil,
        simulated: shown.map { _ in nil },
        futureSource: "future: next entries alone; \(status.configuration): \(failure.reason)")
    case .success((let configuration, let usualLength)):
      let plan = SimulationPlan(
        jobs: configuration.definitions, groups: configuration.groups, seed: Machine.seed,
        mode: ScheduleMode(rawValue: status.mode) ?? .normal)
      let places = Dictionary(
        plan.jobs.indices.map { (plan.jobs[$0].name, $0) }, uniquingKeysWith: { $1 })
      for index in shown.indices {
        shown[index].policies = places[shown[index].name].map { plan.jobs[$0].policies }
      }
      let paused = reports.compactMap { name, report in report.pausedSince.map { (name, $0.instant) } }
      let active = reports.filter { places[$0.0] != nil }.flatMap { name, report in
        report.running.map { OpenRun($0, of: name) }
      }
      var snapshot = DaemonSnapshot(
        jobs: shown, now: status.now.instant, speed: speed, zone: zone,
        simulation: plan.simulation(
          from: status.now.instant, paused: Dictionary(paused, uniquingKeysWith: { $1 }), active: active),
        simulated: shown.map { places[$0.name] },
        futureSource: "future: simulated from \(status.configuration)")
      snapshot.usualLength = usualLength
      return snapshot
    }
  }

  private mutating func configuration(
    at path: String, now: WallInstant
  ) -> Result<ReadConfiguration, LoadingFailure> {
    if let read, read.path == path { return read.result }
    let result: Result<ReadConfiguration, LoadingFailure>
    do {
      let configuration = try Loader(path: path, installation: Installation()).read(
        refusingForeignWriters: false, refusingUnknownPlugins: false, now: SystemTime.now())
      let schedules = configuration.definitions.map(\.schedule)
      result = .success((configuration, TimeWindow.length(for: schedules, from: now)))
    } catch {
      // The first line names the fault; `check` has them all.
      let line = error.text(color: false).split(separator: "\n").first.map(String.init) ?? "unreadable"
      result = .failure(LoadingFailure(reason: line.printable))
    }
    read = (path, result)
    return result
  }

  /// The speed of the daemon's clock; `nil` where it goes from deadline to deadline.
  private static func speed(of status: StatusReply) -> Speed? {
    if status.isClockPaused { return .paused }
    guard status.clock.hasPrefix("scaled:") else { return .normal }
    return try? Speed(parsing: String(status.clock.dropFirst("scaled:".count)))
  }
}

/// The reason why a configuration cannot be simulated.
struct LoadingFailure: Error {
  let reason: String
}

extension ViewJob {
  /// The job as the daemon reports it.
  fileprivate init(name: JobName, _ report: JobReport, in zones: ShownZones) {
    let zone = zones.zone(named: report.zone)
    self.init(name: name, zone: zone, schedule: report.schedule.printable)
    pause = report.pausedSince.map { since in
      "since \(Words.text(since.instant, in: zone))\(Words.origin(report.pausedBy, report.pauseReason))"
    }
    running = report.running.map(\.run)
    waiting = report.waiting.compactMap(\.run)
    next = report.next?.instant
  }
}

extension OpenRun {
  fileprivate init(_ report: RunReport, of job: JobName) {
    self.init(
      run: RunID(number: report.run), entry: EntryKey(job: job, nominal: report.entry.instant),
      cause: .schedule, attempts: report.attempt, startedAt: report.startedAt.instant, isAlive: true)
  }
}
