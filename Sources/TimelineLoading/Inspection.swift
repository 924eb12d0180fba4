import TimelineConfiguration
import TimelineCore
import TimelineHostPool

/// The part of a job's setup in which its plugin is inspected.
package enum InspectionDepth: Sendable, Hashable {
  /// The library alone, as whoever asks, who may not be let into or read what the job names; for those who only check.
  case library
  /// The job's user, which only root can become, and its working directory: checks what the machine has,
  /// independently of the limits of the daemon's service.
  case user
  /// The job's user and all of its setup, as in a run; for the daemon that will run it, root or not.
  case run

  /// Returns the setup of the plugin host that inspects.
  func part(of setup: HostSetup) -> HostSetup {
    guard self != .run else { return setup }
    var part = HostSetup()
    // It alone of the bounds can keep a library from being loaded, and takes no rights.
    part.memoryBytes = setup.memoryBytes
    part.pluginDigest = setup.pluginDigest
    if self == .user {
      part.workingDirectory = setup.workingDirectory
      part.sandbox = setup.sandbox
    }
    return part
  }
}

/// The questions to plugins that are under way for one configuration.
final class Inspection {
  /// An inspection of a plugin, once for all the jobs that need the same one.
  private struct Question {
    var kind: HostSpec
    /// The jobs, by their indexes in the configuration.
    var jobs: [Int] = []
  }

  /// The finding about the first job of a kin.
  private enum Finding {
    case asked(question: Int)
    case failed(reason: String)
  }

  private let configuration: Configuration
  private let looksAtCommands: Bool
  private let completion: (Result<LoadedConfiguration, LoadFailure>) -> Void
  private var loaded: LoadedConfiguration
  private var questions: [Question] = []
  private var numbers: [HostSpec: Int] = [:]
  private var findings: [ObjectIdentifier: Finding] = [:]
  private var faults: [(index: Int, reason: String)] = []
  private var errors: [Diagnostic] = []
  private var unanswered = 0

  init(
    configuration: Configuration, lookingAtCommands: Bool,
    completion: @escaping (Result<LoadedConfiguration, LoadFailure>) -> Void
  ) {
    self.configuration = configuration
    looksAtCommands = lookingAtCommands
    self.completion = completion
    loaded = LoadedConfiguration(configuration: configuration)
  }

  /// Adds a job like the first of its kin; returns whether there was one.
  func add(_ index: Int, likeKinOf job: Job) -> Bool {
    switch findings[job.kin] {
    case nil: return false
    case .asked(let question)?: questions[question].jobs.append(index)
    case .failed(let reason)?: faults.append((index, reason))
    }
    return true
  }

  /// Adds the first job of a kin, which `kind` runs; its plugin is asked in a host of the kind `asked`.
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

  /// Adds the first job of a kin whose plugin is not to be found.
  func add(_ index: Int, failing reason: String) {
    findings[configuration.jobs[index].kin] = .failed(reason: reason)
    faults.append((index, reason))
  }

  /// Asks all there is to ask.
  func begin(with hosts: PluginHosts) {
    unanswered = questions.count
    if questions.isEmpty { finish() }
    for question in questions {
      hosts.describe(question.kind) { answer in
        self.take(answer, question.jobs)
      }
    }
  }

  private func take(_ answer: Result<PluginIdentity, HostFailure>, _ asking: [Int]) {
    switch answer {
    case .success(let identity):
      guard !identity.schema.isEmpty else { break }
      if let fault = PluginSchema.fault(in: identity.schema) {
        // The plugin's mistake costs its own jobs, which are not run with parameters that nobody checked.
        for index in asking { loaded.kinds[configuration.jobs[index].kin] = nil }
        faults += asking.map { index -> (index: Int, reason: String) in
          let plugin = configuration.jobs[index].plugin
          return (
            index, "the plugin \"\(plugin)\" gives a schema of its parameters that cannot be used: \(fault)"
          )
        }
      } else {
        errors += configuration.check(parametersOfJobsAt: asking, against: identity.schema)
        if looksAtCommands {
          errors += CommandCheck.diagnostics(
            of: configuration.commands(ofJobsAt: asking, in: identity.schema), in: configuration)
          errors += configuration.missingCredentials(ofJobsAt: asking, in: identity.schema)
        }
      }
    case .failure(let failure):
      faults += asking.map { ($0, failure.description) }
    }
    unanswered -= 1
    if unanswered == 0 { finish() }
  }

  private func finish() {
    // In the order of the file, whoever answered first.
    for (index, reason) in faults.sorted(by: { $0.index < $1.index }) {
      let job = configuration.jobs[index]
      var diagnostic = Diagnostic(place: configuration.pluginPlace(ofJobAt: index), message: reason)
      if job.isEnabled {
        loaded.pluginFaults.append(JobFault(job: job.name, diagnostic: diagnostic))
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
