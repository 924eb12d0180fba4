import TimelineConfiguration
package import TimelineControl
package import TimelineCore
import TimelineEngine
import TimelineLoading
package import TimelineRehearsal
import TimelineSystem

/// Future entries of a daemon, simulated from its configuration file, its paused jobs and its active runs.
package struct DaemonFuture: Sendable {
  /// The configuration at a path with the length of a window that suits its jobs, or the reason why the configuration
  /// cannot be read.
  private var read: (path: String, result: Result<ReadConfiguration, LoadingFailure>)?

  private typealias ReadConfiguration = (configuration: Configuration, usualLength: ElapsedTime)

  private struct LoadingFailure: Error {
    let reason: String
  }

  package init() {}

  /// Makes the next call read the configuration again.
  package mutating func forget() { read = nil }

  /// Returns the future entries, starting from the daemon's present state.
  package mutating func entries(_ status: StatusReply, _ jobs: [JobReport]) -> FutureEntries {
    switch configuration(at: status.configuration, now: status.now.instant) {
    case .failure(let failure):
      return FutureEntries(
        source: "future: next entries alone; \(status.configuration): \(failure.reason)")
    case .success((let configuration, let usualLength)):
      let plan = SimulationPlan(
        jobs: configuration.definitions, groups: configuration.groups, seed: Machine.seed,
        mode: ScheduleMode(rawValue: status.mode) ?? .normal)
      var future = FutureEntries(source: "future: simulated from \(status.configuration)")
      future.configuration = configuration
      future.plan = plan
      future.usualLength = usualLength
      future.places = Dictionary(
        plan.jobs.indices.map { (plan.jobs[$0].name, $0) }, uniquingKeysWith: { $1 })
      let reports = jobs.compactMap { report in JobName(report.name).map { ($0, report) } }
      let paused = reports.compactMap { name, report in report.pausedSince.map { (name, $0.instant) } }
      future.paused = Dictionary(paused, uniquingKeysWith: { $1 })
      let active = reports.filter { future.places[$0.0] != nil }.flatMap { name, report in
        report.running.map { OpenRun($0, of: name) }
      }
      future.simulation = plan.simulation(
        from: status.now.instant, paused: future.paused, active: active)
      return future
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
      let plan = SimulationPlan(jobs: configuration.definitions)
      result = .success((configuration, plan.usualLength(from: now)))
    } catch {
      // The first line names the fault. `check` shows all faults.
      let line = error.text(color: false).split(separator: "\n").first.map(String.init) ?? "unreadable"
      result = .failure(LoadingFailure(reason: line.printable))
    }
    read = (path, result)
    return result
  }
}

/// Future entries of a daemon's jobs.
package struct FutureEntries: Sendable {
  /// The jobs as configured; `nil` if the configuration cannot be read.
  package var plan: SimulationPlan?
  /// Index of each job in the plan and in the simulation.
  package var places: [JobName: Int] = [:]
  /// `nil` if the configuration cannot be read.
  var configuration: Configuration?
  /// Paused jobs, with the beginnings of their pauses.
  package internal(set) var paused: [JobName: WallInstant] = [:]
  /// Simulated entries; `nil` if the configuration cannot be read.
  package var simulation: EntrySimulation?
  /// Length of a window that shows a few entries of most jobs; `nil` if unknown.
  package var usualLength: ElapsedTime?
  /// Origin of the future entries, in words.
  package let source: String

  init(source: String) { self.source = source }

  /// Returns a simulation that begins at another instant, with the currently paused jobs and no active run; `nil` if
  /// the configuration cannot be read.
  package func simulation(from instant: WallInstant) -> EntrySimulation? {
    plan?.simulation(from: instant, paused: paused.mapValues { min($0, instant) })
  }

  /// Returns the policies of a job; `nil` if the configuration is unknown.
  package func policies(of job: JobName) -> JobPolicies? { places[job].flatMap { plan?.jobs[$0].policies } }
}

extension OpenRun {
  fileprivate init(_ report: RunReport, of job: JobName) {
    self.init(
      run: RunID(number: report.run), entry: EntryKey(job: job, nominal: report.entry.instant),
      cause: .schedule, attempts: report.attempt, startedAt: report.startedAt.instant, isAlive: true)
  }
}
