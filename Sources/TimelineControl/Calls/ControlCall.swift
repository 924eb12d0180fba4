/// The methods of the interface `io.timelined.Control`: `Control.Trigger` is `io.timelined.Control.Trigger`.
package enum Control {}

/// A method of the control interface; a value is one call with its parameters.
///
/// The file of a call declares all of it: parameters, reply, and the rules by which the daemon answers. The client is
/// ``ControlClient``, the daemon has a handler for each call, and ``ControlInterface`` describes the calls for other clients.
package protocol ControlCall: Codable, Sendable {
  /// Reply of the daemon.
  associatedtype Reply: Codable, Sendable
  /// Clients that may make the call.
  static var access: ControlAccess { get }
  /// Whether a daemon that drains answers the call.
  static var whileDraining: DrainingRule { get }
  /// The action that the ledger records with its operator, an `OperatorAction.Verb`; `nil` for none.
  static var audit: String? { get }
  /// Number of replies.
  static var replies: ReplyForm<Reply> { get }
  /// Throws the error to reply if a parameter has an invalid value.
  func validate() throws(VarlinkError)
}

extension ControlCall {
  /// The name of the method in its interface, which is that of the type.
  package static var name: String { "\(Self.self)" }
  /// The name of the method with its interface, as messages have it.
  package static var fullName: String { ControlInterface.fullName(name) }
  /// One reply, the usual case.
  package static var replies: ReplyForm<Reply> { .single }
  /// All values are valid, the usual case.
  package func validate() throws(VarlinkError) {}

  /// Throws the error about a parameter unless it is valid.
  func require(_ isValid: Bool, _ parameter: String) throws(VarlinkError) {
    guard isValid else { throw .invalidParameter(parameter) }
  }
}

/// A call that only reads.
package protocol ReadingCall: ControlCall {}

extension ReadingCall {
  /// Each client may read.
  package static var access: ControlAccess { .read }
  /// A daemon that drains shows how far it is.
  package static var whileDraining: DrainingRule { .answered }
  /// Questions are not recorded.
  package static var audit: String? { nil }
}

/// A call that changes something.
package protocol ChangingCall: ControlCall {}

extension ChangingCall {
  /// Only operators may change something.
  package static var access: ControlAccess { .change }
  /// A daemon that drains begins nothing.
  package static var whileDraining: DrainingRule { .refused }
  /// The action is named like the call, the usual case.
  package static var audit: String? { name.lowercased() }
}

/// Kinds of access to the daemon.
package enum ControlAccess: Sendable, Hashable {
  /// Reads what each client may see that can connect.
  case read
  /// Reads the contents of files that may be protected.
  case readProtected
  /// Changes something.
  case change

  /// Whether it is only for root, the daemon's own user and the configured users.
  package var needsPermission: Bool { self != .read }
}

/// Rules for a call to a daemon that drains.
package enum DrainingRule: Sendable, Hashable {
  /// The call is answered as usual.
  case answered
  /// The call is answered with ``ControlError/shuttingDown``.
  case refused
}

/// Number of replies to a call.
package enum ReplyForm<Reply> {
  /// One; a call with `more` may get further replies, each complete.
  case single
  /// One or, to a call with `more`, pages. `add` adds the next page to those before.
  case pages(add: (_ whole: inout Reply, _ page: Reply) -> Void)
  /// One for each event, without an end; only to a call with `more`.
  case events
}

extension VarlinkCall {
  /// Reads the call as one of the given type; throws the error to reply if it is invalid.
  package func read<Call: ControlCall>(as type: Call.Type) throws(VarlinkError) -> Call {
    if case .events = Call.replies, !wantsMore { throw .expectedMore }
    let call = try parameters(as: type)
    try call.validate()
    return call
  }
}
