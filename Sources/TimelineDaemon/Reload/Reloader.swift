import TimelineConfiguration
import TimelineCore
import TimelineEngine
import TimelineLoading
import TimelineSystem
import TimelineSystemd

/// Changes made by a reload.
struct ReloadChanges: Equatable {
  var added: [JobName] = []
  var changed: [JobName] = []
  var removed: [JobName] = []
  var unchangedCount = 0
  /// Warnings about settings and jobs that differ from the files or cannot take effect, one sentence each.
  var warnings: [String] = []

  /// Largest number of jobs with faults in a reply; `list` shows all of them.
  static let warningsMax = 100

  init(from old: [JobDefinition], to new: [JobDefinition]) {
    // Mostly the jobs and their order are the same. Only jobs at other places are looked up by name.
    var isKept = Array(repeating: false, count: old.count)
    var moved: [JobName: Int]?
    for (index, definition) in new.enumerated() {
      var place: Int? = index
      if index >= old.count || old[index].name != definition.name {
        let places =
          moved ?? Dictionary(old.indices.map { (old[$0].name, $0) }, uniquingKeysWith: { first, _ in first })
        moved = places
        place = places[definition.name]
      }
      guard let place else {
        added.append(definition.name)
        continue
      }
      isKept[place] = true
      if old[place] == definition { unchangedCount += 1 } else { changed.append(definition.name) }
    }
    removed = old.indices.filter { !isKept[$0] }.map { old[$0].name }
  }

  /// The changes in one line of text.
  var text: String {
    let parts = [("added", added), ("changed", changed), ("removed", removed)].filter { !$0.1.isEmpty }
      .map { "\($0.0) \($0.1.map(\.text).joined(separator: ", "))" }
    return (parts + ["\(unchangedCount) unchanged"]).joined(separator: "; ")
  }
}

/// Reloads the configuration, one reload at a time. Requests that arrive meanwhile wait for the next reload.
///
/// A configuration with any error changes nothing, even if the error is only a plugin that cannot be loaded. At a reload,
/// unlike at the boot, the operator is present and can fix the error. A fault that another user may have caused suspends only
/// the affected jobs, because otherwise that user could block every reload.
final class Reloader {
  typealias Completion = (Result<ReloadChanges, LoadFailure>) -> Void

  private unowned let daemon: Daemon
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

  init(daemon: Daemon) {
    self.daemon = daemon
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
    let former = wantsFiles ? nil : daemon.loaded.configuration.sources
    (waiting, wantsFiles) = ([], false)
    isReloading = true
    daemon.service.reloading()
    stuck.removeAll(where: \.isOver)
    guard stuck.count < Self.stuckMax else {
      return finish(
        .failure(
          .late("\(stuck.count) earlier reloads still wait for a disk or a name service that does not answer")
        ),
        asked)
    }
    let (loader, now) = (daemon.loader, daemon.now)
    let (formerFiles, root) = (daemon.loaded.configuration.files, daemon.options.machineRoot)
    do throws(SystemError) {
      // On a separate thread, so that a slow disk or name service delays no start.
      reading = try DetachedWork(name: "timeline-read", loop: daemon.loop) {
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
    limit = daemon.loop.after(Self.readingLimit) { [weak self] in self?.giveUp(asked) }
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
      if let activity = reading.cron { daemon.cron.take(activity) }
      daemon.loader.inspect(
        reading.configuration, at: reading.plugins, with: daemon.hosts, depth: { _ in .run }
      ) { [weak self] result in self?.finish(result, asked, reading.warnings) }
    }
  }

  private func finish(
    _ result: Result<LoadedConfiguration, LoadFailure>, _ asked: [Completion], _ warnings: [String] = []
  ) {
    let answer = conclude(result, warnings)
    switch answer {
    case .success(let changes):
      daemon.tally.reloadsSucceeded += 1
      daemon.announcer.announce(.notice, "configuration reloaded: \(changes.text)", kind: .reloaded)
      daemon.subscribers.tell(.reloaded(changes.text))
    case .failure(let failure):
      daemon.tally.reloadsFailed += 1
      daemon.announcer.announce(
        .error,
        "the configuration was not reloaded and the old one stays in force\n\(failure.redacted.text().trimmingNewline)",
        kind: .configurationRefused)
    }
    if !daemon.isDraining { daemon.service.ready(status: daemon.statusText) }
    // After this iteration of the loop, at whose end the text of the files and the former configuration are released.
    daemon.loop.after(.zero) { [writer = daemon.writer] in
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
    daemon.adoptUsers(tellOnce)
    if !isTold { daemon.loop.after(Self.usersPatience, tellOnce) }
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
      let known = Set(daemon.loaded.faults.map { JobFault.Identity($0) })
      let faults = loaded.faults
      // Some faults are no reason to refuse the new configuration of the other jobs: faults that exist already, faults that
      // another user may have caused, and faults of jobs in crontabs.
      let cronJobs = loaded.configuration.crontabs.cronJobs
      if !faults.allSatisfy({
        $0.isOfOthers || known.contains(JobFault.Identity($0)) || cronJobs.contains($0.job)
      }) {
        return .failure(.refused(loaded.configuration.warnings + faults.map(\.diagnostic)))
      }
      let settings = loaded.configuration.daemon
      var loaded = loaded
      loaded.configuration.settle()
      loaded.configuration.leaveJobsToCron(daemon.cron.activity.isActive)
      var changes = ReloadChanges(from: daemon.jobs.definitions, to: loaded.configuration.definitions)
      if let text = daemon.options.needingRestart(from: daemon.jobs.settingsAtStart, to: settings) {
        daemon.announcer.announce(.warning, text)
        changes.warnings.append(text)
      }
      daemon.imports.take(warnings)
      changes.warnings += daemon.imports.warnings
      changes.warnings += (faults + loaded.configuration.cautions).prefix(ReloadChanges.warningsMax).map {
        "\($0.job): \($0.diagnostic.redacted.message)"
      }
      if let note = daemon.noteOnRunLimits(of: loaded) { changes.warnings.append(note) }
      daemon.reload(loaded, changes)
      for status in daemon.engine.statuses(of: changes.added, at: daemon.now) {
        guard let since = status.pausedSince else { continue }
        daemon.announcer.announce(
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
