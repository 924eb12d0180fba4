package import TimelineConfiguration
package import TimelineCore
package import TimelinePlugins
import TimelineSystem

/// A configuration with its plugins found and asked who they are.
package struct LoadedConfiguration: Sendable {
  /// What the files say.
  package var configuration: Configuration
  /// Which host enabled jobs are run by, by their ``Job/kin``; those whose plugin was not found are missing.
  var kinds: [ObjectIdentifier: HostKind] = [:]
  /// What keeps an enabled job's plugin from being called: not found, not loadable. The rest of the configuration is sound.
  package var pluginFaults: [PluginFault] = []

  /// Which host runs a job of ``configuration``; `nil` when its plugin was not found.
  package func kind(of job: Job) -> HostKind? { kinds[job.kin] }

  /// The kinds of hosts that run enabled jobs.
  package var hostKinds: Set<HostKind> { Set(kinds.values) }

  /// Takes in the same jobs by other rules of the zones.
  fileprivate mutating func replaceJobs(by other: Configuration) {
    var kinds: [ObjectIdentifier: HostKind] = [:]
    for (old, new) in zip(configuration.jobs, other.jobs) { kinds[new.kin] = self.kinds[old.kin] }
    configuration.replaceJobs(by: other)
    self.kinds = kinds
  }
}

/// Why a job's plugin cannot be called.
package struct PluginFault: Sendable {
  /// The job.
  package var job: JobName
  /// File, reason and remedy, at the job's place in the configuration.
  package var diagnostic: Diagnostic
}

/// Why a configuration was not loaded.
package enum LoadFailure: Error, Sendable {
  /// Its files could not be read.
  case files(ConfigurationFileError)
  /// What it says is wrong.
  case refused([Diagnostic])

  /// All that is wrong, for people, a line or several for each thing.
  package func text(colour: Bool = false) -> String {
    switch self {
    case .files(let error): "error: \(error)\n"
    case .refused(let diagnostics): diagnostics.text(colour: colour)
    }
  }
}

/// Loads configurations in two steps: reading, which waits for nobody, and inspecting, which asks plugins.
package struct Loader {
  /// The main configuration file.
  package let path: String
  /// Where the host and the plugins lie that no configuration names.
  package let installation: Installation
  private let zones: ZoneCatalog
  /// The instant that `@reboot` stands for; `nil` as long as no ledger has told.
  package var startOfMachine: WallInstant?

  /// Makes a loader of the configuration at `path`.
  package init(path: String, installation: Installation, zones: ZoneCatalog = ZoneCatalog()) {
    self.path = path
    self.installation = installation
    self.zones = zones
  }

  /// Reads and checks the files.
  ///
  /// - Parameters:
  ///   - refusingForeignWriters: Whether files that others can change are refused; what a daemon with root's rights does.
  ///   - refusingUnknownPlugins: Whether a plugin given by name must be in a plugin folder. It must where somebody is there to
  ///     mend it; at the start of a machine the other jobs matter more.
  ///   - refusingUnknownGroup: Whether the group of the control socket must be one of the machine's. It must where the socket is
  ///     to be made for it.
  ///   - now: The instant by which dates are judged to be past.
  ///   - former: The configuration in force, of which what is the same is not read again.
  package func read(
    refusingForeignWriters: Bool, refusingUnknownPlugins: Bool, refusingUnknownGroup: Bool = false,
    now: WallInstant, keeping former: Configuration? = nil
  ) throws(LoadFailure) -> Configuration {
    let sources: [ConfigurationSource]
    do {
      sources = try ConfigurationFiles.read(path, refusingForeignWriters: refusingForeignWriters)
    } catch {
      throw .files(error)
    }
    _ = zones.refresh()
    var context = context(now: now)
    context.file = { path in
      do throws(ConfigurationFileError) {
        return .success(
          try ConfigurationFiles.read(file: path, refusingForeignWriters: refusingForeignWriters).bytes)
      } catch {
        // What to do about it depends on what the file is for.
        if case .system(var error) = error, error.isMissing {
          error.remedy = nil
          return .failure(FileRefusal(reason: error.description))
        }
        return .failure(FileRefusal(reason: error.description))
      }
    }
    let calendarReader = CalendarReader(path: installation.calendarReaderPath)
    context.calendar = { _, bytes, years in calendarReader.lines(of: bytes, years: years) }
    if refusingUnknownPlugins {
      context.pluginNames = { [installation] in
        Self.pluginNames(in: installation.pluginFolders(configured: $0))
      }
    }
    if refusingUnknownGroup { context.isGroupMissing = UserRecord.isGroupMissing }
    switch Configuration.read(sources, in: context, keeping: former) {
    case .success(let configuration): return configuration
    case .failure(let refusal): throw .refused(refusal.diagnostics)
    }
  }

  private func context(now: WallInstant) -> ConfigurationContext {
    var context = ConfigurationContext(
      zoneNames: zones.names, machineZone: zones.machineZone, now: now, zone: zones.zone(named:))
    context.startOfMachine = startOfMachine
    return context
  }

  /// Reads the zones of the machine again; returns what has become of `loaded` where their rules, or which zone is the machine's,
  /// have changed.
  ///
  /// The text of the configuration is the one that was loaded, not what the files say by now: a zone that changes takes no edit
  /// into force that nobody asked for.
  package func refreshZones(of loaded: LoadedConfiguration, now: WallInstant) -> ZoneChange? {
    let names = zones.refresh()
    var context = context(now: now)
    context.file = { path in
      loaded.configuration.files[path].map { .success($0) }
        ?? .failure(FileRefusal(reason: "\(path) was not there before"))
    }
    context.calendar = { path, _, _ in
      loaded.configuration.calendars[path].map { .success($0) }
        ?? .failure(FileRefusal(reason: "\(path) was no calendar before"))
    }
    // What it says was right before; a zone that is gone by now stays as it was.
    guard
      case .success(let configuration) = Configuration.read(
        loaded.configuration.sources, in: context)
    else { return nil }
    let moves = ZoneChange.moves(from: loaded.configuration, to: configuration, after: now)
    let isOtherZone = configuration.daemon.zone != loaded.configuration.daemon.zone
    guard
      isOtherZone
        || zip(configuration.jobs, loaded.configuration.jobs).contains(where: { $0.schedule != $1.schedule })
    else { return nil }
    var result = loaded
    result.replaceJobs(by: configuration)
    return ZoneChange(zones: names, moves: moves, at: now, loaded: result)
  }

  /// The folders in which a change of the zones shows.
  package var zoneFolders: Set<String> { zones.folders }

  private static func pluginNames(in folders: [String]) -> [String] {
    let files = folders.flatMap { (try? DirectoryListing.names(in: $0)) ?? [] }
    return files.filter { $0.hasSuffix(".so") }.map { String($0.dropLast(3)) }
  }

  /// How plugins are run for `configuration`.
  package func hostConfiguration(for configuration: Configuration) -> PluginHosts.Configuration {
    var result = PluginHosts.Configuration(
      hostExecutable: installation.hostPath, pluginFolders: pluginFolders(for: configuration))
    result.limits.hostsMax = configuration.daemon.hostCountMax
    return result
  }

  private func pluginFolders(for configuration: Configuration) -> [String] {
    installation.pluginFolders(configured: configuration.daemon.pluginFolders ?? [])
  }

  /// Finds each job's plugin, asks it what parameters it takes, and checks the job's against that.
  ///
  /// Disabled jobs are checked like the others, so that nobody learns only when they are wanted that they are wrong; but what keeps
  /// their plugin from being called is a warning.
  ///
  /// - Parameters:
  ///   - depth: How much of each job's run its plugin is asked within.
  ///   - completion: Called once, on the loop's thread, possibly before this returns.
  package func inspect(
    _ configuration: Configuration, with hosts: PluginHosts, depth: (Job) -> InspectionDepth,
    completion: @escaping (Result<LoadedConfiguration, LoadFailure>) -> Void
  ) {
    let inspection = Inspection(configuration: configuration, completion: completion)
    let search = PluginSearch(folders: pluginFolders(for: configuration))
    for (index, job) in configuration.jobs.enumerated() {
      // What is found out of a job is true of all its kin.
      if inspection.add(index, likeKinOf: job) { continue }
      do {
        let plugin = try search.path(of: job.plugin.text)
        let depth = depth(job)
        let kind = HostKind(
          pluginPath: plugin, user: depth == .library ? nil : job.user, setup: job.setup,
          isolation: job.isolation)
        var asked = kind
        asked.setup = depth.part(of: job.setup)
        if hosts.configuration.credentialsFolder == nil { asked.setup.credentials = [:] }
        inspection.add(index, kind, asking: asked)
      } catch {
        inspection.add(index, failing: error.description)
      }
    }
    inspection.begin(with: hosts)
  }
}
