import TimelineControl
import TimelineLedger

/// A call of a client that waits for replies.
struct ReceivedCall<Call: ControlCall> {
  /// The call with its valid parameters.
  let parameters: Call
  /// The call as it was sent.
  let call: VarlinkCall
  /// Connection of the client; `nil` when it has been closed.
  private(set) weak var connection: ControlConnection?
  /// Strong, unlike ``connection``: an answer that comes later, from the store or a copy of the ledger, still needs the daemon,
  /// which lives as long as its loop.
  let service: ControlService

  var daemon: Daemon { service.daemon }
  /// Whether the client accepts more than one reply.
  var wantsMore: Bool { call.wantsMore }

  /// Sends a reply, which is the last reply unless `continues` is true. A reply to a disconnected client is ignored.
  func reply(_ reply: Call.Reply, continues: Bool = false) {
    connection?.reply(to: call, reply, continues: continues)
  }

  /// Replies with an error.
  func fail(_ error: ControlError) {
    connection?.fail(call, error.varlink)
  }

  /// Replies with `count` elements. `portion` returns the elements in a range. A client that accepts more than one reply gets
  /// pages of `pageCount` elements.
  func replyInPages(of count: Int, pageCount: Int = 50, portion: @escaping (Range<Int>) -> Call.Reply) {
    PagedReply(
      to: call, on: connection, of: daemon, count: count, portionCount: pageCount, portion: portion
    ).begin()
  }

  /// The operator who makes the call.
  var caller: Operator {
    get throws(ControlError) { try service.caller(of: connection) }
  }

  /// Records the call in the audit trail as an action of its operator.
  func note() throws(ControlError) {
    guard let verb = Call.audit.flatMap(OperatorAction.Verb.init(rawValue:)) else { return }
    daemon.operators.note(verb, by: try caller)
  }

  /// Gives the client a place beyond this iteration of the loop, among the clients that stay for the same reason.
  func stay(_ stay: ControlConnection.Stay) throws(ControlError) {
    if let connection { try service.stay(stay, connection) }
  }
}
