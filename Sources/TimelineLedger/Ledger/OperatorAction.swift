package import TimelineCore

/// Somebody who asks the daemon for something, as the kernel knows the peer of a socket or the sender of a signal.
package struct Operator: Sendable, Hashable {
  /// The user's number.
  package var user: UInt32
  /// The user's name, where it is known.
  package var name: String?
  /// The process that asked; it may have ended since. 0 for one of another PID namespace.
  package var process: Int32
  /// The name of the program that ran in it, where it could be read; the process may have chosen it freely.
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

/// One thing that an operator had the daemon do.
package struct OperatorAction: Sendable, Hashable {
  /// Kinds of actions.
  package enum Verb: String, Sendable, Hashable, CaseIterable {
    /// A job was paused.
    case pause
    /// A job was resumed.
    case resume
    /// A job that waited because the clock was set back was let go on.
    case release
    /// A job was triggered.
    case trigger
    /// A run was asked to stop.
    case cancel
    /// The configuration was to be read again.
    case reload
    /// The daemon was to end.
    case stop
    /// Jobs of a cluster were to run as this node defines them.
    case activate
    /// The node was to leave its cluster.
    case leave
    /// The mode was chosen; the reason says which.
    case mode
    /// A rehearsal's clock was paused, resumed, moved or set to another speed; the reason says which.
    case clock
  }

  /// The kind of action.
  package var verb: Verb
  /// Time of the request.
  package var at: WallInstant
  /// The job it is about; `nil` for the daemon as a whole.
  package var job: JobName?
  /// The nominal time of the entry that was triggered or cancelled.
  package var entry: WallInstant?
  /// The operator.
  package var by: Operator
  /// The operator's own words; empty for none.
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
  /// The operator, and the reason where there is one: `root (uid 0), process 4711 (timelinectl): maintenance`.
  package var description: String { "\(by)" + (reason.isEmpty ? "" : ": \(reason)") }
}
