import TimelineControl
import TimelineCore
import TimelineSystem

/// One client of the control socket: moves bytes between the socket and the protocol, and never waits for the client.
///
/// However many calls a client sends ahead, the first is answered as it comes and each further one at the end of a turn of the loop,
/// when the one before has its reply and the client has taken it: everybody else, deadlines above all, is served in between.
///
/// A client that has said all it wants to say may end its side: it still gets the replies. One that is gone altogether gets none.
final class ControlConnection {
  /// Credentials of the client; `nil` when the kernel does not give them, and then the client has no special rights.
  let peer: PeerCredentials?
  private let stream: ByteStream
  private let loop: EventLoop
  private let answer: (VarlinkCall, ControlConnection) -> Void
  private let closed: () -> Void
  private var server: VarlinkServerConnection
  private var watch: Watch?
  private var patience: Delay?
  private var isPumping = false
  /// Whether the next call is answered at the end of a turn to come.
  private var isCallPutOff = false
  /// Whether the client will not write any more.
  private var hasInputEnded = false
  /// Reason why the client was disconnected; `nil` where there is none to report.
  private(set) var complaint: String?
  /// Way in which it stays longer than a call takes; `nil` if it does not, and when its call has its last reply.
  var stay: Stay?
  /// Called when everything that was replied has been sent.
  var whenDrained: (() -> Void)?
  /// Called once when either side has hung up.
  var whenClosed: (() -> Void)?

  /// The ways in which a client stays longer than a call takes.
  enum Stay {
    /// It waits for the end of a run.
    case waiting
    /// It watches what happens.
    case watching
  }

  /// Bytes read at a time: far more than a usual request, and little to keep of what a client sends ahead.
  private static let readMax = 16 * 1024
  /// Timeout for one request of a client, and for its reading of one reply.
  private static let patienceMax = ElapsedTime.seconds(10)

  /// Whether its client waits for nothing: no request has begun to arrive, every one has its reply, and every reply was taken.
  var isIdle: Bool {
    !server.isServing && !server.hasPartialRequest && !server.hasCallWaiting && server.output.isEmpty
  }

  /// Whether it has asked for something and waits for it, or has not read all of it.
  var isServing: Bool { server.isServing || server.hasCallWaiting || !server.output.isEmpty }

  /// Number of reply bytes that wait for the client to read.
  var backlogBytes: Int { server.output.count }

  /// Serves `stream` until either side ends; `closed` is called once.
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

  /// Replies to a call, for the last time unless `continues`.
  func reply(to call: VarlinkCall, _ parameters: some Encodable, continues: Bool = false) {
    guard watch != nil else { return }
    if !continues { stay = nil }
    server.reply(to: call.id, parameters, continues: continues)
    flush()
  }

  /// Replies to a call that it failed.
  func fail(_ call: VarlinkCall, _ error: VarlinkError) {
    guard watch != nil else { return }
    stay = nil
    server.fail(call.id, error)
    flush()
  }

  /// Hangs up; nothing more is sent or answered.
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

  /// Hangs up, and says why.
  func hangUp(because complaint: String) {
    self.complaint = complaint
    close()
  }

  /// Whether more input is of use, and may come.
  private var wantsInput: Bool { server.wantsInput && !hasInputEnded }

  /// Whether nothing is left to be done for a client that will not write any more; a request that it has not finished is none.
  private var isAllDone: Bool {
    hasInputEnded && !server.isServing && !server.hasCallWaiting && server.output.isEmpty
  }

  private func take(_ readiness: Readiness) {
    if readiness.contains(.readable) && wantsInput {
      switch Result(catching: { () throws(SystemError) in try stream.read(atMost: Self.readMax) }) {
      case .success(.bytes(let bytes)): server.receive(bytes)
      case .success(.wouldBlock): break
      // A client that is gone altogether gets no reply.
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

  /// Answers the next call, sends what can be sent, and sets what to wait for.
  private func answerNext() {
    if watch != nil, let call = server.nextCall() {
      isPumping = true
      answer(call, self)
      isPumping = false
    }
    flush()
  }

  /// Has the next call answered at the end of this turn or, if that is what is being done, of the next one.
  private func putOffCall() {
    guard !isCallPutOff else { return }
    isCallPutOff = true
    loop.atEndOfTurn { [weak self] in
      self?.isCallPutOff = false
      self?.answerNext()
    }
  }

  /// Sends what can be sent, and sets what to wait for.
  ///
  /// A reply may be given while the engine's effects are performed. A call that waited for it is answered later, when there is
  /// nothing half done that it could see.
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
    // It is not prolonged by a byte now and then: whoever drips would hold a connection for ever.
    guard patience == nil else { return }
    patience = loop.after(Self.patienceMax) { [weak self] in
      self?.hangUp(
        because: "it took more than \(Self.patienceMax) over one request, or over reading one reply")
    }
  }
}
