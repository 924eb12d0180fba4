/// The client side of the control interface.
package struct ControlClient {
  private let client: VarlinkClient

  /// Makes a client of a new connection.
  package init(port: VarlinkClient.Port) {
    client = VarlinkClient(port: port)
  }

  /// Makes a call and returns the reply. Pages are joined into one reply.
  package func call<Call: ControlCall>(_ call: Call) throws(VarlinkClientError) -> Call.Reply {
    guard case .pages(let add) = Call.replies else { return try client.call(Call.fullName, call) }
    var pages: [Call.Reply] = []
    try stream(call) { pages.append($0) }
    var whole = pages.removeFirst()
    for page in pages { add(&whole, page) }
    return whole
  }

  /// Makes a call with `more`, passes each reply to `each`, and returns the last reply. A call for events ends only with an
  /// error, when the daemon ends or closes the connection.
  @discardableResult
  package func stream<Call: ControlCall>(
    _ call: Call, each: (Call.Reply) throws -> Void = { _ in }
  ) throws(VarlinkClientError) -> Call.Reply {
    try client.callForMore(Call.fullName, call, each: each)
  }
}
