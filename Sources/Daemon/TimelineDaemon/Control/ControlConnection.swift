import TimelineControl
import TimelineCore
import TimelineSystem

/// Connection of one client to the control socket: moves bytes between the socket and the protocol, and never blocks.
///
/// A client may send several calls at once. The first call is answered at once. Each further call is answered at the end of an
/// iteration of the loop, after the client has read the reply to the call before. Deadlines and other clients are served in
/// between.
///
/// A client that shuts down its sending side after its last call still gets the replies. A client that has closed the socket
/// gets no replies.
final class ControlConnection {
  /// Credentials of the client; `nil` if the kernel does not provide them. Then the client may only read.
  let peer: PeerCredentials?
  private let stream: ByteStream
  private let loop: EventLoop
  private let answer: (VarlinkCall, ControlConnection) -> Void
  private let closed: () -> Void
  private var server: VarlinkServerConnection
  private var watch: Watch?
  private var patience: Delay?
  private var isPumping = false
  /// Whether the answer to the next call is scheduled for the end of an iteration of the loop.
  private var isCallPutOff = false
  /// Whether the client will not write any more.
  private var hasInputEnded = false
  /// Reason why the client was disconnected; `nil` if there is no reason to report.
  private(set) var complaint: String?
  /// Reason why the client stays connected during a long call; `nil` without a long call, and after its last reply.
  var stay: Stay?
  /// Called when all replies have been sent.
  var whenDrained: (() -> Void)?
  /// Called once when either side has closed the connection.
  var whenClosed: (() -> Void)?

  /// Reasons why a client stays connected during a long call.
  enum Stay {
    /// The client waits for the end of a run.
    case waiting
    /// The client watches events.
    case watching
  }

  /// Bytes read at a time: far more than a usual request, and little to buffer for a client that sends calls ahead of the
  /// replies.
  private static let readMax = 16 * 1024
  /// Timeout for a client to send one request, and to read one reply.
  private static let patienceMax = ElapsedTime.seconds(10)

  /// Whether the client waits for nothing: no request has begun to arrive, and the replies to all requests have been sent.
  var isIdle: Bool {
    !server.isServing && !server.hasPartialRequest && !server.hasCallWaiting && server.output.isEmpty
  }

  /// Whether the client waits for a reply, or has not read all of a reply.
  var isServing: Bool { server.isServing || server.hasCallWaiting || !server.output.isEmpty }

  /// Number of reply bytes that have not been written to the socket, because the client has not read enough.
  var backlogBytes: Int { server.output.count }

  /// Serves `stream` until either side closes the connection. Then calls `closed` once.
  init(
    stream: ByteStream, loop: EventLoop, service: VarlinkService,
    answer: @escaping (VarlinkCall, ControlConnection) -> Void, closed: @escaping () -> Void
  ) throws(SystemError) {
    self.stream = stream
    self.loop = loop
    self.answer = answer
    self.closed = closed
    peer = try? stream.peerCredentials()
    server = VarlinkServerConnection(service: service)
    watch = try loop.watch(stream.rawValue, for: .reading) { [weak self] readiness in self?.take(readiness) }
  }

  /// Replies to a call. This is the last reply to the call, unless `continues` is true.
  func reply(to call: VarlinkCall, _ parameters: some Encodable, continues: Bool = false) {
    guard watch != nil else { return }
    if !continues { stay = nil }
    server.reply(to: call.id, parameters, continues: continues)
    flush()
  }

  /// Replies to a call with an error.
  func fail(_ call: VarlinkCall, _ error: VarlinkError) {
    guard watch != nil else { return }
    stay = nil
    server.fail(call.id, error)
    flush()
  }

  /// Closes the connection; nothing more is sent or answered.
  func close() {
    guard let watch else { return }
    self.watch = nil
    watch.cancel()
    patience?.cancel()
    stream.close()
    whenClosed?()
    whenDrained = nil
    whenClosed = nil
    closed()
  }

  /// Closes the connection, and records the reason in ``complaint``.
  func hangUp(because complaint: String) {
    self.complaint = complaint
    close()
  }

  /// Whether the connection needs more input, and the client may still send some.
  private var wantsInput: Bool { server.wantsInput && !hasInputEnded }

  /// Whether the client has shut down its sending side, all its calls are answered, and all replies are sent. An unfinished
  /// request is ignored.
  private var isAllDone: Bool {
    hasInputEnded && !server.isServing && !server.hasCallWaiting && server.output.isEmpty
  }

  private func take(_ readiness: Readiness) {
    if readiness.contains(.readable) && wantsInput {
      switch Result(catching: { () throws(SystemError) in try stream.read(atMost: Self.readMax) }) {
      case .success(.bytes(let bytes)): server.receive(bytes)
      case .success(.wouldBlock): break
      // A client that has closed the socket gets no reply.
      case .success(.endOfFile) where !readiness.contains(.hangUp) && !readiness.contains(.failure):
        hasInputEnded = true
      case .success(.endOfFile): return close()
      case .failure(let error): return hangUp(because: "it could not be read from: \(error)")
      }
    } else if readiness.contains(.hangUp) || readiness.contains(.failure) {
      return close()
    }
    if isCallPutOff { flush() } else { answerNext() }
  }

  /// Answers the next call, sends as many bytes as possible, and updates the watch on the socket.
  private func answerNext() {
    if watch != nil, let call = server.nextCall() {
      isPumping = true
      answer(call, self)
      isPumping = false
    }
    flush()
  }

  /// Schedules the answer to the next call for the end of this iteration of the loop. If this iteration is already ending, the
  /// answer is scheduled for the end of the next iteration.
  private func putOffCall() {
    guard !isCallPutOff else { return }
    isCallPutOff = true
    loop.atEndOfTurn { [weak self] in
      self?.isCallPutOff = false
      self?.answerNext()
    }
  }

  /// Sends as many bytes as possible, and updates the watch on the socket.
  ///
  /// A reply may be sent while the engine's effects are performed. The client's next call is answered later, when the state is
  /// consistent again.
  private func flush() {
    guard watch != nil, !isPumping else { return }
    isPumping = true
    defer { isPumping = false }
    repeat {
      while !server.output.isEmpty {
        switch try? stream.write(server.output) {
        case .wrote(let count): server.wrote(count)
        case .wouldBlock: return wait(for: .writing)
        case .peerClosed, nil: return close()
        }
      }
      whenDrained?()
    } while !server.output.isEmpty
    if let fault = server.fault { return hangUp(because: "\(fault)") }
    if isAllDone { return close() }
    wait(for: [])
    if server.hasCallWaiting { putOffCall() }
  }

  private func wait(for interest: Interest) {
    watch?.update(wantsInput ? interest.union(.reading) : interest)
    guard interest == .writing || server.hasPartialRequest && !hasInputEnded else {
      patience?.cancel()
      patience = nil
      return
    }
    // A single byte does not extend the timeout. Otherwise a client could keep its connection open forever with single bytes.
    guard patience == nil else { return }
    patience = loop.after(Self.patienceMax) { [weak self] in
      self?.hangUp(
        because: "it took more than \(Self.patienceMax) over one request, or over reading one reply")
    }
  }
}
