import TimelineCore
import TimelineEngine
import TimelineSystem
import TimelineWire

// Conversions between messages of the wire and the daemon's types.

extension PluginIdentity {
  /// Makes the identity from the plugin's description of itself.
  init(_ plugin: PluginDescription) {
    self.init(
      name: plugin.name, version: plugin.version, summary: plugin.summary,
      schema: plugin.parametersSchema ?? "", instancesMax: Int(plugin.instancesMax))
  }
}

extension PluginRunEnd {
  /// Makes the end from the host's message. The instants of the call are limited to the plausible range.
  init(_ end: RunEnd, in run: PluginRun, from earliestCall: MonotonicInstant, receivedAt: MonotonicInstant) {
    self.init(end.status, end.text, in: run)
    cursor = end.cursor
    call = end.call.map { CallInstants($0, from: earliestCall, receivedAt: receivedAt) }
  }

  /// Makes the end from the plugin's status and text, with a default text if the plugin gave none.
  init(_ status: RunStatus, _ text: String, in run: PluginRun) {
    self.init(status, text, of: run.job, path: run.kind.pluginPath)
  }

  /// Makes the end from the status and text of a run of `job` by the plugin at `path`.
  init(_ status: RunStatus, _ text: String, of job: JobName, path: String) {
    switch status {
    case .succeeded:
      self.init(
        outcome: AttemptResult(status: .succeeded, message: text), result: text.isEmpty ? nil : text)
    case .failed, .failedForNow:
      let silence =
        "\(path): the plugin failed in job \(job) and did not say why; look at the run's log, or ask its author"
      self = .failed(text.isEmpty ? silence : text, isWorthRetrying: status == .failedForNow)
    case .cancelled:
      self = .cancelled(text.isEmpty ? "the plugin stopped when it was asked to" : text)
    }
  }
}

extension TimelineWire.RunRequest {
  init(_ request: PluginRun, instance: InstanceNumber = 0) throws(WireError) {
    try self.init(request.attempt, cursor: request.cursor)
    self.instance = instance
    notBefore = request.notBefore?.nanosecondsSinceBoot
    spin = request.spin.nanoseconds
    startBy = request.startBy?.nanoseconds
  }

  /// Makes the request that a plugin receives for an attempt, in a host or in the daemon's process.
  init(_ attempt: Attempt, cursor: [UInt8]) throws(WireError) {
    try self.init(
      run: attempt.run.number, runKey: attempt.runKey,
      nominal: attempt.rerun?.of ?? attempt.entry.nominal, actual: attempt.startedAt,
      deadline: attempt.deadline,
      cadence: attempt.cadence, mode: attempt.mode, attempt: UInt32(clamping: attempt.number),
      entryCount: UInt64(clamping: attempt.entryCount), previous: attempt.previous.map(Previous.init),
      cursor: cursor,
      upstream: attempt.upstream.map {
        Upstream.json($0, attempt.upstreamSchedule, output: attempt.upstreamOutput)
      },
      fencingToken: attempt.token, movedFrom: Array(attempt.movedFrom.prefix(WireLimits.movedFromMax)))
  }
}

extension Attempt {
  /// The key of the run, equal for all its attempts: job and nominal instant, and of a rerun the repeated entry and the number.
  fileprivate var runKey: String {
    guard let rerun else { return "\(entry.job.text)/\(entry.nominal)" }
    return "\(entry.job.text)/\(rerun.of)#\(rerun.number)"
  }
}

extension TimelineWire.RunRequest.Previous {
  init(_ outcome: AttemptResult) {
    let status: RunStatus =
      switch outcome.status {
      case .succeeded: .succeeded
      case .failed: outcome.isWorthRetrying ? .failedForNow : .failed
      case .cancelled: .cancelled
      }
    self.init(status: status, text: outcome.message)
  }
}
