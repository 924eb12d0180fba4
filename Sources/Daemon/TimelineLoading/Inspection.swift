import TimelineConfiguration
import TimelineCore
import TimelineHostPool
import TimelineSystem

/// The part of a job's setup that the inspection of its plugin applies.
package enum InspectionDepth: Sendable, Hashable {
  /// Only the library, with the rights of the checking user, who may have no access to the job's files. For a mere
  /// check.
  case library
  /// The job's user, which only root can become, and its working directory. Checks the machine's requirements,
  /// independently of the limits of the daemon's service.
  case user
  /// The job's user and its whole setup, as in a run. For the daemon that will run the job, as root or not.
  case run

  /// Returns the setup of the plugin host for the inspection.
  func part(of setup: HostSetup) -> HostSetup {
    guard self != .run else { return setup }
    var part = HostSetup()
    // This is the only limit that can prevent the loading of a library, and setting it needs no rights.
    part.memoryBytes = setup.memoryBytes
    part.pluginDigest = setup.pluginDigest
    if self == .user {
      part.workingDirectory = setup.workingDirectory
      part.sandbox = setup.sandbox
    }
    return part
  }
}

/// The active inspections of plugins for one configuration.
final class Inspection {
  /// One inspection of a plugin, for all jobs that need the same inspection.
  private struct Question {
    var kind: HostSpec
    /// Indexes in the configuration.
    var jobs: [Int] = []
  }

  /// The finding about the first job of a kin.
  private enum Finding {
    case asked(question: Int)
    case failed(reason: String)
  }

  /// A plugin's schema, and the indexes of the jobs to check against it.
  private struct Checked: Sendable {
    var schema: String
    var jobs: [Int]
  }

  /// The result of checking jobs against their schemas.
  private struct Parameters: Sendable {
    var findings: [Int: ParameterFinding] = [:]
    /// Diagnostics about commands and credentials in the parameters.
    var references: [Diagnostic] = []
  }

  private let configuration: Configuration
  private let places: PluginPlaces
  private let loop: EventLoop
  private lazy var cronJobs = configuration.crontabs.cronJobs
  private let looksAtCommands: Bool
  private let completion: (Result<LoadedConfiguration, LoadFailure>) -> Void
  private var loaded: LoadedConfiguration
  private var questions: [Question] = []
  private var numbers: [HostSpec: Int] = [:]
  private var findings: [ObjectIdentifier: Finding] = [:]
  private var faults: [(index: Int, reason: String)] = []
  private var errors: [Diagnostic] = []
  private var unanswered = 0
  private var checked: [Checked] = []
  private var check: DetachedWork<Parameters>?

  init(
    configuration: Configuration, at places: PluginPlaces, loop: EventLoop, lookingAtCommands: Bool,
    completion: @escaping (Result<LoadedConfiguration, LoadFailure>) -> Void
  ) {
    self.configuration = configuration
    self.places = places
    self.loop = loop
    looksAtCommands = lookingAtCommands
    self.completion = completion
    loaded = LoadedConfiguration(configuration: configuration)
  }

  /// Adds a job if the first job of its kin has been added with the same inspection. Returns whether the job was
  /// added.
  func add(_ index: Int, likeKinOf job: Job) -> Bool {
    switch findings[job.kin] {
    case nil: return false
    case .asked(let question)?: questions[question].jobs.append(index)
    case .failed(let reason)?: faults.append((index, reason))
    }
    return true
  }

  /// Adds the first job of a kin. Hosts of the kind `kind` run its jobs. A host of the kind `asked` inspects its
  /// plugin.
  func add(_ index: Int, _ kind: HostSpec, asking asked: HostSpec) {
    let job = configuration.jobs[index]
    let kin = job.kin
    if job.isEnabled { loaded.kinds[kin] = kind }
    let number = numbers[asked] ?? questions.count
    if number == questions.count {
      questions.append(Question(kind: asked))
      numbers[asked] = number
    }
    questions[number].jobs.append(index)
    findings[kin] = .asked(question: number)
  }

  /// Adds the first job of a kin whose plugin was not found.
  func add(_ index: Int, failing reason: String) {
    findings[configuration.jobs[index].kin] = .failed(reason: reason)
    faults.append((index, reason))
  }

  /// Starts all inspections.
  func begin(with hosts: PluginHosts) {
    unanswered = questions.count
    if questions.isEmpty { return finish() }
    for question in questions {
      hosts.describe(question.kind) { answer in
        self.take(answer, question.jobs)
      }
    }
  }

  private func take(_ answer: Result<PluginIdentity, HostFailure>, _ asking: [Int]) {
    switch answer {
    case .success(let identity):
      if !identity.schema.isEmpty { checked.append(Checked(schema: identity.schema, jobs: asking)) }
    case .failure(let failure):
      faults += asking.map { ($0, failure.description) }
    }
    unanswered -= 1
    if unanswered == 0 { checkParameters() }
  }

  /// Checks the jobs against the schemas. Runs on a separate thread, because schemas come from plugins and may take
  /// long to check.
  private func checkParameters() {
    if checked.isEmpty { return finish() }
    let (configuration, checked, looksAtCommands) = (configuration, checked, looksAtCommands)
    do throws(SystemError) {
      check = try DetachedWork(name: "timeline-check", loop: loop) {
        Self.parameters(of: configuration, checked, lookingAtCommands: looksAtCommands)
      } completion: { parameters in
        self.check = nil
        self.take(parameters)
        self.finish()
      }
    } catch {
      completion(.failure(.late("the parameters of jobs cannot be checked now: \(error)")))
    }
  }

  private static func parameters(
    of configuration: Configuration, _ checked: [Checked], lookingAtCommands looksAtCommands: Bool
  ) -> Parameters {
    var result = Parameters()
    for one in checked {
      result.findings.merge(configuration.check(parametersOfJobsAt: one.jobs, against: one.schema)) { $1 }
      guard looksAtCommands else { continue }
      result.references += CommandCheck.diagnostics(
        of: configuration.commands(ofJobsAt: one.jobs, in: one.schema), in: configuration)
      result.references += configuration.missingCredentials(ofJobsAt: one.jobs, in: one.schema)
    }
    return result
  }

  private func take(_ parameters: Parameters) {
    errors += parameters.references
    for (index, finding) in parameters.findings.sorted(on: \.key) {
      let job = configuration.jobs[index]
      switch finding {
      case .unchecked(let reason):
        // The job must not run with unchecked parameters.
        loaded.refused.insert(job.name)
        faults.append((index, reason))
      case .wrong(let diagnostics) where isOfOthers(job):
        if job.isEnabled {
          loaded.refused.insert(job.name)
          // A check reports all faults. A daemon reports one fault per job, so that no job hides the faults of
          // others.
          loaded.pluginFaults += diagnostics.prefix(looksAtCommands ? .max : 1).map {
            JobFault(job: job.name, diagnostic: $0, isOfOthers: true)
          }
        } else {
          errors += diagnostics.map(\.asWarning)
        }
      case .wrong(let diagnostics): errors += diagnostics
      }
    }
  }

  /// Whether a user with fewer rights than this process may be the cause of a fault: the author of the plugin, the
  /// user of its host, or the author of the crontab with the job.
  private func isOfOthers(_ job: Job) -> Bool {
    places.isOfOthers(job) || cronJobs.contains(job.name)
  }

  private func finish() {
    // Answers arrive in any order, so they are sorted by the order of the file.
    for (index, reason) in faults.sorted(on: \.index) {
      let job = configuration.jobs[index]
      var diagnostic = Diagnostic(place: configuration.pluginPlace(ofJobAt: index), message: reason)
      if job.isEnabled {
        loaded.pluginFaults.append(
          JobFault(job: job.name, diagnostic: diagnostic, isOfOthers: isOfOthers(job)))
      } else {
        diagnostic.severity = .warning
        diagnostic.help = ["the job \(job.name) is disabled; fix this before it is enabled"]
        errors.append(diagnostic)
      }
    }
    if errors.contains(where: { $0.severity == .error }) {
      completion(
        .failure(
          .refused(
            configuration.warnings + configuration.sorted(errors) + loaded.pluginFaults.map(\.diagnostic))))
    } else {
      loaded.configuration.warnings += errors
      completion(.success(loaded))
    }
  }
}

extension Diagnostic {
  fileprivate var asWarning: Diagnostic {
    var warning = self
    warning.severity = .warning
    return warning
  }
}
