package import TimelineCore

/// The sender of a request to the daemon, identified by the kernel as the peer of a socket or the sender of a signal.
package struct Operator: Sendable, Hashable {
  /// The user's number.
  package var user: UInt32
  /// The user's name, if it is known.
  package var name: String?
  /// The requesting process, which may have ended since. 0 for a process of another PID namespace.
  package var process: Int32
  /// The name of the program in the process, if it could be read. The process may have chosen any name.
  package var program: String?

  /// Makes an operator.
  package init(user: UInt32, name: String? = nil, process: Int32, program: String? = nil) {
    self.user = user
    self.name = name
    self.process = process
    self.program = program
  }
}

extension Operator: CustomStringConvertible {
  /// `root (uid 0), process 4711 (timelinectl)`.
  package var description: String {
    let user = name.map { "\($0) (uid \(self.user))" } ?? "uid \(self.user)"
    guard process > 0 else { return user }
    return "\(user), process \(process)" + (program.map { " (\($0))" } ?? "")
  }
}

/// An action of the daemon that an operator requested.
package struct OperatorAction: Sendable, Hashable {
  /// Kinds of actions.
  package enum Verb: String, Sendable, Hashable, CaseIterable {
    /// A job was paused.
    case pause
    /// A job was resumed.
    case resume
    /// A job that waited because the clock was set back was released.
    case release
    /// A job was triggered.
    case trigger
    /// The cancellation of a run was requested.
    case cancel
    /// A reload of the configuration was requested.
    case reload
    /// A stop of the daemon was requested.
    case stop
    /// This node's definitions of cluster jobs were activated.
    case activate
    /// A leave of the node from its cluster was requested.
    case leave
    /// The mode was chosen; the reason names it.
    case mode
    /// A rehearsal's clock was paused, resumed, moved or set to another speed; the reason names the change.
    case clock
  }

  /// The kind of action.
  package var verb: Verb
  /// Time of the request.
  package var at: WallInstant
  /// The job; `nil` for the daemon as a whole.
  package var job: JobName?
  /// The nominal time of the entry that was triggered or cancelled.
  package var entry: WallInstant?
  /// The operator.
  package var by: Operator
  /// The operator's reason; empty for none.
  package var reason: String

  /// Makes an action.
  package init(
    _ verb: Verb, at: WallInstant, job: JobName? = nil, entry: WallInstant? = nil, by: Operator,
    reason: String = ""
  ) {
    self.verb = verb
    self.at = at
    self.job = job
    self.entry = entry
    self.by = by
    self.reason = reason
  }
}

extension OperatorAction: CustomStringConvertible {
  /// The operator, and the reason if there is one: `root (uid 0), process 4711 (timelinectl): maintenance`.
  package var description: String { "\(by)" + (reason.isEmpty ? "" : ": \(reason)") }
}
