import Testing
import TimelineCore
import TimelineSystem
import TimelineTestSupport
import TimelineWire

/// A real `timeline-host` at the other end of a real socket, driven message by message.
final class HostProcess {
  let child: ChildProcess
  private let socket: SeqPacket
  private let output: ByteStream

  init(launcher: [String] = []) throws {
    let (near, far) = try SeqPacket.pair(messageBytesMax: WireLimits.messageMax)
    let pipe = try ByteStream.pipe()
    let command = launcher + [BuiltProgram.host]
    child = try ChildProcess.spawn(
      executable: command[0], arguments: Array(command.dropFirst()), environment: ["PATH": "/usr/bin:/bin"],
      descriptors: [
        .init(far.rawValue, as: 3), .init(pipe.writing.rawValue, as: 1), .init(pipe.writing.rawValue, as: 2),
      ])
    far.close()
    pipe.writing.close()
    socket = near
    output = pipe.reading
  }

  deinit {
    socket.close()
    _ = try? child.signalGroup(.kill)
    _ = child.wait()
  }

  func send(_ message: DaemonMessage) throws {
    try #require(try socket.send(message.encoded()) == .sent)
  }

  func sendRaw(_ bytes: [UInt8]) throws {
    try #require(try socket.send(bytes) == .sent)
  }

  /// The next message, without the instants of a call, which differ each time; `nil` at the end of the socket.
  func receive() throws -> HostMessage? {
    let message = try receiveWhole()
    guard case .ended(var end) = message else { return message }
    end.call = nil
    return .ended(end)
  }

  /// The next message; `nil` at the end of the socket.
  func receiveWhole() throws -> HostMessage? {
    while true {
      switch try socket.receive() {
      case .message(let bytes): return try HostMessage(decoding: bytes)
      case .endOfFile: return nil
      case .truncated(let length): throw TestFailure("a message of \(length) bytes was cut")
      case .wouldBlock: try waitForReading(socket.rawValue)
      }
    }
  }

  /// The lines and progress up to the next other message, and that message.
  func receiveAnswer() throws -> (lines: [LogLine], progress: [TimelineWire.Progress], answer: HostMessage?) {
    var lines: [LogLine] = []
    var progress: [TimelineWire.Progress] = []
    while true {
      switch try receive() {
      case .log(let line): lines.append(line)
      case .progress(let report): progress.append(report)
      case let other: return (lines, progress, other)
      }
    }
  }

  @discardableResult
  func load(
    _ path: String, user: String? = nil, setup: HostSetup = HostSetup(), credentialsDirectory: String? = nil
  ) throws -> HostMessage? {
    try send(
      .load(LoadRequest(path: path, user: user, setup: setup, credentialsDirectory: credentialsDirectory)))
    return try receiveAnswer().answer
  }

  @discardableResult
  func open(_ parameters: String = "{}", isRehearsal: Bool = false, instance: UInt32 = 0) throws
    -> HostMessage?
  {
    let job = try #require(JobName("test"))
    try send(
      .open(OpenRequest(job: job, parameters: parameters, isRehearsal: isRehearsal, instance: instance)))
    return try receiveAnswer().answer
  }

  /// Sends a run and returns its end.
  func run(
    _ number: UInt64 = 1, cursor: [UInt8] = [], upstream: String? = nil, instance: UInt32 = 0
  ) throws -> (lines: [LogLine], progress: [TimelineWire.Progress], end: RunEnd) {
    var request = try TimelineWire.RunRequest.sample(number, cursor: cursor, upstream: upstream)
    request.instance = instance
    try send(.run(request))
    let (lines, progress, answer) = try receiveAnswer()
    guard case .ended(let end) = answer else {
      throw TestFailure("no end of the run: \(String(describing: answer))")
    }
    return (lines, progress, end)
  }

  /// Closes the daemon's end, like the death of the daemon.
  func hangUp() { socket.close() }

  /// Standard output and error, up to their end.
  func outputToEnd() throws -> String {
    var bytes: [UInt8] = []
    while true {
      switch try output.read(atMost: 65_536) {
      case .bytes(let more): bytes += more
      case .wouldBlock: try waitForReading(output.rawValue)
      default: return String(decoding: bytes, as: UTF8.self)
      }
    }
  }

  /// Returns the way in which the process ended; waits for a limited time.
  func end() throws -> ProcessEnd {
    try waitForReading(child.handleRawValue)
    return child.wait()
  }
}

extension RunRequest {
  /// A run at two arbitrary instants.
  static func sample(
    _ number: UInt64, cursor: [UInt8] = [], upstream: String? = nil
  ) throws -> RunRequest {
    try RunRequest(
      run: number, runKey: "test/\(number)", nominal: WallInstant(secondsSinceEpoch: 1_800_000_000),
      actual: WallInstant(nanosecondsSinceEpoch: 1_800_000_000_000_000_123), cursor: cursor,
      upstream: upstream)
  }
}
