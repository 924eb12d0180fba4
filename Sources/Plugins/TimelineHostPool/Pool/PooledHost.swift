import TimelineCore
import TimelineEngine

/// State of one host in the pools.
struct PooledHost: Sendable {
  /// Phases of a host.
  enum Phase: Sendable {
    /// The host was started and has not reported that its plugin is loaded.
    case loading
    case idle
    /// The host has a run; `killed` is the reason if the run was killed.
    case running(PluginRun, killed: StopReason?)
    /// The host was ended or killed; only its exit is awaited.
    case ending

    /// Name of the phase, for monitors.
    var name: String {
      switch self {
      case .loading: "loading"
      case .idle: "idle"
      case .running: "running"
      case .ending: "ending"
      }
    }
  }

  /// An open instance, with its job and parameters.
  struct Instance: Sendable {
    let number: InstanceNumber
    let job: JobName
    let revision: UInt64
    let parameters: String
    /// The group of its job when the instance was opened.
    let group: GroupName?
    /// Number of the event by which the instance last got a run.
    var usedAt: UInt64

    /// Whether the instance can serve the request without being opened again.
    func fits(_ request: PluginRun) -> Bool {
      job == request.job && revision == request.revision && parameters == request.parameters
    }
  }

  let id: HostID
  let kind: HostSpec
  var phase = Phase.loading
  /// Identity of the plugin; `nil` until the plugin is loaded.
  var identity: PluginIdentity?
  /// Number of runs that the host has done.
  var runs = 0
  /// Number of the event by which the host last got a run or became idle.
  var usedAt: UInt64 = 0
  /// Open instances by their jobs.
  var instances: [JobName: Instance] = [:]
  var instancesMax = 1
  /// Whether the host's socket has reached its end; such a host must not get a run.
  var isClosed = false
  /// Reason why the host was killed, if it is more specific than the signal.
  var fault: String?
  /// Whether the host stays as the parent of leftovers when its run has ended, and serves no further run.
  var isLeaving = false
  /// Whether the host's idle time is limited now.
  var hasIdleLimit = false
  /// Whether the host's exit is awaited with a time limit.
  var awaitsEnd = false
  /// Whether the files that the host was started from have changed since.
  var hasFormerFiles = false
  /// Whether the plugin's file has been replaced since the host loaded it.
  var isOutdated = false
  /// Whether a reload may have removed the job of one of the host's instances. Checked when the host becomes idle.
  var needsSweep = false

  /// The number of the open instance that fits the run; `nil` when there is none.
  func openInstance(for request: PluginRun) -> InstanceNumber? {
    guard let instance = instances[request.job], instance.fits(request) else { return nil }
    return instance.number
  }

  /// Returns the instance that would serve a run for which the host has no fitting instance open. `sacrifice` is `nil` if the
  /// host closes no useful instance for the run, else the number of the event by which that instance was last used.
  func use(for request: PluginRun) -> (use: InstanceUse, sacrifice: UInt64?) {
    if let instance = instances[request.job] {
      // The old instance is useless after the change of its job. If the host may have only one instance, it still counts as
      // useful, so that the pool may prefer another host and keep jobs apart.
      return (.replacing(instance.number), instancesMax > 1 ? nil : instance.usedAt)
    }
    if instances.count < instancesMax {
      let taken = Set(instances.values.map(\.number))
      let free = (0...InstanceNumber(instances.count)).first { !taken.contains($0) }
      return (.new(free ?? 0), nil)
    }
    let oldest = instances.values.min { $0.usedAt < $1.usedAt }
    return (.replacing(oldest?.number ?? 0), oldest?.usedAt ?? 0)
  }

  /// Whether an instance is open whose job belongs to the group.
  func serves(_ group: GroupName) -> Bool { instances.values.contains { $0.group == group } }

  /// Records that a run of the request's job, which belongs to `group`, uses the instance.
  mutating func open(
    _ use: InstanceUse, for request: PluginRun, takingTurnsWith group: GroupName?, at event: UInt64
  ) {
    if case .open = use {
      instances[request.job]?.usedAt = event
      return
    }
    if let former = instances.first(where: { $0.value.number == use.number })?.key { instances[former] = nil }
    instances[request.job] = Instance(
      number: use.number, job: request.job, revision: request.revision, parameters: request.parameters,
      group: group, usedAt: event)
  }

  /// Whether the host can accept a run at once.
  var isReady: Bool {
    if case .idle = phase { return !isClosed }
    return false
  }

  var isLoading: Bool {
    if case .loading = phase { return true }
    return false
  }

  var isEnding: Bool {
    if case .ending = phase { return true }
    return false
  }

  /// The run of a busy host.
  var run: RunID? {
    if case .running(let request, _) = phase { return request.run }
    return nil
  }
}

/// A waiter for a host.
enum HostWaiter: Sendable {
  /// A run, with the number of the event by which it began to wait.
  case run(PluginRun, since: UInt64)
  case inquiry(InquiryID, HostSpec)

  var kind: HostSpec {
    switch self {
    case .run(let request, _): request.kind
    case .inquiry(_, let kind): kind
    }
  }

  var run: RunID? {
    if case .run(let request, _) = self { return request.run }
    return nil
  }
}

/// Number of consecutive failures, and whether they have caused a pause that still lasts.
struct FailureStreak: Sendable {
  var failures = 0
  var isPaused = false
  var reason = ""
}

/// Key by which failures are counted.
enum StreakKey: Hashable, Sendable {
  /// Failures to load: no run of this kind can succeed.
  case kind(HostSpec)
  /// Deaths of hosts in this job's runs: other jobs of the plugin are not affected.
  case job(HostSpec, JobName)

  var timer: HostTimer {
    switch self {
    case .kind(let kind): .kindPause(kind)
    case .job(let kind, let job): .jobPause(kind, job)
    }
  }
}
