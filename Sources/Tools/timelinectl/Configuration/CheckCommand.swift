import ArgumentParser
import TimelineConfiguration
import TimelineCore
import TimelineLoading
import TimelineHostPool
import TimelineSystem

/// `timelinectl check`: reports all errors of a configuration before a daemon reads it.
struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check a configuration and every job's parameters against its plugin.",
    discussion: "Exits 0 when nothing is wrong, warnings aside, and 1 otherwise. Nothing is run.")

  @Argument(
    help: "The main file; jobs.d beside it is read too. \"-\" reads standard input, which is then all of it.",
    completion: .file(extensions: ["toml"]))
  var file = ConfigurationOptions.defaultPath

  @Option(
    help: ArgumentHelp(
      "Directories in which plugins are looked up by name, separated by colons, before the configured ones.",
      valueName: "directories"),
    completion: .directory)
  var plugins: String?

  @Option(help: ArgumentHelp("The timeline-host program.", valueName: "file"), completion: .file())
  var host: String?

  @Flag(
    help: """
      Do not look at this machine, as for another's configuration: plugins are not loaded, so that parameters stay \
      unchecked, and users, groups, credentials and working directories are not looked up.
      """)
  var skipPlugins = false

  @OptionGroup var output: OutputOptions

  func validate() throws { try InstalledPlugins.refuseMissing(plugins) }

  func run() throws {
    let installation = Installation(hostPath: host, pluginDirectories: plugins)
    let loader = try self.loader(installation)
    let (readable, said): (Configuration?, [Diagnostic])
    do {
      (readable, said) = try loader.examine(forThisMachine: !skipPlugins, now: SystemTime.now())
    } catch {
      throw try report(error)
    }
    guard var configuration = readable else { throw try report(.refused(said)) }
    // The warnings are among the diagnostics already.
    configuration.warnings = []
    let proof = configuration.proveExpectations(from: SystemTime.now())
    var diagnostics = said + proof.diagnostics + configuration.idleExpectations
    if !skipPlugins {
      let surroundings = Surroundings(of: configuration, at: loader.path)
      diagnostics += surroundings.diagnostics
      if installation.hostFault == nil {
        diagnostics += try inspect(configuration, with: loader, in: surroundings)
      }
    }
    let crontabs = Set(configuration.crontabs.lines.map(\.place.path))
    for index in diagnostics.indices where crontabs.contains(diagnostics[index].place.path) {
      // A warning, because the error disables only its own job.
      diagnostics[index].severity = .warning
    }
    try conclude(configuration, proof, Self.withoutRepetitions(diagnostics))
  }

  /// The name of standard input in messages.
  private static let standardInput = "<stdin>"

  private var shownFile: String { file == "-" ? Self.standardInput : file }

  private func loader(_ installation: Installation) throws -> Loader {
    guard file == "-" else { return Loader(path: file, installation: installation) }
    do {
      // One byte more than allowed, so that the reader reports text that is too long.
      let bytes = try StandardInput.read(atMost: ConfigurationLimits.fileByteCountMax + 1)
      return Loader(
        of: ConfigurationSource(path: Self.standardInput, bytes: bytes), installation: installation)
    } catch {
      throw fail("timelinectl: error: standard input: \(error.reason.lowercased())", status: .inputOutput)
    }
  }

  /// Errors and warnings about plugins.
  private func inspect(
    _ configuration: Configuration, with loader: Loader, in surroundings: Surroundings
  ) throws -> [Diagnostic] {
    let loop = try EventLoop()
    var hostConfiguration = loader.hostConfiguration(for: configuration)
    hostConfiguration.holdsRunLimits = false
    let hosts = PluginHosts(loop: loop, configuration: hostConfiguration) { _ in }
    var result: Result<LoadedConfiguration, LoadFailure>?
    // Only root can become another user. Missing users and directories of jobs have been reported already.
    let isRoot = CurrentProcess.effectiveUser == 0
    let depth = { (job: Job) -> InspectionDepth in isRoot && surroundings.isSound(job) ? .user : .library }
    loader.inspect(
      configuration, at: loader.locate(configuration), with: hosts, lookingAtCommands: true, depth: depth
    ) { answer in
      result = answer
      hosts.shutDown { loop.stop() }
    }
    loop.run()
    switch result {
    case .success(let loaded)?: return loaded.configuration.warnings + loaded.pluginFaults.map(\.diagnostic)
    case .failure(.refused(let diagnostics))?: return diagnostics
    case .failure(let failure)?: throw try report(failure)
    case nil: throw fail("error: the plugins did not answer: try again")
    }
  }

  /// Each diagnostic once: both the reader and the plugin's schema report a value of the wrong type.
  private static func withoutRepetitions(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
    struct Key: Hashable {
      let place: SourcePlace
      let message: String
    }
    var seen: Set<Key> = []
    return diagnostics.filter { seen.insert(Key(place: $0.place, message: $0.message)).inserted }
  }

  private func report(_ failure: LoadFailure) throws -> ExitCode {
    switch failure {
    case .files(let error):
      return fail("error: \(error)")
    case .late(let text):
      return fail("error: \(text)")
    case .refused(let diagnostics):
      try show(diagnostics)
      let errors = diagnostics.count { $0.severity == .error }
      return output.json ? ExitCode(1) : fail("\(shownFile): \(errors == 1 ? "1 error" : "\(errors) errors")")
    }
  }

  private func conclude(
    _ configuration: Configuration, _ proof: ExpectationProof, _ diagnostics: [Diagnostic]
  ) throws {
    let imports = skipPlugins ? [] : Self.warnings(onImportsOf: configuration)
    let diagnostics = configuration.sorted(diagnostics + imports)
    if diagnostics.contains(where: { $0.severity == .error }) { throw try report(.refused(diagnostics)) }
    try show(diagnostics)
    guard !output.json else { return }
    let jobs = configuration.jobs.count == 1 ? "1 job" : "\(configuration.jobs.count) jobs"
    try Output.print("\(shownFile): \(jobs)\(Self.summary(of: proof)), no errors\n")
    guard !skipPlugins else { return }
    if let note = Self.noteOnCron(configuration) { try Output.print("\(note)\n") }
    for note in [ServiceRights.note(on: configuration), RunLimitsSupport.note(on: configuration)] {
      if let note { try Output.print("\(note)\n") }
    }
  }

  /// A note on the jobs of included crontabs that cron runs; `nil` if there are no such jobs or if timelined runs
  /// them. Queries systemd, which may take a second.
  private static func noteOnCron(_ configuration: Configuration) -> String? {
    let count = configuration.crontabs.cronJobs.count
    guard count > 0 else { return nil }
    let jobs = count == 1 ? "1 job of a crontab" : "\(count) jobs of crontabs"
    do throws(UnknownCronActivity) {
      switch try CronActivity.look(below: "", crontabs: configuration.daemon.crontabs) {
      case .active(let clause): return "\(jobs) \(count == 1 ? "is" : "are") left to cron: \(clause)"
      case .inactive: return nil
      }
    } catch {
      return "\(jobs) may be left to cron: \(error.reason)"
    }
  }

  /// Warnings about imported files whose jobs cron or systemd still runs as well. Queries systemd, which may take a
  /// second.
  private static func warnings(onImportsOf configuration: Configuration) -> [Diagnostic] {
    ImportOrigins.conflicts(of: configuration.sources, below: "").map { path, conflict in
      Diagnostic(
        severity: .warning, place: SourcePlace(wholeOf: path),
        message: "\(conflict.fact), as well as this file",
        help: [conflict.remedy])
    }
  }

  /// `, 3 expectations held`: the number of proven expectations; empty if the configuration has no expectations.
  private static func summary(of proof: ExpectationProof) -> String {
    let count = proof.heldCount + proof.untoldCount
    if count == 0 { return "" }
    guard proof.untoldCount > 0 else {
      return count == 1 ? ", 1 expectation held" : ", \(count) expectations held"
    }
    return ", \(proof.heldCount) of \(count) expectations held, \(proof.untoldCount) undecided"
  }

  private func show(_ diagnostics: [Diagnostic]) throws {
    if output.json {
      try Output.print(diagnostics.jsonLines)
    } else {
      CurrentProcess.printError(diagnostics.text(color: CurrentProcess.errorShowsColors))
    }
  }
}
