import TimelineControl
import TimelineLedger

/// A call of a client that waits for replies.
struct ReceivedCall<Call: ControlCall> {
  /// The call with its parameters, which are valid.
  let parameters: Call
  /// The call as it was sent.
  let call: VarlinkCall
  /// Connection of the client; `nil` when it has been closed.
  private(set) weak var connection: ControlConnection?
  let service: ControlService

  var daemon: Daemon { service.daemon }
  /// Whether the client accepts more than one reply.
  var wantsMore: Bool { call.wantsMore }

  /// Replies; the last reply, unless it `continues`. A reply after the client has disconnected is ignored.
  func reply(_ reply: Call.Reply, continues: Bool = false) {
    connection?.reply(to: call, reply, continues: continues)
  }

  /// Replies with an error.
  func fail(_ error: ControlError) {
    connection?.fail(call, error.varlink)
  }

  /// Replies with `count` elements; `portion` returns a range of them. A client that accepts more than one reply gets pages.
  func replyInPages(of count: Int, pageCount: Int = 50, portion: @escaping (Range<Int>) -> Call.Reply) {
    PagedReply(
      to: call, on: connection, of: daemon, count: count, portionCount: pageCount, portion: portion
    ).begin()
  }

  /// The operator who makes the call.
  var caller: Operator {
    get throws(ControlError) { try service.caller(of: connection) }
  }

  /// Keeps the client connected beyond this turn, in a place among those that stay for the same reason.
  func stay(_ stay: ControlConnection.Stay) throws(ControlError) {
    if let connection { try service.stay(stay, connection) }
  }
}
