package import TimelineConfiguration
package import TimelineCore
package import TimelineHostPool
package import TimelineSystem

/// A configuration whose plugins have been located and inspected.
package struct LoadedConfiguration: Sendable {
  package var configuration: Configuration
  /// Plugin hosts of enabled jobs, by ``Job/kin``. Jobs without a plugin are absent.
  var kinds: [ObjectIdentifier: HostSpec] = [:]
  /// Faults that prevent calls of an enabled job's plugin: the plugin is missing or cannot be loaded, or its schema
  /// rejects the job. The rest of the configuration is valid.
  package var pluginFaults: [JobFault] = []
  /// Jobs that their plugin's schema rejects, or that could not be checked against the schema.
  package var refused: Set<JobName> = []

  /// Returns the kind of plugin host for a job of ``configuration``; `nil` if its plugin was not found.
  package func kind(of job: Job) -> HostSpec? { kinds[job.kin] }

  /// Kinds of the hosts that run enabled jobs.
  package var hostKinds: Set<HostSpec> { Set(kinds.values) }

  /// All faults that prevent runs of enabled jobs: missing files, and plugins that cannot be called.
  package var faults: [JobFault] {
    if configuration.faults.isEmpty { return pluginFaults }
    let disabled = Set(configuration.jobs.lazy.filter { !$0.isEnabled }.map(\.name))
    return configuration.faults.filter { !disabled.contains($0.job) } + pluginFaults
  }

  /// Enabled jobs that do not run: a file or the plugin is missing, or the plugin's schema rejects the job or cannot
  /// be used.
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

  /// Replaces the jobs by the jobs of a reading with other zone rules.
  mutating func replaceJobs(by other: Configuration) {
    var kinds: [ObjectIdentifier: HostSpec] = [:]
    for (old, new) in zip(configuration.jobs, other.jobs) { kinds[new.kin] = self.kinds[old.kin] }
    configuration.replaceJobs(by: other)
    self.kinds = kinds
  }
}

/// A reason why a configuration was not loaded.
package enum LoadFailure: Error, Sendable {
  case files(ConfigurationFileError)
  case refused([Diagnostic])
  /// The configuration was not read within the time limit, or no thread could be started. A retry may succeed.
  case late(String)

  /// The failure for readers who may not read the files, with ``Diagnostic/redacted`` diagnostics.
  package var redacted: LoadFailure {
    if case .refused(let diagnostics) = self { .refused(diagnostics.map(\.redacted)) } else { self }
  }

  /// All errors, in the lines below a message that is itself an error.
  package var details: String {
    switch self {
    case .files(let error): "\(error)\n"
    case .refused(let diagnostics): diagnostics.text(color: false)
    case .late(let text): "\(text)\n"
    }
  }

  /// Returns all errors for people, with one or more lines for each error.
  package func text(color: Bool = false) -> String {
    switch self {
    case .files, .late: "error: \(details)"
    case .refused(let diagnostics): diagnostics.text(color: color)
    }
  }
}

/// Loads configurations in three steps: reading, locating plugins, and inspecting plugins.
///
/// Reading and locating may run on any thread, because disks and name services may not answer. Inspecting starts
/// plugin hosts.
package struct Loader: Sendable {
  /// Path of the main configuration file.
  package let path: String
  package let installation: Installation
  let zones: ZoneCatalog
  /// Processes that reading has started, while they run.
  private let children: OwnChildren
  /// The whole configuration, if it is not from a file but, for example, from standard input.
  private let text: ConfigurationSource?
  /// The instant of `@reboot`; `nil` until it has been read from a ledger.
  package var startOfMachine: WallInstant?

  /// Makes a loader for the configuration at `path`. `children` contains processes that reading has started, while
  /// they run.
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

  /// Makes a loader for a configuration that consists of `source` only.
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
  ///   - refusingForeignWriters: Whether files that other users can change are refused, as by a root daemon.
  ///   - refusingUnknownPlugins: Whether a plugin's name must exist in a plugin directory. Set it if an operator can
  ///     fix the mistake. At the start of a machine, it is more important that the other jobs run.
  ///   - refusingUnknownGroup: Whether the group of the control socket must exist on the machine. Set it if the
  ///     socket is to be created for the group.
  ///   - keepingJobsThatLackFiles: Whether a job with an unreadable zone or holiday list is kept as a fault.
  ///     Otherwise the configuration is refused.
  ///   - formerFiles: The former contents of the files that the configuration in force names, for files that can no
  ///     longer be read.
  ///   - sources: The former sources, if only the included crontabs have changed; `nil` to read the files.
  ///   - now: Dates before this instant count as past.
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

  /// The warning about a `TZ` that is not the name of a zone.
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

  /// Returns the names of the plugins in the directories of the configuration and the installation.
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

  /// Returns the lines of the crontabs at the paths, files or directories.
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

  /// Returns the zone with the name; `nil` if the zone does not exist or its file is damaged.
  package func zone(named name: String) -> Zone? { zones.zone(named: name) }

  /// Directories to watch for changes of zones.
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

  /// Finds each job's plugin and reads the state of its files. May wait for disks.
  package func locate(_ configuration: Configuration) -> PluginPlaces {
    let hosts = hostConfiguration(for: configuration)
    return PluginPlaces(of: configuration, in: hosts.search, userFiles: hosts.userFiles)
  }

  /// Inspects each job's plugin, and checks the job's parameters against the plugin's schema.
  ///
  /// Disabled jobs are checked like the others, so that their faults are found before the jobs are enabled. A fault
  /// of a disabled job is only a warning.
  ///
  /// - Parameters:
  ///   - places: The plugins of `configuration`, from ``locate(_:)``.
  ///   - lookingAtCommands: Whether programs in parameters must exist. Set it for a mere check; for a daemon,
  ///     programs may be installed later.
  ///   - depth: The part of each job's setup that the inspection applies.
  ///   - completion: Called once, on the loop's thread, possibly before this function returns.
  ///
  /// A fault that another user may have caused affects only this user's job. The configuration is not refused.
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
      // The result for a job applies to all jobs of its kin.
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
        // Environment files are read for each run, so no run may use a host that has already read them.
        asked.setup.environmentFiles = []
        inspection.add(index, kind, asking: asked)
      } catch {
        inspection.add(index, failing: error.description)
      }
    }
    inspection.begin(with: hosts)
  }
}
