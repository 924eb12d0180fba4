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
      valueName: "path"))
  var socket: String?

  /// How long to wait for a connection; an answer may take as long as a reload does.
  private static let connectLimit = ElapsedTime.seconds(5)
  private static let readMax = 64 * 1024

  /// Connects, calls, and ends the program with a sentence when that fails.
  fileprivate static func call<Reply>(
    _ socket: String?, _ body: (ControlClient) throws -> Reply
  ) throws -> Reply {
    let path = socket ?? CurrentProcess.environment["TIMELINED_SOCKET"] ?? "/run/timelined/control.sock"
    let stream: ByteStream
    do {
      stream = try ByteStream.connect(to: path, atMost: connectLimit)
    } catch {
      throw fail("\(path): \(error.reason). \(remedy(for: error))")
    }
    do {
      return try body(ControlClient(port: port(of: stream)))
    } catch let error as VarlinkClientError {
      throw fail("\(error)")
    }
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

  private static func port(of stream: ByteStream) -> VarlinkClient.Port {
    VarlinkClient.Port(
      read: {
        while true {
          switch try stream.read(atMost: readMax) {
          case .bytes(let bytes): return bytes
          case .endOfFile: return []
          case .wouldBlock: _ = try stream.wait(toWrite: false, atMost: nil)
          }
        }
      },
      write: { bytes in
        var rest = bytes[...]
        while !rest.isEmpty {
          switch try stream.write(rest) {
          case .wrote(let count): rest = rest.dropFirst(count)
          case .wouldBlock: _ = try stream.wait(toWrite: true, atMost: nil)
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
