import TimelineControl
import TimelineSystem
import TimelineTestSupport

/// A control socket whose calls a test answers, for states that a real daemon reaches slowly.
final class ScriptedDaemon {
  typealias Answer = (VarlinkServerConnection, VarlinkCall) throws -> Void

  let loop: EventLoop
  private let workshop: Workshop
  private let listener: UnixListener
  private let answer: Answer
  private var clients: [Client] = []

  init(in workshop: Workshop, answer: @escaping Answer) throws {
    (self.workshop, self.answer) = (workshop, answer)
    loop = try EventLoop()
    listener = try UnixListener(at: workshop.path + "/scripted.sock", mode: 0o600)
    try loop.watch(listener.rawValue, for: .reading) { [unowned self] _ in
      while let stream = try? listener.accept() {
        if let client = try? Client(stream, on: loop, answer) { clients.append(client) }
      }
    }
  }

  /// Starts timelinectl on this socket.
  func start(_ words: [String]) throws -> StartedProgram {
    try StartedProgram([BuiltProgram.control, "--socket", listener.path ?? ""] + words, on: loop)
  }

  /// Runs timelinectl on this socket to its end.
  func control(_ words: String...) throws -> FinishedProgram {
    try end(of: start(words))
  }

  /// Waits for the end of a program.
  func end(of program: StartedProgram) throws -> FinishedProgram {
    guard loop.run(atMost: DaemonProcess.patience, until: { program.result != nil }),
      let result = program.result
    else { throw TestFailure("the program did not end; it printed \(program.printed)") }
    return result
  }

  /// One connection.
  private final class Client {
    private let stream: ByteStream
    private let connection = VarlinkServerConnection(service: VarlinkService(version: "1"))
    private let answer: Answer
    private var watch: Watch?

    init(_ stream: ByteStream, on loop: EventLoop, _ answer: @escaping Answer) throws {
      (self.stream, self.answer) = (stream, answer)
      watch = try loop.watch(stream.rawValue, for: .reading) { [unowned self] _ in serve() }
    }

    private func serve() {
      guard case .bytes(let bytes)? = try? stream.read(atMost: 65_536) else {
        watch?.cancel()
        return stream.close()
      }
      connection.receive(bytes)
      while let call = connection.nextCall() {
        do {
          try answer(connection, call)
        } catch {
          connection.fail(call.id, error as? VarlinkError ?? .methodNotFound("\(error)"))
        }
      }
      // The replies of these tests fit into the buffer of a socket.
      if case .wrote(let count)? = try? stream.write(connection.output) { connection.wrote(count) }
    }
  }
}
