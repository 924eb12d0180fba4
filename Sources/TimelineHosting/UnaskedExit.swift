internal import Synchronization
internal import TimelineWire

/// Tells the daemon when a plugin calls exit(), so that the message can say so instead of "the host has gone".
enum UnaskedExit {
  private struct State: Sendable {
    var socket: HostSocket?
  }

  /// The one state of this process: exit's hooks take no argument that could carry it.
  private static let state = Mutex(State())

  /// From here on exit() is reported to the daemon at the other end of `socket`.
  static func report(to socket: HostSocket) {
    state.withLock { $0.socket = socket }
    unsafe HostSystem.whenExiting { status, _ in
      let socket = UnaskedExit.state.withLock { state in
        defer { state.socket = nil }
        return state.socket
      }
      socket?.send(.exiting(status: status))
    }
  }

  /// The daemon itself asked for the exit that follows.
  static func isAsked() {
    state.withLock { $0.socket = nil }
  }
}
