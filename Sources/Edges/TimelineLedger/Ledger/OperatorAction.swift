package import TimelineCore

/// The sender of a request to the daemon, identified by the kernel as the peer of a socket or the sender of a signal.
package struct Operator: Sendable, Equatable {
  /// User ID.
  package var user: UInt32
  /// Name of the user; `nil` if unknown.
  package var name: String?
  /// Requesting process, which may have ended in the meantime; 0 for a process of another PID namespace.
  package var process: Int32
  /// Name of the program in the process; `nil` if it could not be read. The process may have chosen any name.
  package var program: String?

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
package struct OperatorAction: Sendable, Equatable {
  /// Kinds of actions.
  package enum Verb: String, Sendable, Hashable, CaseIterable {
    case pause
    case resume
    /// A job was released that waited because the clock was set back.
    case release
    case trigger
    /// A decided entry of the schedule got another run.
    case rerun
    /// A backfill was requested or changed. The reason names the stretch, or the change.
    case backfill
    case cancel
    case reload
    case stop
    /// This node's definitions of cluster jobs were activated.
    case activate
    /// An operator requested that the node leaves its cluster.
    case leave
    /// The mode was chosen. The reason names the mode.
    case mode
    /// A rehearsal's clock was paused, resumed, moved or set to another speed. The reason names the change.
    case clock
  }

  package var verb: Verb
  /// Time of the request.
  package var at: WallInstant
  /// `nil` for the daemon as a whole.
  package var job: JobName?
  /// Nominal time of the entry that was triggered, made by a rerun, or cancelled.
  package var entry: WallInstant?
  package var by: Operator
  /// Reason given by the operator; empty for none.
  package var reason: String

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
