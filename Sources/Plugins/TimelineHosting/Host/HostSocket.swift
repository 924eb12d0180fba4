internal import Glibc
internal import TimelineCore
internal import TimelineSystem
internal import TimelineWire

/// The host's end of the SEQPACKET pair; blocking, and usable from any thread.
struct HostSocket: Sendable {
  /// The socket at the number under which the daemon passes it.
  static let inherited = HostSocket(number: 3)

  private let number: CInt

  /// Result of receiving a message.
  enum Receiving {
    case message([UInt8])
    /// There is no message yet.
    case nothing
    /// The daemon has closed the socket.
    case end
  }

  /// Whether the daemon has passed a socket. The C function is `fstat`.
  var isOpen: Bool {
    var facts = stat()
    return unsafe fstat(number, &facts) == 0 && facts.st_mode & S_IFMT == S_IFSOCK
  }

  /// Returns the socket in blocking mode and under a high number, so that plugins that close low numbers do not close it.
  /// The socket is closed on execution, because a copy in another program would hide the end of the host from the daemon.
  func prepared() -> HostSocket {
    let flags = fcntl(number, F_GETFL)
    _ = fcntl(number, F_SETFL, flags & ~O_NONBLOCK)
    _ = fcntl(number, F_SETFD, FD_CLOEXEC)
    guard let raised = CurrentProcess.raisedCopy(of: number) else { return self }
    close(number)
    return HostSocket(number: raised)
  }

  /// Makes a buffer for a thread that receives messages. It has one byte more than the longest message, so that a longer
  /// message is noticed.
  static func makeBuffer() -> [UInt8] { [UInt8](repeating: 0, count: WireLimits.messageMax + 1) }

  /// Receives the next message; waits for a message if `waiting`. The C function is `recv`.
  func receive(into buffer: inout [UInt8], waiting: Bool) -> Receiving {
    while true {
      let length = unsafe buffer.withUnsafeMutableBytes { bytes in
        unsafe recv(number, bytes.baseAddress, bytes.count, waiting ? 0 : CInt(MSG_DONTWAIT))
      }
      if length > 0 { return .message(Array(buffer[..<length])) }
      if length == 0 { return .end }
      switch errno {
      case EINTR: continue
      case EAGAIN: return .nothing
      case EBADF, ENOTSOCK: HostSystem.endWithoutDescriptors()
      default: return .end
      }
    }
  }

  /// Limits the wait of ``receive(into:waiting:)`` to `limit`; zero for no limit. The limit stays set, so that a series of
  /// messages needs no further system call. The C function is `setsockopt(SO_RCVTIMEO)`.
  func limitWait(_ limit: ElapsedTime) {
    var time = timeval(tv_sec: 0, tv_usec: Int(limit.nanoseconds / 1_000))
    _ = unsafe setsockopt(number, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
  }

  /// Waits until ``receive(into:waiting:)`` has a result, for at most `milliseconds`; a negative number means no limit.
  /// Returns whether there is a result. The C function is `poll`.
  @discardableResult
  func waitUntilReadable(atMost milliseconds: CInt = -1) -> Bool {
    var entry = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
    while true {
      let count = unsafe poll(&entry, 1, milliseconds)
      if count >= 0 { return count > 0 }
      // If a plugin has lowered the limit of descriptors to 0, poll always fails at once.
      if errno != EINTR {
        HostSystem.pause(milliseconds: Self.pauseAfterFailure)
        return true
      }
    }
  }

  /// Waits until ``receive(into:waiting:)`` has a result or `alarm` goes off. Returns whether `alarm` has gone off.
  func waitUntilReadable(or alarm: Alarm) -> Bool {
    var entries = [number, alarm.rawValue].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    while unsafe poll(&entries, nfds_t(entries.count), -1) < 0 {
      if errno == EINTR { continue }
      HostSystem.pause(milliseconds: Self.pauseAfterFailure)
      return false
    }
    return entries[1].revents != 0
  }

  /// Pause after a failed wait, so that repeated waits do not keep a processor busy.
  private static let pauseAfterFailure: CInt = 10

  /// Sends one message, and blocks while the daemon is behind. The end of the daemon is detected when a message is
  /// received.
  func send(_ message: HostMessage) {
    let bytes = message.encoded()
    while unsafe bytes.withUnsafeBytes({
      unsafe Glibc.send(number, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
    }) < 0 {
      switch errno {
      case EINTR: continue
      case EBADF, ENOTSOCK: HostSystem.endWithoutDescriptors()
      default: return
      }
    }
  }
}
