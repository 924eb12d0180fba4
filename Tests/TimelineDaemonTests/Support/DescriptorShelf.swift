import Glibc
import TimelineTestSupport

/// systemd's descriptor store, which outlives a daemon.
final class DescriptorShelf {
  private var kept: [(name: String, number: CInt)] = []

  deinit { for (_, number) in kept { close(number) } }

  /// Descriptors that a new daemon is passed.
  var descriptors: [CInt] { kept.map(\.number) }
  /// Their names, as `$LISTEN_FDNAMES` has them.
  var names: String { kept.map(\.name).joined(separator: ":") }

  /// Handles a message of sd_notify(3) and the descriptors that came with it.
  func take(_ message: String, _ numbers: [CInt]) {
    let lines = message.split(separator: "\n")
    let name = lines.first { $0.hasPrefix("FDNAME=") }.map { String($0.dropFirst("FDNAME=".count)) }
    if lines.contains("FDSTORE=1"), let name {
      // In no defined order: systemd's order has changed between releases.
      kept = numbers.reversed().map { (name, $0) } + kept
    } else {
      for number in numbers { close(number) }
    }
    if lines.contains("FDSTOREREMOVE=1") {
      for (other, number) in kept where other == name { close(number) }
      kept.removeAll { $0.name == name }
    }
  }
}

/// A datagram with the descriptors that were passed along.
enum PassedMessage {
  /// Receives the next datagram with the C function `recvmsg`; `nil` if there is none.
  static func receive(on socket: CInt) -> (text: String, descriptors: [CInt])? {
    var buffer = [UInt8](repeating: 0, count: 4096)
    // Words, because control messages are aligned to them: length, level and type, and then the descriptor numbers.
    var control = [UInt64](repeating: 0, count: 64)
    var length = 0
    let count = unsafe buffer.withUnsafeMutableBytes { bytes in
      unsafe control.withUnsafeMutableBytes { ancillary in
        var vector = unsafe iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
        return unsafe withUnsafeMutablePointer(to: &vector) { vector in
          var message = unsafe msghdr()
          unsafe message.msg_iov = vector
          unsafe message.msg_iovlen = 1
          unsafe message.msg_control = ancillary.baseAddress
          unsafe message.msg_controllen = ancillary.count
          let count = unsafe recvmsg(socket, &message, CInt(MSG_CMSG_CLOEXEC))
          length = unsafe message.msg_controllen
          return count
        }
      }
    }
    guard count > 0 else { return nil }
    let text = String(decoding: buffer.prefix(count), as: UTF8.self)
    guard length > 16, control[1] == UInt64(SCM_RIGHTS) << 32 | UInt64(SOL_SOCKET) else {
      return (text, [])
    }
    let numbers = (0..<(Int(control[0]) - 16) / 4).map { index in
      CInt(truncatingIfNeeded: control[2 + index / 2] >> (index % 2 == 0 ? 0 : 32))
    }
    return (text, numbers)
  }
}
