internal import Glibc
internal import TimelineStoreWire
internal import TimelineSystem

/// The adapter's end of the socket to the daemon.
struct CallSocket {
  private let packets: SeqPacket

  init(owning number: CInt) {
    packets = SeqPacket(owning: FileDescriptor(owning: number), messageBytesMax: StoreWireLimits.messageMax)
  }

  /// Waits for the next message. Returns `nil` if the daemon has closed the socket.
  func receive() throws(SystemError) -> [UInt8]? {
    while true {
      switch try packets.receive() {
      case .message(let bytes): return bytes
      case .endOfFile: return nil
      case .wouldBlock: wait(for: POLLIN)
      case .truncated(let length):
        throw SystemError(
          code: EMSGSIZE, call: "recvmsg", subject: "request",
          remedy: "It has \(length) bytes, at most \(StoreWireLimits.messageMax) are allowed.")
      }
    }
  }

  /// Sends a message. Returns whether the daemon still has the socket open.
  func send(_ message: [UInt8]) throws(SystemError) -> Bool {
    while true {
      switch try packets.send(message) {
      case .sent: return true
      case .peerClosed: return false
      case .wouldBlock: wait(for: POLLOUT)
      }
    }
  }

  private func wait(for events: CInt) {
    var entry = pollfd(fd: packets.rawValue, events: Int16(events), revents: 0)
    _ = unsafe poll(&entry, 1, -1)
  }
}
