import ArgumentParser
import TimelineConfiguration
import TimelineCore
import TimelineLoading
import TimelinePlugins
import TimelineSystem

/// `timelinectl check`: everything that is wrong with a configuration, before a daemon sees it.
struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check a configuration and every job's parameters against its plugin.",
    discussion: "Exits 0 when nothing is wrong, warnings aside, and 1 otherwise. Nothing is run.")

  @Argument(help: "The main file; jobs.d beside it is read too.", completion: .file(extensions: ["toml"]))
  var file = ConfigurationOptions.defaultPath

  @Option(
    help: ArgumentHelp(
      "Folders in which plugins are looked up by name, separated by colons, before the configured ones.",
      valueName: "folders"),
    completion: .directory)
  var plugins: String?

  @Option(help: ArgumentHelp("The timeline-host program.", valueName: "file"), completion: .file())
  var host: String?

  @Flag(
    help: """
      Do not look at this machine, as for another's configuration: plugins are not loaded, so that parameters stay \
      unchecked, and users, groups, credentials and working folders are not looked up.
      """)
  var skipPlugins = false

  @OptionGroup var output: OutputOptions

  func run() throws {
    let loader = Loader(path: file, installation: Installation(hostPath: host, pluginFolders: plugins))
    let configuration: Configuration
    do {
      configuration = try loader.read(
        refusingForeignWriters: false, refusingUnknownPlugins: !skipPlugins,
        refusingUnknownGroup: !skipPlugins, now: SystemTime.now())
    } catch {
      throw try report(error)
    }
    let proof = configuration.proveExpectations(from: SystemTime.now())
    if skipPlugins {
      return try conclude(configuration, proof, configuration.warnings + proof.diagnostics)
    }
    let surroundings = Surroundings(of: configuration)
    let said = proof.diagnostics + surroundings.diagnostics
    switch try inspect(configuration, with: loader, in: surroundings) {
    case .failure(.refused(let diagnostics)):
      throw try report(.refused(configuration.sorted(diagnostics + said)))
    case .failure(let failure):
      throw try report(failure)
    case .success(let loaded):
      try conclude(
        loaded.configuration, proof,
        loaded.configuration.warnings + said + loaded.pluginFaults.map(\.diagnostic))
    }
  }

  private func inspect(
    _ configuration: Configuration, with loader: Loader, in surroundings: Surroundings
  ) throws -> Result<LoadedConfiguration, LoadFailure> {
    let loop = try EventLoop()
    let hosts = PluginHosts(loop: loop, configuration: loader.hostConfiguration(for: configuration)) { _ in }
    var result: Result<LoadedConfiguration, LoadFailure>?
    // Only root can become another user; which of a job's users and folders are not there has been told already.
    let isRoot = CurrentProcess.effectiveUser == 0
    let depth = { (job: Job) -> InspectionDepth in isRoot && surroundings.isSound(job) ? .user : .library }
    loader.inspect(configuration, with: hosts, depth: depth) { answer in
      result = answer
      hosts.shutDown { loop.stop() }
    }
    loop.run()
    guard let result else { throw fail("the plugins were not heard of") }
    return result
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
      return output.json ? ExitCode(1) : fail("\(file): \(errors == 1 ? "1 error" : "\(errors) errors")")
    }
  }

  private func conclude(
    _ configuration: Configuration, _ proof: ExpectationProof, _ diagnostics: [Diagnostic]
  ) throws {
    let diagnostics = configuration.sorted(diagnostics)
    if diagnostics.contains(where: { $0.severity == .error }) { throw try report(.refused(diagnostics)) }
    try show(diagnostics)
    guard !output.json else { return }
    let jobs = configuration.jobs.count == 1 ? "1 job" : "\(configuration.jobs.count) jobs"
    try Output.print("\(file): \(jobs)\(Self.summary(of: proof)), no errors\n")
  }

  /// How many expectations were proven, with a comma before it; empty when there are none.
  private static func summary(of proof: ExpectationProof) -> String {
    let count = proof.heldCount + proof.untoldCount
    if count == 0 { return "" }
    guard proof.untoldCount > 0 else {
      return count == 1 ? ", 1 expectation held" : ", \(count) expectations held"
    }
    return ", \(proof.heldCount) of \(count) expectations held, \(proof.untoldCount) cannot be told"
  }

  private func show(_ diagnostics: [Diagnostic]) throws {
    if output.json {
      try Output.print(diagnostics.jsonLines)
    } else {
      CurrentProcess.printError(diagnostics.text(colour: CurrentProcess.errorShowsColours))
    }
  }
}
