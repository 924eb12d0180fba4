/// The methods of the interface `io.timelined.Control`: `Control.Trigger` is `io.timelined.Control.Trigger`.
package enum Control {}

/// A method of the control interface. A value of the type is one call with its parameters.
///
/// One file declares a call completely: its parameters, its reply, and the rules by which the daemon answers. ``ControlClient``
/// makes the calls, the daemon has a handler for each call, and ``ControlInterface`` describes the calls for other clients.
package protocol ControlCall: Codable, Sendable {
  /// Reply of the daemon.
  associatedtype Reply: Codable, Sendable
  /// Clients that may make the call.
  static var access: ControlAccess { get }
  /// Whether a draining daemon answers the call.
  static var whileDraining: DrainingRule { get }
  /// The action that the ledger records with the operator, an `OperatorAction.Verb` as text; `nil` for no record.
  static var audit: String? { get }
  /// Number of replies.
  static var replies: ReplyForm<Reply> { get }
  /// Throws the error to reply if a parameter has an invalid value.
  func validate() throws(VarlinkError)
}

extension ControlCall {
  /// The name of the method in its interface, equal to the name of the type.
  package static var name: String { "\(Self.self)" }
  /// The name of the method with its interface, as used in messages.
  package static var fullName: String { ControlInterface.fullName(name) }
  /// The default: one reply.
  package static var replies: ReplyForm<Reply> { .single }
  /// Accepts all values, the default.
  package func validate() throws(VarlinkError) {}

  /// Throws an error about `parameter` unless `isValid` is true.
  func require(_ isValid: Bool, _ parameter: String) throws(VarlinkError) {
    guard isValid else { throw .invalidParameter(parameter) }
  }
}

/// A call that only reads.
package protocol ReadingCall: ControlCall {}

extension ReadingCall {
  /// Each client may read.
  package static var access: ControlAccess { .read }
  /// A draining daemon answers, so that clients see its progress.
  package static var whileDraining: DrainingRule { .answered }
  /// Calls that only read are not recorded.
  package static var audit: String? { nil }
}

/// A call that changes something.
package protocol ChangingCall: ControlCall {}

extension ChangingCall {
  /// Only operators may change something.
  package static var access: ControlAccess { .change }
  /// A draining daemon makes no changes.
  package static var whileDraining: DrainingRule { .refused }
  /// The default: the name of the call in lower case.
  package static var audit: String? { name.lowercased() }
}

/// Kinds of access to the daemon.
package enum ControlAccess: Sendable, Hashable {
  /// Reads data that each connected client may see.
  case read
  /// Reads the contents of files that may be protected.
  case readProtected
  /// Changes something.
  case change

  /// Whether the access is limited to root, the daemon's own user and the configured users.
  package var needsPermission: Bool { self != .read }
}

/// Rules for a call to a draining daemon.
package enum DrainingRule: Sendable, Hashable {
  /// The call is answered as usual.
  case answered
  /// The call is answered with ``ControlError/shuttingDown``.
  case refused
}

/// Number of replies to a call.
package enum ReplyForm<Reply> {
  /// One reply. A call with `more` may get further replies, each complete by itself.
  case single
  /// One reply, or several pages for a call with `more`. `add` appends a page to the pages before.
  case pages(add: (_ whole: inout Reply, _ page: Reply) -> Void)
  /// One reply for each event, without a last reply. The call must have `more`.
  case events
}

extension VarlinkCall {
  /// Reads the call as a call of `type`. Throws the error to reply if the call is invalid.
  package func read<Call: ControlCall>(as type: Call.Type) throws(VarlinkError) -> Call {
    if case .events = Call.replies, !wantsMore { throw .expectedMore }
    let call = try parameters(as: type)
    try call.validate()
    return call
  }
}
