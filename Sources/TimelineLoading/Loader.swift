package import TimelineConfiguration
package import TimelineCore
package import TimelineHostPool
package import TimelineSystem

/// A configuration with its plugins found and asked who they are.
package struct LoadedConfiguration: Sendable {
  /// The configuration as read from the files.
  package var configuration: Configuration
  /// The plugin hosts of enabled jobs, by their ``Job/kin``; those whose plugin was not found are missing.
  var kinds: [ObjectIdentifier: HostSpec] = [:]
  /// Faults that keep an enabled job's plugin from being called: not found, not loadable, or its schema refuses the job. The rest of the
  /// configuration is sound.
  package var pluginFaults: [JobFault] = []
  /// The jobs that the schema of their plugin refuses, or that could not be held against it.
  package var refused: Set<JobName> = []

  /// Returns the kind of plugin host for a job of ``configuration``; `nil` when its plugin was not found.
  package func kind(of job: Job) -> HostSpec? { kinds[job.kin] }

  /// The kinds of hosts that run enabled jobs.
  package var hostKinds: Set<HostSpec> { Set(kinds.values) }

  /// All that keeps enabled jobs from being run: files that are missing, and plugins that cannot be called.
  package var faults: [JobFault] {
    if configuration.faults.isEmpty { return pluginFaults }
    let disabled = Set(configuration.jobs.lazy.filter { !$0.isEnabled }.map(\.name))
    return configuration.faults.filter { !disabled.contains($0.job) } + pluginFaults
  }

  /// The enabled jobs that are not run: a file is missing, their plugin was not found, or its schema refuses them or cannot be used.
  package var suspended: Set<JobName> {
    let missing = Set(configuration.faults.map(\.job))
    if missing.isEmpty && pluginFaults.isEmpty { return [] }
    return Set(
      configuration.jobs.lazy.filter {
        $0.isEnabled
          && (missing.contains($0.name) || refused.contains($0.name) || self.kind(of: $0) == nil)
      }
      .map(\.name))
  }

  /// Takes in the same jobs by other rules of the zones.
  mutating func replaceJobs(by other: Configuration) {
    var kinds: [ObjectIdentifier: HostSpec] = [:]
    for (old, new) in zip(configuration.jobs, other.jobs) { kinds[new.kin] = self.kinds[old.kin] }
    configuration.replaceJobs(by: other)
    self.kinds = kinds
  }
}

/// Reasons why a configuration was not loaded.
package enum LoadFailure: Error, Sendable {
  /// Its files could not be read.
  case files(ConfigurationFileError)
  /// Its contents have errors.
  case refused([Diagnostic])
  /// It was not read within the time for that, or for want of a thread: trying again may help.
  case late(String)

  /// The failure for readers who may not read the files, as ``Diagnostic/redacted`` is.
  package var redacted: LoadFailure {
    if case .refused(let diagnostics) = self { .refused(diagnostics.map(\.redacted)) } else { self }
  }

  /// All that is wrong, for people, a line or several for each thing.
  package func text(color: Bool = false) -> String {
    switch self {
    case .files(let error): "error: \(error)\n"
    case .refused(let diagnostics): diagnostics.text(color: color)
    case .late(let text): "error: \(text)\n"
    }
  }
}

/// Loads configurations in three steps: reading and locating plugins, which wait for disks and name services, and inspecting, which asks
/// plugins.
///
/// The first two may be done on any thread, and are: files may lie on a disk, and names in a service, that do not answer.
package struct Loader: Sendable {
  /// The main configuration file.
  package let path: String
  /// The paths of the plugin host and of the plugins that no configuration names.
  package let installation: Installation
  let zones: ZoneCatalog
  /// The processes that reading starts, while they run.
  private let children: OwnChildren
  /// The whole configuration where it is no file's, such as standard input.
  private let text: ConfigurationSource?
  /// The instant that `@reboot` stands for; `nil` as long as no ledger has told.
  package var startOfMachine: WallInstant?

  /// Makes a loader of the configuration at `path`. The processes that reading starts are in `children` while they run.
  package init(
    path: String, installation: Installation, zones: ZoneCatalog = ZoneCatalog(),
    children: OwnChildren = OwnChildren()
  ) {
    self.path = path
    self.installation = installation
    self.zones = zones
    self.children = children
    text = nil
  }

  /// Makes a loader of a configuration that is `source` alone.
  package init(of source: ConfigurationSource, installation: Installation) {
    path = source.path
    self.installation = installation
    zones = ZoneCatalog()
    children = OwnChildren()
    text = source
  }

  /// Reads and checks the files.
  ///
  /// - Parameters:
  ///   - refusingForeignWriters: Whether files that others can change are refused; what a daemon with root's rights does.
  ///   - refusingUnknownPlugins: Whether a plugin given by name must be in a plugin directory. It must where somebody is there to
  ///     fix it; at the start of a machine the other jobs matter more.
  ///   - refusingUnknownGroup: Whether the group of the control socket must be one of the machine's. It must where the socket is
  ///     to be made for it.
  ///   - keepingJobsThatLackFiles: Whether a job whose zone or holidays cannot be read is kept, as a fault, and not refused.
  ///   - formerFiles: The files that the configuration in force names, as they were, for those that cannot be read any more.
  ///   - sources: The files as they were, where only the crontabs that they include have changed; `nil` to read them.
  ///   - now: The instant by which dates are judged to be past.
  package func read(
    refusingForeignWriters: Bool, refusingUnknownPlugins: Bool, refusingUnknownGroup: Bool = false,
    keepingJobsThatLackFiles: Bool = false, formerFiles: [String: [UInt8]] = [:],
    of sources: [ConfigurationSource]? = nil, now: WallInstant
  ) throws(LoadFailure) -> Configuration {
    let files = if let sources { ConfigurationFiles(former: sources) } else { try self.files() }
    if refusingForeignWriters, let fault = files.untrusted.first { throw .files(fault) }
    var context = self.context(now: now, refusingForeignWriters: refusingForeignWriters)
    if refusingUnknownPlugins { context.pluginNames = pluginNames }
    if refusingUnknownGroup { context.isGroupMissing = UserRecord.isGroupMissing }
    context.keepsJobsThatLackFiles = keepingJobsThatLackFiles
    context.formerFile = { formerFiles[$0] }
    switch Configuration.read(files.sources, in: context) {
    case .success(var configuration):
      configuration.cautions += cautions(about: configuration)
      if let problem = variableProblem { configuration.warnings.append(problem) }
      return configuration
    case .failure(let refusal): throw .refused(refusal.diagnostics)
    }
  }

  /// The warning about a `TZ` that names no zone.
  var variableProblem: Diagnostic? {
    zones.variableProblem.map { problem in
      Diagnostic(
        severity: .warning, place: SourcePlace(wholeOf: path), message: problem,
        help: ["correct it, or name a zone by `time-zone` in [daemon]"])
    }
  }

  func files() throws(LoadFailure) -> ConfigurationFiles {
    if let text { return ConfigurationFiles(only: text) }
    do {
      return try ConfigurationFiles(at: path)
    } catch {
      throw .files(error)
    }
  }

  /// The names of the plugins in the configuration's own directories and the installation's.
  var pluginNames: ([String]) -> [String] {
    { [installation] in Self.pluginNames(in: installation.pluginDirectories(configured: $0)) }
  }

  func context(now: WallInstant, refusingForeignWriters: Bool) -> ConfigurationContext {
    _ = zones.refresh()
    var context = self.context(now: now)
    context.file = { path in
      do throws(ConfigurationFileError) {
        return .success(
          try ConfigurationFiles.read(file: path, refusingForeignWriters: refusingForeignWriters).bytes)
      } catch {
        guard case .system(let failure) = error else {
          return .failure(FileRefusal(reason: error.description, isOfOthers: true))
        }
        let limit =
          failure.isTooLarge ? ", at most \(ConfigurationLimits.fileByteCountMax) bytes are read" : ""
        return .failure(
          FileRefusal(reason: "\(path): \(failure.plainReason)\(limit)", isMissing: failure.isMissing))
      }
    }
    let calendarReader = CalendarReader(path: installation.calendarReaderPath, children: children)
    context.crontabs = crontabs(at:)
    context.calendar = { _, bytes, years in calendarReader.lines(of: bytes, years: years) }
    return context
  }

  /// Returns the lines of the crontabs at the paths, and in the directories among them.
  package func crontabs(at paths: [String]) -> IncludedCrontabs { CrontabFiles(at: paths).crontabs }

  func context(now: WallInstant) -> ConfigurationContext {
    let machineZoneName = zones.machineZoneName
    let machineZone = zones.zone(named: machineZoneName)
    var context = ConfigurationContext(
      zoneNames: zones.names, machineZone: machineZone ?? Zone(standingInFor: machineZoneName), now: now,
      zone: zones.zone(named:))
    context.zoneProblem = zones.problem(of:)
    if machineZone == nil { context.machineZoneProblem = zones.problem(of: machineZoneName) }
    context.startOfMachine = startOfMachine
    context.isPrivate = { (try? FileFacts(at: $0))?.isReadableByAll != true }
    return context
  }

  /// The zone of that name; `nil` when there is none or its file is damaged.
  package func zone(named name: String) -> Zone? { zones.zone(named: name) }

  /// The directories in which a change of the zones shows.
  package var zoneDirectories: Set<String> { zones.directories }

  private static func pluginNames(in directories: [String]) -> [String] {
    let files = directories.flatMap { (try? DirectoryListing.names(in: $0)) ?? [] }
    return files.filter { $0.hasSuffix(".so") }.map { String($0.dropLast(3)) }
  }

  /// Returns the configuration of the plugin hosts for `configuration`.
  package func hostConfiguration(for configuration: Configuration) -> PluginHosts.Configuration {
    var result = PluginHosts.Configuration(
      hostExecutable: installation.hostPath, pluginDirectories: pluginDirectories(for: configuration))
    result.limits.hostsMax = configuration.daemon.hostCountMax
    return result
  }

  private func pluginDirectories(for configuration: Configuration) -> [String] {
    installation.pluginDirectories(configured: configuration.daemon.pluginDirectories ?? [])
  }

  /// Finds each job's plugin and reads the state of its files, which waits for the disks that have them.
  package func locate(_ configuration: Configuration) -> PluginPlaces {
    let hosts = hostConfiguration(for: configuration)
    return PluginPlaces(of: configuration, in: hosts.search, userFiles: hosts.userFiles)
  }

  /// Asks each job's plugin what parameters it takes, and checks the job's against that.
  ///
  /// Disabled jobs are checked like the others, so that nobody learns only when they are wanted that they are wrong; but what keeps
  /// their plugin from being called is a warning.
  ///
  /// - Parameters:
  ///   - places: Where ``locate(_:)`` found the plugins of `configuration`.
  ///   - lookingAtCommands: Whether programs that parameters name must be there, as whoever only checks wants to know: for a
  ///     daemon they may come later.
  ///   - depth: How much of each job's run its plugin is asked within.
  ///   - completion: Called once, on the loop's thread, possibly before this returns.
  ///
  /// A fault that another user may have caused is one of their job, never a refusal of the configuration.
  package func inspect(
    _ configuration: Configuration, at places: PluginPlaces, with hosts: PluginHosts,
    lookingAtCommands: Bool = false, depth: (Job) -> InspectionDepth,
    completion: @escaping (Result<LoadedConfiguration, LoadFailure>) -> Void
  ) {
    hosts.note(places.files)
    let inspection = Inspection(
      configuration: configuration, at: places, loop: hosts.loop, lookingAtCommands: lookingAtCommands,
      completion: completion)
    for (index, job) in configuration.jobs.enumerated() {
      // What is found out of a job is true of all its kin.
      if inspection.add(index, likeKinOf: job) { continue }
      do {
        let plugin = try places.path(of: job)
        let depth = depth(job)
        let kind = HostSpec(
          pluginPath: plugin, user: depth == .library ? nil : job.user, setup: job.setup,
          isolation: job.isolation)
        var asked = kind
        asked.setup = depth.part(of: job.setup)
        if hosts.configuration.credentialsDirectory == nil { asked.setup.credentials = [:] }
        // They are read for a run, and no run is to have a host that has read them before.
        asked.setup.environmentFiles = []
        inspection.add(index, kind, asking: asked)
      } catch {
        inspection.add(index, failing: error.description)
      }
    }
    inspection.begin(with: hosts)
  }
}
