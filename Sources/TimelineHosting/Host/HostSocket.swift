internal import Glibc
internal import TimelineCore
internal import TimelineSystem
internal import TimelineWire

/// The host's end of the SEQPACKET pair; blocking, and usable from any thread.
struct HostSocket: Sendable {
  /// The socket at the number at which the daemon puts it.
  static let inherited = HostSocket(number: 3)

  private let number: CInt

  /// The result of receiving.
  enum Receiving {
    case message([UInt8])
    /// Nothing yet.
    case nothing
    /// The daemon has gone.
    case end
  }

  /// Whether the daemon has put a socket there. The C function is `fstat`.
  var isOpen: Bool {
    var facts = stat()
    return unsafe fstat(number, &facts) == 0 && facts.st_mode & S_IFMT == S_IFSOCK
  }

  /// Returns the socket in blocking mode and under a high number, which plugins that take the lowest ones do not meet. Programs that they
  /// execute do not inherit it: a copy in one of them would hide the end of the host from the daemon.
  func prepared() -> HostSocket {
    let flags = fcntl(number, F_GETFL)
    _ = fcntl(number, F_SETFL, flags & ~O_NONBLOCK)
    _ = fcntl(number, F_SETFD, FD_CLOEXEC)
    guard let raised = CurrentProcess.raisedCopy(of: number) else { return self }
    close(number)
    return HostSocket(number: raised)
  }

  /// Makes a buffer for a thread that receives messages: one byte more than the longest message, so that a longer one
  /// is noticed.
  static func makeBuffer() -> [UInt8] { [UInt8](repeating: 0, count: WireLimits.messageMax + 1) }

  /// The next message; waits for it if asked to. The C function is `recv`.
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

  /// Has ``receive(into:waiting:)`` wait for at most `limit`, or for ever if it is zero. The limit stays, so that messages of a row cost
  /// nothing for it. The C function is `setsockopt(SO_RCVTIMEO)`.
  func limitWait(_ limit: ElapsedTime) {
    var time = timeval(tv_sec: 0, tv_usec: Int(limit.nanoseconds / 1_000))
    _ = unsafe setsockopt(number, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
  }

  /// Waits until ``receive(into:waiting:)`` has something to say, for at most `milliseconds` unless that is negative; whether
  /// it has. The C function is `poll`.
  @discardableResult
  func waitUntilReadable(atMost milliseconds: CInt = -1) -> Bool {
    var entry = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
    while true {
      let count = unsafe poll(&entry, 1, milliseconds)
      if count >= 0 { return count > 0 }
      // Where a plugin has lowered the limit of descriptors to none, poll fails at once and for ever.
      if errno != EINTR {
        HostSystem.pause(milliseconds: Self.pauseAfterFailure)
        return true
      }
    }
  }

  /// Waits until ``receive(into:waiting:)`` has something to say, or `alarm` goes off; whether that has.
  func waitUntilReadable(or alarm: Alarm) -> Bool {
    var entries = [number, alarm.rawValue].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    while unsafe poll(&entries, nfds_t(entries.count), -1) < 0 {
      if errno == EINTR { continue }
      HostSystem.pause(milliseconds: Self.pauseAfterFailure)
      return false
    }
    return entries[1].revents != 0
  }

  /// Pause after a wait that failed, so that whoever waits again does not keep a processor busy.
  private static let pauseAfterFailure: CInt = 10

  /// Sends one message, waiting while the daemon is behind; a daemon that has gone is found out by receiving.
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
