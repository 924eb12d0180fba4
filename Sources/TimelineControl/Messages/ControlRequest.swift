package import TimelineCore

/// Methods of the interface, by their names in its description.
package enum ControlMethod: String, Sendable, CaseIterable {
  case status = "Status"
  case list = "List"
  case metrics = "Metrics"
  case configuration = "Configuration"
  case why = "Why"
  case next = "Next"
  case explain = "Explain"
  case history = "History"
  case watch = "Watch"
  case logs = "Logs"
  case reload = "Reload"
  case trigger = "Trigger"
  case pause = "Pause"
  case resume = "Resume"
  case release = "Release"
  case clock = "Clock"
  case pauseClock = "PauseClock"
  case resumeClock = "ResumeClock"
  case setClockSpeed = "SetClockSpeed"
  case stepClock = "StepClock"
  case leapClock = "LeapClock"
  case mode = "Mode"
  case setMode = "SetMode"
  case cluster = "Cluster"
  case clusterHistory = "ClusterHistory"
  case activateJobs = "ActivateJobs"
  case leaveCluster = "LeaveCluster"
  case backup = "Backup"
  case cancel = "Cancel"
  case stop = "Stop"

  /// Makes the method of a call.
  package init(of call: VarlinkCall) throws(VarlinkError) {
    let name = call.method.dropFirst(call.interface.count + 1)
    guard call.interface == ControlInterface.name, let method = Self(rawValue: String(name)) else {
      throw .methodNotFound(call.method)
    }
    self = method
  }

  /// The qualified name, as in a call.
  var fullName: String { ControlInterface.fullName(rawValue) }

  /// Whether it is only for root and the configured users: it changes something, or shows the contents of protected files.
  package var needsPermission: Bool {
    switch self {
    case .status, .list, .metrics, .why, .next, .explain, .history, .watch, .logs, .clock, .mode, .cluster,
      .clusterHistory:
      false
    case .configuration, .reload, .trigger, .pause, .resume, .release, .pauseClock, .resumeClock,
      .setClockSpeed, .stepClock, .leapClock, .setMode, .activateJobs, .leaveCluster, .backup, .cancel,
      .stop:
      true
    }
  }
}

/// A change of a rehearsal's clock; each has a method of its own.
package enum ClockControl: Sendable, Hashable {
  /// Stop the clock.
  case pause
  /// Continue at the previous speed.
  case resume
  /// Continue at a speed, or `max`; `0` pauses the clock.
  case speed(String)
  /// Move it to the next entry.
  case step
  /// Move it to a moment in the zone of the daemon.
  case leap(to: String)
}

/// Request of a client to the daemon.
package enum ControlRequest: Sendable, Hashable {
  /// The daemon's status; answer with ``StatusReply``.
  case status
  /// All jobs; answer with ``ListReply``.
  case list
  /// Metrics; answer with ``MetricsReply``.
  case metrics
  /// The configuration in effect; answer with ``ConfigurationReply``.
  case configuration
  /// The events at a moment and their reasons; answer with ``WhyReply``. The texts are not checked.
  case why(job: String, moment: String, zone: String? = nil)
  /// The next entries of a job; answer with ``NextReply``.
  case next(Control.Next)
  /// A job's schedule in words; answer with ``ExplainReply``.
  case explain(Control.Explain)
  /// Outcomes of entries; answer with ``HistoryReply``.
  case history(Control.History)
  /// Events as they happen; answer with ``WatchReply`` until the client disconnects.
  case watch(job: String?)
  /// Output of a job's last runs; answer with ``LogsReply``.
  case logs(job: String, limit: Int)
  /// Read the configuration again; answer with ``ReloadReply`` when it is active, or ``ControlError/reloadFailed(diagnostics:)``.
  case reload
  /// Run a job now; answer with ``TriggerReply``. The name is not checked.
  case trigger(job: String)
  /// Start no entry of the jobs until they are resumed; answer with ``PauseReply``. There is at least one name, and the reason is
  /// within its limit.
  case pause(jobs: [String], reason: String? = nil)
  /// Resume a job, with `nil` by its own policy for missed entries; answer with ``ResumeReply``.
  case resume(job: String, catchUp: MissedPolicy.Choice?)
  /// Release a job that waits because the clock was set back; answer with ``ReleaseReply``.
  case release(job: String)
  /// The daemon's clock; answer with ``ClockReply``.
  case clock
  /// Change a rehearsal's clock; answer with ``ClockReply``. The texts are not checked.
  case controlClock(ClockControl)
  /// The daemon's mode; answer with ``ModeReply``.
  case mode
  /// Choose the daemon's mode; answer with ``ModeReply``.
  case setMode(ModeChoice, cadence: LowFrequencyCadence? = nil)
  /// The daemon's cluster; answer with ``ClusterReply``.
  case cluster
  /// Outcomes of entries on all nodes; answer with ``ClusterHistoryReply``.
  case clusterHistory(Control.History)
  /// Make the cluster run jobs as this node defines them; answer with ``ClusterReply``.
  case activateJobs([String])
  /// Leave the cluster; answer with ``ClusterReply``.
  case leaveCluster
  /// Copy the ledger; answer with ``BackupReply`` when the copy is on disk.
  case backup
  /// Ask a run to stop; answer with ``CancelReply``.
  case cancel(run: UInt64)
  /// Drain and end; answer with ``StopReply`` when draining. With `now`, runs are asked to stop at once.
  case stop(now: Bool)

  /// Reads a call of our interface; throws the error to reply if its parameters are invalid.
  package init(_ call: VarlinkCall) throws(VarlinkError) {
    switch try ControlMethod(of: call) {
    case .status: self = try Self.bare(.status, call)
    case .list: self = try Self.bare(.list, call)
    case .metrics: self = try Self.bare(.metrics, call)
    case .configuration: self = try Self.bare(.configuration, call)
    case .why:
      let parameters = try call.parameters(as: Control.Why.self)
      self = .why(job: parameters.job, moment: parameters.moment, zone: parameters.zone)
    case .next:
      let parameters = try call.parameters(as: Control.Next.self)
      try Self.check(parameters.limit, atMost: ControlLimits.nextMax)
      self = .next(parameters)
    case .explain:
      let parameters = try call.parameters(as: Control.Explain.self)
      guard (1...ControlLimits.explainedYearsMax).contains(parameters.years ?? 1) else {
        throw .invalidParameter("years")
      }
      self = .explain(parameters)
    case .history:
      let parameters = try call.parameters(as: Control.History.self)
      try Self.check(parameters.limit, atMost: ControlLimits.historyMax)
      self = .history(parameters)
    case .watch:
      guard call.wantsMore else { throw .expectedMore }
      self = .watch(job: try call.parameters(as: Control.Watch.self).job)
    case .logs:
      let parameters = try call.parameters(as: Control.Logs.self)
      try Self.check(parameters.limit, atMost: ControlLimits.logsMax)
      self = .logs(job: parameters.job, limit: parameters.limit ?? ControlLimits.logsDefault)
    case .reload: self = try Self.bare(.reload, call)
    case .trigger: self = .trigger(job: try call.parameters(as: Control.Trigger.self).job)
    case .pause: self = try Self.pause(call.parameters(as: Control.Pause.self))
    case .resume: self = try Self.resume(call.parameters(as: Control.Resume.self))
    case .release: self = .release(job: try call.parameters(as: Control.Release.self).job)
    case .backup: self = try Self.bare(.backup, call)
    case .cancel: self = .cancel(run: try call.parameters(as: Control.Cancel.self).run)
    case .stop: self = .stop(now: try call.parameters(as: Control.Stop.self).now ?? false)
    case .clock: self = try Self.bare(.clock, call)
    case .pauseClock: self = try Self.bare(.controlClock(.pause), call)
    case .resumeClock: self = try Self.bare(.controlClock(.resume), call)
    case .setClockSpeed:
      self = .controlClock(.speed(try call.parameters(as: Control.SetClockSpeed.self).speed))
    case .stepClock: self = try Self.bare(.controlClock(.step), call)
    case .leapClock: self = .controlClock(.leap(to: try call.parameters(as: Control.LeapClock.self).to))
    case .cluster: self = try Self.bare(.cluster, call)
    case .clusterHistory:
      let parameters = try call.parameters(as: Control.History.self)
      try Self.check(parameters.limit, atMost: ControlLimits.clusterHistoryMax)
      self = .clusterHistory(parameters)
    case .activateJobs:
      self = .activateJobs(try call.parameters(as: Control.ActivateJobs.self).jobs)
    case .leaveCluster: self = try Self.bare(.leaveCluster, call)
    case .mode: self = try Self.bare(.mode, call)
    case .setMode: self = try Self.setMode(call.parameters(as: Control.SetMode.self))
    }
  }

  /// Returns the request of a method without parameters.
  private static func bare(_ request: ControlRequest, _ call: VarlinkCall) throws(VarlinkError)
    -> ControlRequest
  {
    _ = try call.parameters(as: VarlinkService.NoParameters.self)
    return request
  }

  private static func pause(_ parameters: Control.Pause) throws(VarlinkError) -> ControlRequest {
    guard !parameters.jobs.isEmpty else { throw .invalidParameter("jobs") }
    guard (parameters.reason ?? "").utf8.count <= ControlLimits.reasonBytesMax else {
      throw .invalidParameter("reason")
    }
    return .pause(jobs: parameters.jobs, reason: parameters.reason)
  }

  private static func resume(_ parameters: Control.Resume) throws(VarlinkError) -> ControlRequest {
    let choice = parameters.catchUp.flatMap(MissedPolicy.Choice.init(rawValue:))
    if parameters.catchUp != nil && choice == nil { throw .invalidParameter("catchUp") }
    return .resume(job: parameters.job, catchUp: choice)
  }

  private static func setMode(_ parameters: Control.SetMode) throws(VarlinkError) -> ControlRequest {
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
}
