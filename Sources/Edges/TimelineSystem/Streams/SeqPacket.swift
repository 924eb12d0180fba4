internal import CTimelineSystem
internal import Glibc

/// One end of a connected pair of sockets that keep the boundaries of messages; non-blocking.
///
/// An empty message looks like the end of the connection, so none is sent. A peer that passes descriptors along breaks the
/// protocol.
package final class SeqPacket {
  /// The result of sending a message.
  package enum Sending: Sendable, Hashable {
    /// The kernel has accepted the whole message.
    case sent
    /// The peer's queue is full; nothing was sent. Watch for `.writing` and try again.
    case wouldBlock
    /// The peer has closed its end; nothing was sent.
    case peerClosed
  }

  /// The result of receiving.
  package enum Receiving: Sendable, Hashable {
    /// One whole message.
    case message([UInt8])
    /// One message was longer than the limit and is lost; its length in bytes.
    case truncated(length: Int)
    /// Nothing yet.
    case wouldBlock
    /// The peer has closed its end and everything it sent was received.
    case endOfFile
  }

  private var descriptor: FileDescriptor?
  private var buffer: [UInt8]
  /// The number to watch or to pass to a child; -1 once closed.
  package private(set) var rawValue: CInt

  /// Takes over a descriptor; messages longer than `messageBytesMax` are reported as truncated.
  package init(owning descriptor: consuming FileDescriptor, messageBytesMax: Int) {
    precondition(messageBytesMax > 0, "A message has room for a byte at least.")
    descriptor.setNonBlocking()
    timeline_refuse_descriptors(descriptor.rawValue)
    rawValue = descriptor.rawValue
    self.descriptor = consume descriptor
    self.buffer = [UInt8](repeating: 0, count: messageBytesMax)
  }

  /// Makes a pair. Pass the number of `far` to a child and close `far` here. The C function is `socketpair`.
  package static func pair(messageBytesMax: Int) throws(SystemError) -> (near: SeqPacket, far: SeqPacket) {
    var numbers: [CInt] = [-1, -1]
    try SystemCall.check("socketpair") { unsafe timeline_seqpacket_pair(&numbers) }
    return (
      SeqPacket(owning: FileDescriptor(owning: numbers[0]), messageBytesMax: messageBytesMax),
      SeqPacket(owning: FileDescriptor(owning: numbers[1]), messageBytesMax: messageBytesMax)
    )
  }

  /// Sends one message, whole or not at all. Throws `EMSGSIZE` when it is longer than the socket's buffer.
  package func send(_ message: [UInt8]) throws(SystemError) -> Sending {
    precondition(!message.isEmpty, "An empty message would be taken for the end.")
    guard rawValue >= 0 else { return .peerClosed }
    let number = rawValue
    do {
      let sent = try SystemCall.attempt("send", about: "a message of \(message.count) bytes") {
        unsafe message.withUnsafeBytes { unsafe timeline_message_send(number, $0.baseAddress, $0.count) }
      }
      return sent == nil ? .wouldBlock : .sent
    } catch  where error.code == EPIPE || error.code == ECONNRESET {
      return .peerClosed
    }
  }

  /// Receives the next message. Throws `EPROTO` if descriptors were passed along; the message is lost in this case.
  package func receive() throws(SystemError) -> Receiving { try take(keeping: false) }

  /// Returns the next result of ``receive()``; the message stays in the queue.
  package func peek() throws(SystemError) -> Receiving { try take(keeping: true) }

  /// Drops the next message, which ``peek()`` has returned. Does nothing if there is none.
  package func discard() {
    guard rawValue >= 0 else { return }
    var passed: CInt = 0
    // An error here occurs again when the next message is received; ``peek()`` has reported passed descriptors.
    _ = unsafe timeline_message_receive(rawValue, nil, 0, 0, &passed)
  }

  private func take(keeping isKept: Bool) throws(SystemError) -> Receiving {
    guard rawValue >= 0 else { return .endOfFile }
    let number = rawValue
    var passed: CInt = 0
    do throws(SystemError) {
      let received = try SystemCall.attempt("recvmsg", about: "a message socket") {
        unsafe buffer.withUnsafeMutableBytes {
          unsafe timeline_message_receive(number, $0.baseAddress, $0.count, isKept ? 1 : 0, &passed)
        }
      }
      if passed != 0 {
        if isKept { discard() }
        throw SystemError.passedDescriptors(on: "a message socket")
      }
      guard let received else { return .wouldBlock }
      if received == 0 { return .endOfFile }
      if received > buffer.count { return .truncated(length: received) }
      return .message(Array(buffer[..<received]))
    } catch  where error.code == ECONNRESET {
      return .endOfFile
    }
  }

  /// Ends the connection for both sides, even if other processes have this end open, and closes it. Cancel its watch first.
  package func hangUp() {
    rawValue = -1
    if let descriptor = descriptor.take() { timeline_socket_close(descriptor.release()) }
  }

  /// Closes this end now, not only when the last reference is released. Cancel its watch first. May be called twice.
  package func close() {
    rawValue = -1
    descriptor = nil
  }
}
