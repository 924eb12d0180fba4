package import TimelineCore
package import TimelineSystem
package import TimelineWire

/// The calls, in the order in which the daemon makes them: load, open, run any number of times, close, exit.
extension TrialHost {
  /// A request to stop a run, some time after the call.
  package struct Cancellation: Sendable, Equatable {
    /// Time between the call and the request.
    package var after: ElapsedTime
    /// Time between the request and the latest return of the run.
    package var grace: ElapsedTime

    package init(after: ElapsedTime, grace: ElapsedTime) {
      self.after = after
      self.grace = grace
    }
  }

  /// The end of a run, and whether the run was requested to stop before its end.
  package struct Ending: Sendable, Equatable {
    package var end: RunEnd
    package var wasCancelled: Bool
  }

  /// Loads the library.
  package func load(
    _ request: LoadRequest, within limit: ElapsedTime
  ) throws(Fault) -> Result<PluginDescription, Refusal> {
    send(.load(request))
    return switch try mustAnswer(within: limit) {
    case .loaded(let description): .success(description)
    case .refused(let refusal): .failure(refusal)
    case let message: throw Self.unexpected(message)
    }
  }

  /// Opens an instance. Returns the plugin's failure; `nil` if the instance is open.
  package func open(_ request: OpenRequest, within limit: ElapsedTime) throws(Fault) -> OpenFailure? {
    send(.open(request))
    return switch try mustAnswer(within: limit) {
    case .opened: nil
    case .openFailed(let failure): failure
    case let message: throw Self.unexpected(message)
    }
  }

  /// Calls the plugin. The plugin must return within `limit`, or within the grace period after a request to stop.
  package func run(
    _ request: RunRequest, within limit: ElapsedTime, stopping cancellation: Cancellation? = nil
  ) throws(Fault) -> Ending {
    begin(request)
    return try finish(request.run, within: limit, stopping: cancellation)
  }

  /// Calls the plugin and does not wait for its end.
  package func begin(_ request: RunRequest) { send(.run(request)) }

  /// Waits for the end of the run with number `run`, which ``begin(_:)`` has started.
  package func finish(
    _ run: UInt64, within limit: ElapsedTime, stopping cancellation: Cancellation? = nil
  ) throws(Fault) -> Ending {
    var wasCancelled = false
    var message: HostMessage?
    if let cancellation {
      message = try answer(within: cancellation.after)
      if message == nil {
        wasCancelled = true
        send(.cancel(run: run))
        message = try mustAnswer(within: cancellation.grace)
      }
    }
    let last = if let message { message } else { try mustAnswer(within: limit) }
    guard case .ended(let end) = last else { throw Self.unexpected(last) }
    return Ending(end: end, wasCancelled: wasCancelled)
  }

  /// Closes an instance.
  package func close(_ instance: UInt32 = 0, within limit: ElapsedTime) throws(Fault) {
    send(.close(instance: instance))
    let message = try mustAnswer(within: limit)
    guard case .closed = message else { throw Self.unexpected(message) }
  }

  /// Ends the process. Returns the way in which it ended.
  package func exit() -> ProcessEnd {
    send(.exit)
    return end()
  }

  private func mustAnswer(within limit: ElapsedTime) throws(Fault) -> HostMessage {
    guard let message = try answer(within: limit) else { throw kill(after: limit) }
    return message
  }

  private static func unexpected(_ message: HostMessage) -> Fault {
    .foreignMessage("\(message)")
  }
}

extension TrialHost.Fault: CustomStringConvertible {
  /// The fault as a clause about the plugin.
  package var description: String {
    switch self {
    case .notStarted(let reason): "the plugin host was not started: \(reason)"
    case .ended(_, let status?): "the plugin called exit(\(status))"
    case .ended(.exited(HostExitStatus.descriptorsClosed), nil):
      "the plugin closed descriptors that are not its own"
    case .ended(.exited(let status), nil): "its process exited with status \(status)"
    case .ended(let end, nil): "its process \(end)"
    case .retired: "a run left the state of its process changed in a way that cannot be undone"
    case .late(let limit): "the plugin did not return within \(limit)"
    case .foreignMessage(let reason): "the plugin wrote to the socket of its host: \(reason)"
    }
  }
}
