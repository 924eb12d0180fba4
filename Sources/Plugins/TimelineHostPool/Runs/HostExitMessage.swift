import TimelineCore
import TimelineEngine
import TimelineSystem
import TimelineWire

/// Messages about a host that has ended: file, reason and remedy.
enum HostExitMessage {
  /// Returns the message for a host that ended before it had loaded its plugin.
  static func atLoad(_ host: PooledHost, _ exit: ProcessEnd) -> String {
    let path = host.kind.pluginPath
    if let fault = host.fault { return "\(path): \(fault)" }
    return switch exit {
    case .signalled(let signal):
      "\(path): the plugin crashed while it was loaded: \(signal); \(remedy(signal, host.kind.setup))"
    case .exited(HostExitStatus.descriptorsClosed):
      "\(path): the plugin closed descriptors of timeline-host while it was loaded; "
        + "a plugin closes only what it has opened: ask its author"
    case .exited(let code):
      "\(path): the plugin called exit(\(code)) while it was loaded; "
        + "it must leave that to timeline-host: ask its author"
    case .unobserved:
      "\(path): the plugin's host ended while it was loaded; \(unobservedRemedy)"
    }
  }

  /// Returns the message for a host that ended in a run that was not killed.
  static func inRun(_ host: PooledHost, _ request: PluginRun, _ exit: ProcessEnd) -> String {
    let path = host.kind.pluginPath
    if let fault = host.fault { return "\(path): \(fault) in job \(request.job); its host is replaced" }
    return switch exit {
    case .signalled(.processorTime):
      "\(path): the plugin used up \(processorTime(host.kind.setup)) in job \(request.job): SIGXCPU; its host is replaced; "
        + "raise the job's limit of processor time, or see what it computes for so long"
    case .signalled(let signal):
      "\(path): the plugin crashed: \(signal) in job \(request.job); its host is replaced; "
        + remedy(signal, host.kind.setup)
    case .exited(HostExitStatus.descriptorsClosed):
      "\(path): the plugin closed descriptors of timeline-host in job \(request.job); its host is replaced; "
        + "a plugin closes only what it has opened: ask its author"
    case .exited(let code):
      "\(path): the plugin called exit(\(code)) in job \(request.job) instead of returning; its host is replaced; "
        + "a plugin returns from its run function: ask its author"
    case .unobserved:
      "\(path): the plugin's host ended in job \(request.job) before the run did; \(unobservedRemedy)"
    }
  }

  /// Returns the message for a host that did not report in time that it had loaded its plugin.
  static func slowLoad(_ kind: HostSpec, _ limit: ElapsedTime) -> String {
    let readsFiles = !kind.setup.credentials.isEmpty || !kind.setup.environmentFiles.isEmpty
    return
      "\(kind.pluginPath): the plugin was not loaded within \(limit.nanoseconds / 1_000_000_000) s and its host was "
      + "killed; a plugin does slow work in open or run and not in its constructors or entry function"
      + (readsFiles ? "; or the disk of the job's credentials or environment files does not answer" : "")
  }

  /// Returns the end of a run that was killed.
  static func killed(_ request: PluginRun, _ reason: StopReason) -> PluginRunEnd {
    .cancelled(
      "\(request.kind.pluginPath): killed in job \(request.job): \(reason.words) and did not end when it was asked to; "
        + (request.kind.pluginPath.hasSuffix("/exec.so")
          ? "its command, and all that it starts, ends soon after SIGTERM, or the job has a longer `grace`"
          : "a plugin returns from run soon after its cancel function was called"))
  }

  private static let unobservedRemedy =
    "an earlier timelined had started it, so its status went to systemd: see journalctl, or coredumpctl info timeline-host"

  /// Returns the remedy for a signal. A limit of the job is named first, because it is the likely cause.
  private static func remedy(_ signal: Signal, _ setup: HostSetup) -> String {
    if signal == .kill, setup.processorTime != nil {
      return
        "the kernel sends it when \(processorTime(setup)) is long used up, or when the machine's memory ran out: "
        + "see `journalctl -k`"
    }
    if signal == .kill {
      return "somebody else sent it, most often the kernel when memory ran out: see `journalctl -k`"
    }
    let cores = "coredumpctl info timeline-host shows where, if cores are kept"
    guard let bytes = setup.memoryBytes else { return cores }
    return
      "it may have run out of the \(bytes >> 20) MiB of memory that the job may have: raise that limit; or \(cores)"
  }

  private static func processorTime(_ setup: HostSetup) -> String {
    guard let limit = setup.processorTime else { return "its processor time" }
    return "the \(limit.nanoseconds / 1_000_000_000) s of processor time that the job may have"
  }
}
