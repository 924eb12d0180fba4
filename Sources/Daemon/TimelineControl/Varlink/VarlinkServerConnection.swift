/// The server side of one Varlink connection, without input or output of its own.
///
/// The connection is used on one thread. The owner moves the bytes: it passes the bytes from the client to ``receive(_:)``, and
/// sends the bytes in ``output`` to the client.
///
/// ``nextCall()`` returns one call at a time. The next call follows after the final reply to the call before, so that replies
/// keep the order of calls even if a client sends calls ahead. The connection itself answers calls of `org.varlink.service`,
/// calls of unknown methods and calls for an upgrade. ``fault`` is set if a client breaks the protocol or a limit.
package final class VarlinkServerConnection {
  /// Reasons to end a connection.
  package enum Fault: Error, Sendable, Equatable {
    /// A request is longer than ``ControlLimits/requestBytesMax``.
    case requestTooLong
    /// The received message is not a Varlink call.
    case malformedRequest
    /// More than ``ControlLimits/outputBytesMax`` of replies are unread.
    case clientTooSlow
    /// A reply cannot be written as a message, and neither can the error about it.
    case unwritableReply
  }

  /// Reason to end the connection; `nil` while the connection works. With a fault, the owner must close the connection, and may
  /// send the rest of ``output`` first.
  package private(set) var fault: Fault?

  /// Bytes for the client, oldest first. The owner calls ``wrote(_:)`` with the number of sent bytes.
  package var output: ArraySlice<UInt8> { outbox[sentCount...] }

  /// Whether the owner should read from the client. `false` while a whole request waits for the reply to the previous request, so
  /// that a client cannot fill the memory with requests sent ahead.
  package var wantsInput: Bool { fault == nil && !hasWholeRequest }

  /// Whether only a part of a request has arrived. The owner should limit the time for the rest.
  package var hasPartialRequest: Bool { !inbox.isEmpty && !hasWholeRequest }

  /// Whether ``nextCall()`` would return a call now.
  package var hasCallWaiting: Bool { fault == nil && hasWholeRequest && current == nil }

  /// Whether a returned call has no final reply yet.
  package var isServing: Bool { current != nil }

  private let service: VarlinkService
  private var inbox: [UInt8] = []
  private var searchedCount = 0
  private var hasWholeRequest = false
  private var outbox: [UInt8] = []
  private var sentCount = 0
  private var current: VarlinkCall?
  private var callCount: UInt64 = 0

  package init(service: VarlinkService) {
    self.service = service
  }

  /// Returns an error message for a client whose connection is closed before its first request.
  package static func refusal(_ error: VarlinkError) -> [UInt8] {
    (try? VarlinkEncoding.failure(error)) ?? []
  }

  /// Adds bytes from the client.
  package func receive(_ bytes: [UInt8]) {
    guard fault == nil else { return }
    inbox += bytes
    search()
  }

  /// Returns the next call for the owner to answer. Returns `nil` if there is no call, if the last call has no final reply yet,
  /// or if the connection has answered ``ControlLimits/ownAnswersMax`` calls itself, so that other clients are served. In the
  /// last case ``hasCallWaiting`` is still true if calls wait.
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

  /// Replies to a call. The reply is final unless `continues` is true.
  ///
  /// A reply that continues is dropped if the client accepts only one reply. A reply after the final reply is ignored, so that
  /// callers need no check for a late result.
  package func reply(to id: VarlinkCall.ID, _ parameters: some Encodable, continues: Bool = false) {
    guard let call = current, call.id == id else { return }
    if continues && !call.wantsMore { return }
    send(to: call, isLast: !continues) { try VarlinkEncoding.reply(parameters, continues: continues) }
  }

  /// Replies to a call with an error, as the final reply.
  package func fail(_ id: VarlinkCall.ID, _ error: VarlinkError) {
    guard let call = current, call.id == id else { return }
    send(to: call, isLast: true) { try VarlinkEncoding.failure(error) }
  }

  /// Removes the first `count` bytes of ``output`` after they were sent.
  package func wrote(_ count: Int) {
    precondition(count <= output.count, "More was written than there was.")
    sentCount += count
    // The rest is moved only when it is the smaller part, so that each byte is moved at most once on average.
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
      // The message contains text of a job or a plugin. A reply that cannot be written returns an error to its caller and does
      // not affect the daemon.
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

  /// Searches for the end of the first request, and reads each byte only once.
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
