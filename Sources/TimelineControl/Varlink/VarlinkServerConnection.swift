/// The server's end of one Varlink connection, without input or output of its own.
///
/// It stays on one thread. Its owner moves bytes: what a client sent goes into ``receive(_:)``, what ``output`` has goes to the client. Calls come out of
/// ``nextCall()`` one at a time, the next when the last one has its final reply, so replies keep the order of calls however many a
/// client sends ahead. Calls of `org.varlink.service`, of methods that do not exist and for an upgrade are answered here.
/// A client that breaks the protocol or a limit ends the connection: ``fault`` then says why.
package final class VarlinkServerConnection {
  /// Reasons why a connection cannot go on.
  package enum Fault: Error, Sendable, Hashable {
    /// A request is longer than ``ControlLimits/requestBytesMax``.
    case requestTooLong
    /// The received message is not a Varlink call.
    case malformedRequest
    /// More replies than ``ControlLimits/outputBytesMax`` wait to be read.
    case clientTooSlow
    /// Not even an error can be written as a message.
    case unwritableReply
  }

  /// Reason why the connection cannot go on; `nil` while it can. Close it then; the rest of ``output`` may be sent
  /// before.
  package private(set) var fault: Fault?

  /// Bytes for the client, oldest first; tell ``wrote(_:)`` how many of them were sent.
  package var output: ArraySlice<UInt8> { outbox[sentCount...] }

  /// Whether more input is of use: not while a whole request waits for the one before it, so that a client cannot make us
  /// keep what it sends ahead. Do not read from the client until it is again.
  package var wantsInput: Bool { fault == nil && !hasWholeRequest }

  /// Whether a request has begun to arrive and has not ended; give a client only so long for it.
  package var hasPartialRequest: Bool { !inbox.isEmpty && !hasWholeRequest }

  /// Whether a whole request could be taken from ``nextCall()`` right now.
  package var hasCallWaiting: Bool { fault == nil && hasWholeRequest && current == nil }

  /// Whether a call was handed out and has not had its final reply.
  package var isServing: Bool { current != nil }

  private let service: VarlinkService
  private var inbox: [UInt8] = []
  private var searchedCount = 0
  private var hasWholeRequest = false
  private var outbox: [UInt8] = []
  private var sentCount = 0
  private var current: VarlinkCall?
  private var callCount: UInt64 = 0

  /// Makes the server's end of a fresh connection.
  package init(service: VarlinkService) {
    self.service = service
  }

  /// Bytes for a client whose connection is closed before it has asked for anything.
  package static func refusal(_ error: VarlinkError) -> [UInt8] {
    (try? VarlinkEncoding.failure(error)) ?? []
  }

  /// Takes bytes that the client sent.
  package func receive(_ bytes: [UInt8]) {
    guard fault == nil else { return }
    inbox += bytes
    search()
  }

  /// The next call that its owner has to answer; `nil` when there is none, or the last one is not answered yet, or so many were
  /// answered here that others should have their turn first: then ``hasCallWaiting`` still holds.
  package func nextCall() -> VarlinkCall? {
    var requestsLeft = ControlLimits.ownAnswersMax
    while requestsLeft > 0, current == nil, fault == nil, let bytes = takeRequest() {
      requestsLeft -= 1
      callCount += 1
      guard let call = VarlinkCall(bytes, id: VarlinkCall.ID(number: callCount)) else {
        fault = .malformedRequest
        return nil
      }
      current = call
      switch service.verdict(on: call) {
      case .forOwner: return call
      case .reply(let parameters):
        send(to: call, isLast: true) { try VarlinkEncoding.reply(parameters, continues: false) }
      case .failure(let error): fail(call.id, error)
      }
    }
    return nil
  }

  /// Replies to a call, for the last time unless `continues`.
  ///
  /// A reply that continues is dropped when the client did not ask for more. Nothing happens when the call has had its last
  /// reply, so a late result needs no check.
  package func reply(to id: VarlinkCall.ID, _ parameters: some Encodable, continues: Bool = false) {
    guard let call = current, call.id == id else { return }
    if continues && !call.wantsMore { return }
    send(to: call, isLast: !continues) { try VarlinkEncoding.reply(parameters, continues: continues) }
  }

  /// Replies to a call that it failed; that is its last reply.
  package func fail(_ id: VarlinkCall.ID, _ error: VarlinkError) {
    guard let call = current, call.id == id else { return }
    send(to: call, isLast: true) { try VarlinkEncoding.failure(error) }
  }

  /// Forgets the first `count` bytes of ``output``, which were sent.
  package func wrote(_ count: Int) {
    precondition(count <= output.count, "More was written than there was.")
    sentCount += count
    // The rest is moved only when it is the smaller part, so that each byte is moved once at most on average.
    if sentCount * 2 >= outbox.count {
      outbox.removeFirst(sentCount)
      sentCount = 0
    }
  }

  private func send(to call: VarlinkCall, isLast: Bool, _ message: () throws -> [UInt8]) {
    if isLast { current = nil }
    guard !call.isOneway, fault == nil else { return }
    let bytes: [UInt8]
    do {
      bytes = try message()
    } catch {
      // The message contains text of a job or a plugin: one bad reply costs its caller an error, and the daemon
      // nothing.
      let failure = ControlError.replyFailed(method: call.method, reason: "\(error)").varlink
      guard let text = try? VarlinkEncoding.failure(failure) else {
        fault = .unwritableReply
        return
      }
      current = nil
      bytes = text
    }
    guard bytes.count <= ControlLimits.replyBytesMax else {
      let error = ControlError.replyTooLong(method: call.method).varlink
      return send(to: call, isLast: true) { try VarlinkEncoding.failure(error) }
    }
    guard output.count + bytes.count <= ControlLimits.outputBytesMax else {
      fault = .clientTooSlow
      return
    }
    outbox += bytes
  }

  private func takeRequest() -> [UInt8]? {
    guard hasWholeRequest else { return nil }
    let request = Array(inbox[..<searchedCount])
    inbox.removeFirst(searchedCount + 1)
    searchedCount = 0
    hasWholeRequest = false
    search()
    return request
  }

  /// Looks for the end of the first request, each byte once.
  private func search() {
    if hasWholeRequest { return }
    let end = inbox[searchedCount...].firstIndex(of: 0)
    hasWholeRequest = end != nil
    searchedCount = end ?? inbox.count
    if searchedCount >= ControlLimits.requestBytesMax {
      fault = .requestTooLong
      hasWholeRequest = false
      inbox = []
      searchedCount = 0
    }
  }
}

extension VarlinkServerConnection.Fault: CustomStringConvertible {
  /// The fault in words, as the rest of a sentence.
  package var description: String {
    switch self {
    case .requestTooLong: "its request is longer than \(ControlLimits.requestBytesMax >> 10) KiB"
    case .malformedRequest: "what it sent is not a Varlink call"
    case .unwritableReply: "its reply could not be written as JSON"
    case .clientTooSlow: "it left more than \(ControlLimits.outputBytesMax >> 20) MiB of replies unread"
    }
  }
}
