internal import TimelineConfiguration
package import TimelineCore
internal import TimelineSystem
package import TimelineWire

/// All checks of one plugin. They run in plugin hosts, so that a crash is a finding.
package struct ConformanceSuite {
  /// The plugin, and the limits of its test.
  package struct Setup: Sendable {
    package var hostPath: String
    /// The library and the user.
    package var load: LoadRequest
    package var parameters: String
    /// Parameters of a run that continues until it is requested to stop.
    package var cancelParameters: String
    /// Runs after which the process must not have grown.
    package var runs: Int
    /// Time limit of one call.
    package var limit: ElapsedTime
    /// Time within which a run must return after a request to stop.
    package var grace: ElapsedTime

    package init(
      hostPath: String, load: LoadRequest, parameters: String, cancelParameters: String, runs: Int,
      limit: ElapsedTime, grace: ElapsedTime
    ) {
      self.hostPath = hostPath
      self.load = load
      self.parameters = parameters
      self.cancelParameters = cancelParameters
      self.runs = runs
      self.limit = limit
      self.grace = grace
    }
  }

  let setup: Setup
  let job: JobName
  var findings: [ConformanceCheck: ConformanceFinding] = [:]
  var description: PluginDescription?
  /// Set by the last run.
  private var cursor: [UInt8] = []
  /// Whether open or run has failed.
  private var hasFailure = false
  /// Text of the first failure with a status that the header does not define.
  private var unknownStatus: String?
  /// Text of the first failure without a text from the plugin.
  private var silentFailure: String?

  /// Makes the suite of a plugin; `job` is the job's name.
  package init(_ setup: Setup, job: JobName) {
    self.setup = setup
    self.job = job
  }

  /// Performs all checks. Returns the findings in the order of the checks.
  package mutating func run() throws -> [ConformanceFinding] {
    try checkLife()
    if description != nil {
      try checkCancellation()
      try checkRefusal()
      if findings[.runReturns]?.verdict == .passed {
        try checkInstances()
        try checkTwoHosts()
      }
      checkFailures()
    }
    return ConformanceCheck.allCases.map { check in
      findings[check]
        ?? ConformanceFinding(check: check, verdict: .skipped, text: "an earlier check failed")
    }
  }

  mutating func note(_ check: ConformanceCheck, _ verdict: ConformanceFinding.Verdict, _ text: String = "") {
    // Only the first failure of a check is recorded.
    guard findings[check]?.verdict != .failed else { return }
    findings[check] = ConformanceFinding(check: check, verdict: verdict, text: text)
  }

  /// Calls `body` with a host that has loaded the plugin. Records a fault of the host as a failure of `check`.
  mutating func withHost(
    _ check: ConformanceCheck, _ body: (inout ConformanceSuite, TrialHost) throws -> Void
  ) throws {
    do {
      let host = try TrialHost(path: setup.hostPath)
      guard try load(in: host) else { return }
      try body(&self, host)
    } catch let error as WireError {
      throw error
    } catch let fault as TrialHost.Fault where fault.isOfStart {
      throw fault
    } catch {
      note(check, .failed, "\(error)")
    }
  }

  /// Loads the plugin. Also records the first load as findings.
  private mutating func load(in host: TrialHost) throws(TrialHost.Fault) -> Bool {
    switch try host.load(setup.load, within: setup.limit) {
    case .success(let description):
      if self.description == nil { judge(description) }
      self.description = description
      return true
    case .failure(let refusal):
      let failed = ConformanceCheck(refusalReason: refusal.reason)
      for check in ConformanceCheck.loading {
        if check == failed { break }
        note(check, .passed)
      }
      note(failed, .failed, "\(refusal.reason); \(refusal.remedy)")
      return false
    }
  }

  private mutating func judge(_ description: PluginDescription) {
    for check in ConformanceCheck.loading { note(check, .passed) }
    note(.texts, .passed, "\(description.name) \(description.version): \(description.summary)")
    note(.abi, .passed, "\(description.abiOldest) to \(description.abiNewest)")
    guard let schema = description.parametersSchema else { return note(.schema, .passed, "none") }
    if let fault = PluginSchema.fault(in: schema) { note(.schema, .failed, fault) }
  }

  /// Returns the request of run number `number`.
  func request(_ number: UInt64, instance: UInt32 = 0, after previous: RunEnd? = nil) throws(WireError)
    -> RunRequest
  {
    let now = SystemTime.now()
    return try RunRequest(
      run: number, runKey: "\(job)/\(number)", nominal: now, actual: now,
      previous: previous.map { .init(status: $0.status, text: $0.text) },
      cursor: previous == nil ? [] : cursor, instance: instance)
  }

  /// Opens an instance with the parameters of the setup. If the plugin does not open the instance, records a finding
  /// and returns false.
  mutating func open(_ host: TrialHost, _ check: ConformanceCheck, instance: UInt32 = 0) throws -> Bool {
    let request = try OpenRequest(job: job, parameters: setup.parameters, instance: instance)
    guard let failure = try host.open(request, within: setup.limit) else { return true }
    take(failure: failure.text)
    note(check, .failed, "\(failure.text); give the parameters of a job with --with")
    return false
  }

  /// Calls run, and stores the cursor that the run has set.
  mutating func call(_ host: TrialHost, _ request: RunRequest) throws -> RunEnd {
    let end = try host.run(request, within: setup.limit).end
    if end.status == .failed || end.status == .failedForNow { take(failure: end.text) }
    cursor = end.cursor ?? cursor
    return end
  }

  /// Records the text of a failure. If the plugin gave no text, the host has written a default text.
  mutating func take(failure text: String) {
    hasFailure = true
    if text.contains(", which is no status") { unknownStatus = unknownStatus ?? text }
    if text.hasSuffix("its author should call set_error") { silentFailure = silentFailure ?? text }
  }

  private mutating func checkFailures() {
    note(.knownStatus, unknownStatus == nil ? .passed : .failed, unknownStatus ?? "")
    if let silentFailure { return note(.saysWhy, .failed, silentFailure) }
    note(.saysWhy, hasFailure ? .passed : .skipped, hasFailure ? "" : "nothing failed")
  }
}
