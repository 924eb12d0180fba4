/// What a client asks of the daemon.
package enum ControlRequest: Sendable, Hashable {
  /// How the daemon stands; answer with ``StatusReply``.
  case status
  /// All jobs; answer with ``ListReply``.
  case list
  /// Read the configuration again; answer with ``ReloadReply`` when it is in force, or ``ControlError/reloadFailed(diagnostics:)``.
  case reload
  /// Run a job now; answer with ``TriggerReply``. The name is not checked.
  case trigger(job: String)
  /// Drain and end; answer with ``StopReply`` when draining.
  case stop

  /// Whether it changes something, and so is only for root and the configured users.
  package var isChange: Bool {
    switch self {
    case .status, .list: false
    case .reload, .trigger, .stop: true
    }
  }

  /// Reads a call of our interface; throws what to reply when its parameters are wrong.
  package init(_ call: VarlinkCall) throws(VarlinkError) {
    switch call.method {
    case Self.fullName("Status"): self = .status
    case Self.fullName("List"): self = .list
    case Self.fullName("Reload"): self = .reload
    case Self.fullName("Trigger"): self = .trigger(job: try call.parameters(as: TriggerParameters.self).job)
    case Self.fullName("Stop"): self = .stop
    default: throw .methodNotFound(call.method)
    }
  }

  /// Every method of the interface.
  static let methods: Set<String> = ["Status", "List", "Reload", "Trigger", "Stop"]

  static func fullName(_ method: String) -> String { "\(ControlInterface.name).\(method)" }
}

/// What the daemon replies when it cannot do what it is asked.
package enum ControlError: Error, Sendable, Hashable {
  /// There is no job of that name.
  case noSuchJob(job: String, nearest: String?)
  /// The configuration has errors, told in several lines of text; nothing was changed.
  case reloadFailed(diagnostics: String)
  /// The daemon is on its way down and takes no such request.
  case shuttingDown
  /// The caller may look but not change.
  case permissionDenied

  /// The error as it is sent.
  package var varlink: VarlinkError {
    switch self {
    case .noSuchJob(let job, let nearest):
      VarlinkError(
        name: ControlRequest.fullName("NoSuchJob"),
        parameters: ["job": job].merging(nearest.map { ["nearest": $0] } ?? [:]) { $1 })
    case .reloadFailed(let diagnostics):
      VarlinkError(name: ControlRequest.fullName("ReloadFailed"), parameters: ["diagnostics": diagnostics])
    case .shuttingDown:
      VarlinkError(name: ControlRequest.fullName("ShuttingDown"))
    case .permissionDenied:
      .permissionDenied
    }
  }

  /// Recognizes an error that was received; `nil` when it is none of these.
  package init?(_ error: VarlinkError) {
    switch error.name {
    case ControlRequest.fullName("NoSuchJob"):
      self = .noSuchJob(job: error.parameters["job"] ?? "", nearest: error.parameters["nearest"])
    case ControlRequest.fullName("ReloadFailed"):
      self = .reloadFailed(diagnostics: error.parameters["diagnostics"] ?? "")
    case ControlRequest.fullName("ShuttingDown"): self = .shuttingDown
    case VarlinkError.permissionDenied.name: self = .permissionDenied
    default: return nil
    }
  }
}

extension ControlError: CustomStringConvertible {
  /// A sentence with what to do about it.
  package var description: String {
    switch self {
    case .noSuchJob(let job, let nearest):
      "There is no job '\(job)'"
        + (nearest.map { "; did you mean '\($0)'?" } ?? "; `timelinectl list` shows all.")
    case .reloadFailed(let diagnostics):
      "The configuration has errors and was not taken; the old one is still in force.\n\(diagnostics)"
    case .shuttingDown: "The daemon is on its way down; wait until it is back."
    case .permissionDenied:
      "You may look but not change; ask as root or as a user that the configuration names."
    }
  }
}
