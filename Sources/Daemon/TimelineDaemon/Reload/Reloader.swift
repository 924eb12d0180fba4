import TimelineConfiguration
import TimelineCore
import TimelineEngine
import TimelineLoading
import TimelineSystem
import TimelineSystemd

/// Reloads the configuration, one reload at a time. Requests that arrive meanwhile wait for the next reload.
///
/// A configuration with any error changes nothing, even if the error is only a plugin that cannot be loaded. At a reload,
/// unlike at the boot, the operator is present and can fix the error. A fault that another user may have caused suspends only
/// the affected jobs, because otherwise that user could block every reload.
final class Reloader {
  typealias Completion = (Result<ReloadChanges, LoadFailure>) -> Void

  /// Number of reloads whose configuration came into force.
  private(set) var succeededCount = 0
  /// Number of reloads that changed nothing.
  private(set) var failedCount = 0
  /// Looks up the users of the configuration in force.
  private var adoptUsers: (_ completion: @escaping () -> Void) -> Void = { $0() }
  private let parts: DaemonParts
  private let jobs: LoadedJobs
  private let engine: EngineLoop
  private let writer: LedgerWriter
  private let subscribers: EventSubscribers
  private let cron: CronMonitor
  private let imports: ImportMonitor
  private let putInForce: (LoadedConfiguration, ReloadChanges) -> Void
  private var waiting: [Completion] = []
  /// Whether a waiting request is for all files, and not only for crontabs.
  private var wantsFiles = false
  private var isReloading = false
  /// Result of the reading on a separate thread.
  private struct Reading: Sendable {
    var configuration: Configuration
    var plugins: PluginPlaces
    /// Whether cron is active; `nil` if that is not known, or no crontab is included.
    var cron: CronActivity?
    /// Warnings about files that were imported from crontabs or timers that are still active.
    var warnings: [String]
  }

  private var reading: DetachedWork<Result<Reading, LoadFailure>>?
  private var limit: Delay?
  /// Readings that have timed out, and may never end.
  private var stuck: [DetachedWork<Result<Reading, LoadFailure>>] = []

  /// Timeout for reading the files and looking up names: longer than 100,000 jobs take.
  private static let readingLimit = ElapsedTime.seconds(60)
  /// Largest number of readings that hang at a time; each keeps a thread.
  private static let stuckMax = 4

  init(
    _ parts: DaemonParts, jobs: LoadedJobs, engine: EngineLoop, writer: LedgerWriter,
    subscribers: EventSubscribers, cron: CronMonitor, imports: ImportMonitor,
    putInForce: @escaping (LoadedConfiguration, ReloadChanges) -> Void
  ) {
    (self.parts, self.jobs, self.engine, self.writer) = (parts, jobs, engine, writer)
    (self.subscribers, self.cron, self.imports, self.putInForce) = (subscribers, cron, imports, putInForce)
  }

  /// Sets how the users of a new configuration are looked up. An answer waits for them.
  func whenInForce(adoptUsers: @escaping (_ completion: @escaping () -> Void) -> Void) {
    self.adoptUsers = adoptUsers
  }

  /// Reloads the configuration. `completion` is called once, on the loop's thread, when the new configuration is in force or
  /// refused.
  ///
  /// With `onlyCrontabs` only the included crontabs are read again. Edits of the other files do not come into force, because no
  /// operator has requested that.
  func reload(onlyCrontabs: Bool = false, _ completion: @escaping Completion) {
    waiting.append(completion)
    if !onlyCrontabs { wantsFiles = true }
    if !isReloading { begin() }
  }

  private func begin() {
    guard !waiting.isEmpty else { return }
    let asked = waiting
    let former = wantsFiles ? nil : jobs.loaded.configuration.sources
    (waiting, wantsFiles) = ([], false)
    isReloading = true
    parts.service.reloading()
    stuck.removeAll(where: \.isOver)
    guard stuck.count < Self.stuckMax else {
      return finish(
        .failure(
          .late("\(stuck.count) earlier reloads still wait for a disk or a name service that does not answer")
        ),
        asked)
    }
    let (loader, now) = (parts.loader, parts.clock.now)
    let (formerFiles, root) = (jobs.loaded.configuration.files, parts.options.machineRoot)
    do throws(SystemError) {
      // On a separate thread, so that a slow disk or name service delays no start.
      reading = try DetachedWork(name: "timeline-read", loop: parts.loop) {
        Result { () throws(LoadFailure) in
          let configuration = try loader.read(
            refusingForeignWriters: CurrentProcess.effectiveUser == 0, refusingUnknownPlugins: true,
            refusingUnknownGroup: true, keepingJobsThatLackFiles: true, formerFiles: formerFiles,
            of: former, now: now)
          let crontabs = configuration.daemon.crontabs
          let cron = crontabs.isEmpty ? nil : try? CronActivity.look(below: root, crontabs: crontabs)
          let warnings = ImportOrigins.warnings(about: configuration.sources, below: root)
          return Reading(
            configuration: configuration, plugins: loader.locate(configuration), cron: cron,
            warnings: warnings)
        }
      } completion: { [weak self] result in
        self?.inspect(result, asked)
      }
    } catch {
      return finish(.failure(.late("the configuration cannot be read now: \(error)")), asked)
    }
    limit = parts.loop.after(Self.readingLimit) { [weak self] in self?.giveUp(asked) }
  }

  private func giveUp(_ asked: [Completion]) {
    if let reading { stuck.append(reading) }
    reading = nil
    let text =
      "the files of the configuration, or the name service, have not answered within \(Self.readingLimit); look at the disk and at nsswitch.conf(5)"
    finish(.failure(.late(text)), asked)
  }

  private func inspect(_ result: Result<Reading, LoadFailure>, _ asked: [Completion]) {
    // The result may arrive after the timeout.
    guard reading != nil else { return }
    reading = nil
    limit?.cancel()
    limit = nil
    switch result {
    case .failure(let failure): finish(.failure(failure), asked)
    case .success(let reading):
      if let activity = reading.cron { cron.take(activity) }
      parts.loader.inspect(
        reading.configuration, at: reading.plugins, with: parts.hosts, depth: { _ in .run }
      ) { [weak self] result in self?.finish(result, asked, reading.warnings) }
    }
  }

  private func finish(
    _ result: Result<LoadedConfiguration, LoadFailure>, _ asked: [Completion], _ warnings: [String] = []
  ) {
    let answer = conclude(result, warnings)
    switch answer {
    case .success(let changes):
      succeededCount += 1
      parts.announcer.announce(.notice, "configuration reloaded: \(changes.text)", kind: .reloaded)
      subscribers.tell(.reloaded(changes.text))
    case .failure(let failure):
      failedCount += 1
      parts.announcer.announce(
        .error,
        "the configuration was not reloaded and the old one stays in force\n\(failure.redacted.details.trimmingNewline)",
        kind: .configurationRefused)
    }
    engine.status.tellReady()
    // After this iteration of the loop, at whose end the text of the files and the former configuration are released.
    parts.loop.after(.zero) { [writer] in
      writer.dropCache()
      CurrentProcess.returnUnusedMemory()
    }
    // Clients get their answer when the users of the new configuration are in force, unless the name service is too slow.
    guard case .success = answer else { return tell(asked, answer) }
    var isTold = false
    let tellOnce = { [weak self] in
      if !isTold { self?.tell(asked, answer) }
      isTold = true
    }
    adoptUsers(tellOnce)
    if !isTold { parts.loop.after(Self.usersPatience, tellOnce) }
  }

  private func tell(_ asked: [Completion], _ answer: Result<ReloadChanges, LoadFailure>) {
    for completion in asked { completion(answer) }
    isReloading = false
    begin()
  }

  /// Longest time for which an answer is deferred for the users of the new configuration.
  private static let usersPatience = ElapsedTime.seconds(2)

  private func conclude(
    _ result: Result<LoadedConfiguration, LoadFailure>, _ warnings: [String]
  ) -> Result<ReloadChanges, LoadFailure> {
    result.flatMap { loaded in
      let known = Set(jobs.loaded.faults.map { JobFault.Identity($0) })
      let faults = loaded.faults
      // Some faults are no reason to refuse the new configuration of the other jobs: existing faults, faults that another user
      // may have caused, and faults of jobs in crontabs.
      let cronJobs = loaded.configuration.crontabs.cronJobs
      if !faults.allSatisfy({
        $0.isOfOthers || known.contains(JobFault.Identity($0)) || cronJobs.contains($0.job)
      }) {
        return .failure(.refused(loaded.configuration.warnings + faults.map(\.diagnostic)))
      }
      let settings = loaded.configuration.daemon
      var loaded = loaded
      loaded.configuration.settle()
      loaded.configuration.leaveJobsToCron(cron.activity.isActive)
      var changes = ReloadChanges(from: jobs.definitions, to: loaded.configuration.definitions)
      if let text = parts.options.needingRestart(from: jobs.settingsAtStart, to: settings) {
        parts.announcer.announce(.warning, text)
        changes.warnings.append(text)
      }
      imports.take(warnings)
      changes.warnings += imports.warnings
      changes.warnings += (faults + loaded.configuration.cautions).prefix(ReloadChanges.warningsMax).map {
        "\($0.job): \($0.diagnostic.redacted.message)"
      }
      if let note = AdoptionNotices(parts).noteOnRunLimits(of: loaded) { changes.warnings.append(note) }
      putInForce(loaded, changes)
      for status in engine.state.statuses(of: changes.added, at: parts.clock.now) {
        guard let since = status.pausedSince else { continue }
        parts.announcer.announce(
          .notice,
          "\(status.name): still paused, since \(since.text(in: settings.zone)); `timelinectl resume \(status.name)` lets it go on"
        )
      }
      return .success(changes)
    }
  }
}

extension JobFault {
  /// Identity of a fault across reloads, without its position in a file, which may have changed.
  struct Identity: Hashable {
    private let job: JobName
    private let message: String

    init(_ fault: JobFault) { (job, message) = (fault.job, fault.diagnostic.message) }
  }
}

extension DaemonOptions {
  /// Returns a sentence about changed settings that come into force with the next start; `nil` if there are none.
  func needingRestart(from old: DaemonSettings, to new: DaemonSettings) -> String? {
    let changed: [(key: String, isChanged: Bool, override: String?)] = [
      ("daemon.state-directory", old.stateDirectory != new.stateDirectory, statePath.map { _ in "--state" }),
      ("daemon.plugin-hosts-max", old.hostCountMax != new.hostCountMax, nil),
      (
        "control.socket", old.control.socketPath != new.control.socketPath,
        controlPath.map { _ in "--control" }
      ),
      ("control.group", old.control.group != new.control.group, nil),
    ].filter(\.isChanged)
    if changed.isEmpty { return nil }
    let overrides = changed.compactMap(\.override).joined(separator: " and ")
    return
      "\(changed.map(\.key).joined(separator: ", ")): changed, but in force only after a restart: restart timelined"
      + (overrides.isEmpty ? "" : " (\(overrides) of the command line comes first)")
  }
}
