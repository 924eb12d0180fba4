import ArgumentParser
import TimelineControl
import TimelineCore
import TimelineSystem

/// How a verb reaches the daemon.
struct DaemonConnection: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The daemon's control socket. Default: $TIMELINED_SOCKET, or /run/timelined/control.sock.",
      valueName: "path"), completion: .file())
  var socket: String?

  /// How long to wait for a connection; an answer may take as long as a reload does.
  private static let connectLimit = ElapsedTime.seconds(5)
  /// How long a shell that completes a word waits for a connection, and for the daemon to go on with its answer.
  private static let completionLimit = ElapsedTime.seconds(1)
  private static let readMax = 64 * 1024

  /// Connects, calls, and ends the program with a sentence when that fails.
  fileprivate static func call<Reply>(
    _ socket: String?, _ body: (ControlClient) throws -> Reply
  ) throws -> Reply {
    let path = path(socket)
    let stream: ByteStream
    do {
      stream = try ByteStream.connect(to: path, atMost: connectLimit)
    } catch {
      throw fail("\(path): \(error.reason). \(remedy(for: error))")
    }
    do {
      return try body(ControlClient(port: port(of: stream, atMost: nil)))
    } catch let error as VarlinkClientError {
      throw fail("\(error)")
    }
  }

  /// What the daemon answers, or `nil` when it does not soon; nothing is printed.
  static func answer<Reply>(from socket: String?, _ body: (ControlClient) throws -> Reply) -> Reply? {
    guard let stream = try? ByteStream.connect(to: path(socket), atMost: completionLimit) else { return nil }
    return try? body(ControlClient(port: port(of: stream, atMost: completionLimit)))
  }

  private static func path(_ socket: String?) -> String {
    socket ?? CurrentProcess.environment["TIMELINED_SOCKET"] ?? "/run/timelined/control.sock"
  }

  private static func remedy(for error: SystemError) -> String {
    switch error.name {
    case "ENOENT", "ECONNREFUSED":
      "Is timelined running? `systemctl status timelined` tells; --socket names another daemon's socket."
    case "EACCES":
      "Its group may connect: ask to be added to it, or try again as root."
    default: "Try again."
    }
  }

  /// The two ends of `stream`; a daemon that does nothing for as long as `limit` counts as gone.
  private static func port(of stream: ByteStream, atMost limit: ElapsedTime?) -> VarlinkClient.Port {
    VarlinkClient.Port(
      read: {
        while true {
          switch try stream.read(atMost: readMax) {
          case .bytes(let bytes): return bytes
          case .endOfFile: return []
          case .wouldBlock: guard try stream.wait(toWrite: false, atMost: limit) else { return [] }
          }
        }
      },
      write: { bytes in
        var rest = bytes[...]
        while !rest.isEmpty {
          switch try stream.write(rest) {
          case .wrote(let count): rest = rest.dropFirst(count)
          case .wouldBlock: guard try stream.wait(toWrite: true, atMost: limit) else { return }
          case .peerClosed: return
          }
        }
      })
  }
}

/// A verb that asks the daemon; the socket may be named before the verb or after it.
protocol DaemonVerb: ParsableCommand {
  var root: Timelinectl { get }
  var daemon: DaemonConnection { get }
}

extension DaemonVerb {
  /// Connects, calls, and ends the program with a sentence when that fails.
  func call<Reply>(_ body: (ControlClient) throws -> Reply) throws -> Reply {
    try DaemonConnection.call(daemon.socket ?? root.daemon.socket, body)
  }

  /// Connects and takes replies until the daemon ends; ends the program with a sentence then, and when it fails before.
  func callForGood(_ body: (ControlClient) throws(VarlinkClientError) -> Void) throws {
    try call { client in
      do throws(VarlinkClientError) {
        try body(client)
      } catch .closed {
        throw fail("timelined has ended, or hung up on a client that did not keep up.")
      }
    }
  }
}
