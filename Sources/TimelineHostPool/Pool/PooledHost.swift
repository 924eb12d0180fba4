import TimelineCore
import TimelineEngine

/// State of one host in the pools.
struct PooledHost: Sendable {
  /// Phases of a host.
  enum Phase: Sendable {
    /// It was started and has not said that its plugin is loaded.
    case loading
    /// It rests, warm.
    case idle
    /// It runs; the stop that was made of it by force, if one was.
    case running(PluginRun, killed: StopReason?)
    /// It was let go or killed; its exit is awaited and nothing else.
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

  /// An open instance, with the job and the parameters that it was opened for.
  struct Instance: Sendable {
    let number: InstanceNumber
    let job: JobName
    let revision: UInt64
    let parameters: String
    /// The group with which its job took turns when it was opened.
    let group: GroupName?
    /// Number of the event by which it was last given a run.
    var usedAt: UInt64

    /// Whether it can serve the request as it is.
    func fits(_ request: PluginRun) -> Bool {
      job == request.job && revision == request.revision && parameters == request.parameters
    }
  }

  let id: HostID
  let kind: HostSpec
  var phase = Phase.loading
  /// Identity of the plugin; known once it is loaded.
  var identity: PluginIdentity?
  /// Number of runs that it has done.
  var runs = 0
  /// Number of the event by which it was last given a run or became idle.
  var usedAt: UInt64 = 0
  /// Instances that are open in it, one for a job.
  var instances: [JobName: Instance] = [:]
  /// Largest number of instances open in it.
  var instancesMax = 1
  /// Its socket is at its end: it must not be given anything.
  var isClosed = false
  /// Reason why it was killed, when it is more specific than the signal.
  var fault: String?
  /// It is no host any more when its run has ended, but the parent of what that has left behind.
  var isLeaving = false
  /// Its time with nothing to do is limited just now.
  var hasIdleLimit = false
  /// Its exit is awaited with a limit.
  var awaitsEnd = false
  /// The files that it was started by have changed since.
  var hasFormerFiles = false
  /// Its plugin's file has been replaced since it was loaded.
  var isOutdated = false
  /// A reload may have taken the job of one of its instances away; looked at when it rests.
  var needsSweep = false

  /// The number of the instance that can serve a run as it is; `nil` when there is none.
  func openInstance(for request: PluginRun) -> InstanceNumber? {
    guard let instance = instances[request.job], instance.fits(request) else { return nil }
    return instance.number
  }

  /// Returns the use of this host for a run for which it has no instance open. `sacrifice` is the number of the event
  /// by which the instance that it would have to close was last used; `nil` when it has to close nothing of use.
  func use(for request: PluginRun) -> (use: InstanceUse, sacrifice: UInt64?) {
    if let instance = instances[request.job] {
      // Nobody opens the old one again, but a pool that may have another host for its plugin keeps jobs apart.
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

  /// Whether an instance of a job is open that takes turns with that group.
  func serves(_ group: GroupName) -> Bool { instances.values.contains { $0.group == group } }

  /// Notes that a run of the request's job, which takes turns with `group`, has the instance.
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

  /// Whether it can take a run at once.
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

  /// The run it is busy with.
  var run: RunID? {
    if case .running(let request, _) = phase { return request.run }
    return nil
  }
}

/// A waiter for a host.
enum HostWaiter: Sendable {
  /// A run, with the event by which it came to wait.
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

/// Failures in a row, and whether they have led to a pause that still lasts.
struct FailureStreak: Sendable {
  var failures = 0
  var isPaused = false
  var reason = ""
}

/// Key under which failures are counted together.
enum StreakKey: Hashable, Sendable {
  /// Failures to load: nothing of this kind can work.
  case kind(HostSpec)
  /// Hosts that died in this job's runs: other jobs of the plugin must not suffer for it.
  case job(HostSpec, JobName)

  var timer: HostTimer {
    switch self {
    case .kind(let kind): .kindPause(kind)
    case .job(let kind, let job): .jobPause(kind, job)
    }
  }
}
