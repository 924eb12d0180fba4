package import TimelineCore

/// Request of a client to the daemon.
package enum ControlRequest: Sendable, Hashable {
  /// The daemon's status; answer with ``StatusReply``.
  case status
  /// All jobs; answer with ``ListReply``.
  case list
  /// The configuration in effect; answer with ``ConfigurationReply``.
  case configuration
  /// The events at a moment and their reasons; answer with ``WhyReply``. No text is checked.
  case why(job: String, moment: String, zone: String? = nil)
  /// The next entries of a job; answer with ``NextReply``.
  case next(NextParameters)
  /// A job's schedule in words; answer with ``ExplainReply``.
  case explain(ExplainParameters)
  /// Outcomes of entries; answer with ``HistoryReply``.
  case history(HistoryParameters)
  /// Events as they happen; answer with ``WatchReply`` until the client disconnects.
  case watch(job: String?)
  /// Output of a job's last runs; answer with ``LogsReply``.
  case logs(job: String, limit: Int)
  /// Read the configuration again; answer with ``ReloadReply`` when it is in force, or ``ControlError/reloadFailed(diagnostics:)``.
  case reload
  /// Run a job now; answer with ``TriggerReply``. The name is not checked.
  case trigger(job: String)
  /// Start no entry of the jobs until they are resumed; answer with ``PauseReply``. There is at least one name, and the reason is
  /// within its bound.
  case pause(jobs: [String], reason: String? = nil)
  /// Let a job go on, `nil` for its own policy for missed entries; answer with ``ResumeReply``.
  case resume(job: String, catchUp: MissedPolicy.Choice?)
  /// Let a job go on that waits because the clock was set back; answer with ``ReleaseReply``.
  case release(job: String)
  /// The daemon's clock; answer with ``ClockReply``.
  case clock
  /// Change a rehearsal's clock; answer with ``ClockReply``. No text is checked.
  case controlClock(ClockControl)
  /// The daemon's mode; answer with ``ModeReply``.
  case mode
  /// Choose the daemon's mode; answer with ``ModeReply``.
  case setMode(ModeChoice, cadence: LowFrequencyCadence? = nil)
  /// The daemon's cluster; answer with ``ClusterReply``.
  case cluster
  /// Outcomes of entries on all nodes; answer with ``ClusterHistoryReply``.
  case clusterHistory(HistoryParameters)
  /// Have jobs run as this node defines them; answer with ``ClusterReply``.
  case activateJobs([String])
  /// Leave the cluster; answer with ``ClusterReply``.
  case leaveCluster
  /// Ask a run to stop; answer with ``CancelReply``.
  case cancel(run: UInt64)
  /// Drain and end; answer with ``StopReply`` when draining. Runs are asked to stop at once if it is to be `now`.
  case stop(now: Bool)

  /// Whether it is only for root and the configured users: it changes something, or shows what files may keep from others.
  package var needsPermission: Bool {
    switch self {
    case .status, .list, .why, .next, .explain, .history, .watch, .logs, .clock, .mode, .cluster,
      .clusterHistory:
      false
    case .configuration, .reload, .trigger, .pause, .resume, .release, .controlClock, .setMode,
      .activateJobs, .leaveCluster, .cancel, .stop:
      true
    }
  }

  /// Reads a call of our interface; throws what to reply when its parameters are wrong.
  package init(_ call: VarlinkCall) throws(VarlinkError) {
    switch call.method {
    case Self.fullName("Status"): self = .status
    case Self.fullName("List"): self = .list
    case Self.fullName("Configuration"): self = .configuration
    case Self.fullName("Why"):
      let parameters = try call.parameters(as: WhyParameters.self)
      self = .why(job: parameters.job, moment: parameters.moment, zone: parameters.zone)
    case Self.fullName("Next"):
      let parameters = try call.parameters(as: NextParameters.self)
      try Self.check(parameters.limit, atMost: ControlLimits.nextMax)
      self = .next(parameters)
    case Self.fullName("Explain"):
      let parameters = try call.parameters(as: ExplainParameters.self)
      guard (1...ControlLimits.explainedYearsMax).contains(parameters.years ?? 1) else {
        throw .invalidParameter("years")
      }
      self = .explain(parameters)
    case Self.fullName("History"):
      let parameters = try call.parameters(as: HistoryParameters.self)
      try Self.check(parameters.limit, atMost: ControlLimits.historyMax)
      self = .history(parameters)
    case Self.fullName("Watch"):
      guard call.wantsMore else { throw .invalidParameter("more") }
      self = .watch(job: try call.parameters(as: WatchParameters.self).job)
    case Self.fullName("Logs"):
      let parameters = try call.parameters(as: LogsParameters.self)
      try Self.check(parameters.limit, atMost: ControlLimits.logsMax)
      self = .logs(job: parameters.job, limit: parameters.limit ?? ControlLimits.logsDefault)
    case Self.fullName("Reload"): self = .reload
    case Self.fullName("Trigger"): self = .trigger(job: try call.parameters(as: TriggerParameters.self).job)
    case Self.fullName("Pause"):
      let parameters = try call.parameters(as: PauseParameters.self)
      guard !parameters.jobs.isEmpty else { throw .invalidParameter("jobs") }
      guard (parameters.reason ?? "").utf8.count <= ControlLimits.reasonBytesMax else {
        throw .invalidParameter("reason")
      }
      self = .pause(jobs: parameters.jobs, reason: parameters.reason)
    case Self.fullName("Resume"):
      let parameters = try call.parameters(as: ResumeParameters.self)
      let choice = parameters.catchUp.flatMap(MissedPolicy.Choice.init(rawValue:))
      if parameters.catchUp != nil && choice == nil { throw .invalidParameter("catchUp") }
      self = .resume(job: parameters.job, catchUp: choice)
    case Self.fullName("Release"): self = .release(job: try call.parameters(as: ReleaseParameters.self).job)
    case Self.fullName("Cancel"): self = .cancel(run: try call.parameters(as: CancelParameters.self).run)
    case Self.fullName("Stop"):
      self = .stop(now: try call.parameters(as: StopParameters.self).now ?? false)
    case Self.fullName("Clock"): self = .clock
    case Self.fullName("Cluster"): self = .cluster
    case Self.fullName("ClusterHistory"):
      let parameters = try call.parameters(as: HistoryParameters.self)
      try Self.check(parameters.limit, atMost: ControlLimits.clusterHistoryMax)
      self = .clusterHistory(parameters)
    case Self.fullName("ActivateJobs"):
      self = .activateJobs(try call.parameters(as: ActivateJobsParameters.self).jobs)
    case Self.fullName("LeaveCluster"): self = .leaveCluster
    case Self.fullName("Mode"): self = .mode
    case Self.fullName("SetMode"):
      self = try Self.setMode(call.parameters(as: SetModeParameters.self))
    default:
      guard let control = try ClockControl(call) else { throw .methodNotFound(call.method) }
      self = .controlClock(control)
    }
  }

  private static func setMode(_ parameters: SetModeParameters) throws(VarlinkError) -> ControlRequest {
    guard let choice = ModeChoice(rawValue: parameters.mode) else { throw .invalidParameter("mode") }
    let cadence = parameters.cadence.flatMap(LowFrequencyCadence.init(rawValue:))
    if parameters.cadence != nil, cadence == nil || choice != .lowFrequency {
      throw .invalidParameter("cadence")
    }
    return .setMode(choice, cadence: cadence)
  }

  private static func check(_ limit: Int?, atMost bound: Int) throws(VarlinkError) {
    guard (1...bound).contains(limit ?? 1) else { throw .invalidParameter("limit") }
  }

  /// Every method of the interface.
  static let methods: Set<String> = [
    "Status", "List", "Configuration", "Why", "Next", "Explain", "History", "Watch", "Logs", "Reload",
    "Trigger", "Pause", "Resume", "Release", "Clock", "PauseClock", "ResumeClock", "SetClockSpeed",
    "StepClock", "LeapClock", "Mode", "SetMode", "Cluster", "ClusterHistory", "ActivateJobs", "LeaveCluster",
    "Cancel", "Stop",
  ]

  static func fullName(_ method: String) -> String { "\(ControlInterface.name).\(method)" }
}
