import ArgumentParser
import TimelineClient
import TimelineControl
import TimelineCore
import TimelineMonitoring
import TimelineSystem

/// Connection of a command to the daemon.
struct DaemonConnection: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The daemon's control socket. Default: $TIMELINED_SOCKET, or /run/timelined/control.sock.",
      valueName: "path"), completion: .file())
  var socket: String?

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "For how long to wait for an answer, such as 500ms or 1m. Default: 10s. Verbs that wait for runs or events limit the first answer alone.",
      valueName: "duration"), transform: { try Words.length($0) })
  var timeout: ElapsedTime?

  /// Default timeout of an answer: a healthy daemon needs milliseconds, a busy one seconds.
  private static let answerLimit = ElapsedTime.seconds(10)
  /// Timeout of an answer for shell completion; short, because a person waits.
  private static let completionLimit = ElapsedTime.seconds(1)

  /// Returns the connection with the options after the verb. An option that is missing there is taken from `root`,
  /// the options before the verb.
  func completed(by root: DaemonConnection) -> DaemonConnection {
    var connection = self
    connection.socket = socket ?? root.socket
    connection.timeout = timeout ?? root.timeout
    return connection
  }

  /// Connects, calls, and on failure ends the program with a message.
  ///
  /// The timeout applies to every reply; with `isPatient` only to the first reply.
  func call<Reply>(
    isPatient: Bool, wait: ((ByteStream) throws -> Void)? = nil, _ body: (ControlClient) throws -> Reply
  ) throws -> Reply {
    do {
      return try attempt(isPatient: isPatient, wait: wait, body)
    } catch let failure as CallFailure {
      throw fail(failure.message, status: failure.status)
    }
  }

  /// Like ``call(isPatient:_:)``, but throws a ``CallFailure`` without a message on standard error.
  ///
  /// With `isPatient`, `wait` waits for the replies after the first one and may throw. `waitForReply` waits for replies with a
  /// time limit.
  func attempt<Reply>(
    isPatient: Bool = false, wait: ((ByteStream) throws -> Void)? = nil,
    waitForReply: ((ByteStream, ElapsedTime) throws -> Bool)? = nil,
    _ body: (ControlClient) throws -> Reply
  ) throws -> Reply {
    let client = try client(isPatient: isPatient, wait: wait, waitForReply: waitForReply)
    do {
      return try body(client)
    } catch let error as VarlinkClientError {
      throw failure(of: error)
    }
  }

  private func client(
    isPatient: Bool, wait: ((ByteStream) throws -> Void)?,
    waitForReply: ((ByteStream, ElapsedTime) throws -> Bool)?
  ) throws -> ControlClient {
    if path.isEmpty {
      throw CallFailure(
        message:
          "timelinectl: error: the path of the control socket is empty: correct --socket or $TIMELINED_SOCKET",
        status: .usage)
    }
    let stream: ByteStream
    do {
      stream = try ByteStream.connect(to: path, atMost: limit)
    } catch {
      throw CallFailure(
        message: "timelinectl: error: \(path): \(Self.reason(of: error, on: path, limit: limit))",
        status: error.isForbidden ? .permissionDenied : .unavailable)
    }
    return ControlClient(
      port: DaemonStream(
        stream, limit: limit, isPatient: isPatient, waitElsewhere: wait, waitForReply: waitForReply
      ).port)
  }

  private func failure(of error: VarlinkClientError) -> any Error {
    switch error {
    case .receiver(let error): return error
    case .connection(is NoAnswer):
      return CallFailure(
        message: "timelinectl: error: \(path): \(Self.silence(limit))", status: .unavailable)
    default:
      var failure = CallFailure(message: "timelinectl: error: \(error)", status: ExitStatus(error))
      if case .remote = error { failure.isRefusal = true }
      return failure
    }
  }

  /// Connects and makes one call; throws a ``CallFailure`` without a message on standard error.
  func attempt<Call: ControlCall>(_ call: Call) throws -> Call.Reply {
    try attempt { client in try client.call(call) }
  }

  /// An answer of the daemon; `nil` on timeout. Prints nothing.
  static func answer<Reply>(from socket: String?, _ body: (ControlClient) throws -> Reply) -> Reply? {
    var connection = DaemonConnection()
    connection.socket = socket
    guard let stream = try? ByteStream.connect(to: connection.path, atMost: completionLimit) else {
      return nil
    }
    return try? body(
      ControlClient(port: DaemonStream(stream, limit: completionLimit, isPatient: false).port))
  }

  var path: String {
    socket ?? CurrentProcess.environment["TIMELINED_SOCKET"] ?? ServiceState.socketPath
  }

  /// Timeout of an answer.
  private var limit: ElapsedTime { timeout ?? Self.answerLimit }

  private static func silence(_ limit: ElapsedTime) -> String {
    "no answer within \(limit): the daemon is stopped or busy; see `systemctl status timelined`, or wait longer with --timeout"
  }

  private static func reason(of error: SystemError, on path: String, limit: ElapsedTime) -> String {
    switch error.name {
    case "ENOENT", "ECONNREFUSED":
      "\(error.reason.lowercased()): "
        + (ServiceState.cause(of: path)
          ?? "is timelined running? see `systemctl status timelined`; --socket names another daemon's socket")
    case "EACCES":
      "permission denied: its group may connect; ask to be added to it, or try again as root"
    case "ETIMEDOUT": silence(limit)
    case "ENAMETOOLONG": "too long for a socket: name it by a shorter path, such as a relative one"
    default: error.plainReason
    }
  }
}

/// A call of the daemon that failed.
struct CallFailure: Error {
  /// The text for standard error.
  let message: String
  let status: ExitStatus
  /// Whether the daemon answered with an error.
  var isRefusal = false

  /// The message without the name of the program.
  var reason: String {
    let prefix = "timelinectl: error: "
    return message.hasPrefix(prefix) ? String(message.dropFirst(prefix.count)) : message
  }
}

extension DaemonConnection: DaemonSource {
  func call<Reply>(_ body: (ControlClient) throws(VarlinkClientError) -> Reply) throws(FailedCall) -> Reply {
    try call(waitForReply: nil, body)
  }

  /// Connects and calls; `waitForReply` waits for the answer.
  func call<Reply>(
    waitForReply: ((ByteStream, ElapsedTime) throws -> Bool)?,
    _ body: (ControlClient) throws(VarlinkClientError) -> Reply
  ) throws(FailedCall) -> Reply {
    do {
      return try attempt(waitForReply: waitForReply, body)
    } catch let failure as CallFailure {
      throw FailedCall(message: failure.reason, isRefusal: failure.isRefusal)
    } catch {
      throw FailedCall(message: "\(error)", isRefusal: false)
    }
  }
}

/// A verb that calls the daemon; the socket may be given before or after the verb.
protocol DaemonVerb: ParsableCommand {
  var root: Timelinectl { get }
  var daemon: DaemonConnection { get }
}

extension DaemonVerb {
  /// Connects and calls; on failure or timeout ends the program with a message.
  func call<Reply>(_ body: (ControlClient) throws -> Reply) throws -> Reply {
    try daemon.completed(by: root.daemon).call(isPatient: false, body)
  }

  /// Connects and makes one call; on failure or timeout ends the program with a message.
  func call<Call: ControlCall>(_ call: Call) throws -> Call.Reply {
    try self.call { client in try client.call(call) }
  }

  /// Like ``call(_:)``, but waits without a timeout for replies after the first.
  func callAndWait<Reply>(
    wait: ((ByteStream) throws -> Void)? = nil, _ body: (ControlClient) throws -> Reply
  ) throws -> Reply {
    try daemon.completed(by: root.daemon).call(isPatient: true, wait: wait, body)
  }

  /// Connects and receives replies until the daemon ends. Then ends the program with a message, as after an earlier
  /// failure.
  func callForGood(_ body: (ControlClient) throws(VarlinkClientError) -> Void) throws {
    try callAndWait { client in
      do throws(VarlinkClientError) {
        try body(client)
      } catch .closed {
        throw fail(
          "timelinectl: error: timelined has ended, or hung up on a client that did not keep up",
          status: .unavailable)
      }
    }
  }
}
