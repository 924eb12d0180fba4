import Glibc

/// Actions of a peer that passes descriptors.
package enum DescriptorPassing {
  /// The option with which a socket of Linux 6.16 and later refuses descriptors (SO_PASSRIGHTS).
  private static let option: CInt = 83

  /// Lets `socket` receive descriptors again, as every socket does on a kernel without the option.
  package static func allow(on socket: CInt) {
    var yes: CInt = 1
    _ = unsafe setsockopt(socket, SOL_SOCKET, option, &yes, socklen_t(MemoryLayout<CInt>.size))
  }

  /// Sends `bytes` and one descriptor with the C function `sendmsg`. Returns 0, or the error of the kernel.
  package static func send(
    _ bytes: [UInt8], passing descriptor: CInt, on socket: CInt, isUrgent: Bool = false
  )
    -> CInt
  {
    var bytes = bytes
    // Words, because control messages are aligned to them: length, level and type, and then the descriptor number.
    var control: [UInt64] = [
      20, UInt64(SCM_RIGHTS) << 32 | UInt64(SOL_SOCKET), UInt64(UInt32(bitPattern: descriptor)),
    ]
    let count = unsafe bytes.withUnsafeMutableBytes { bytes in
      unsafe control.withUnsafeMutableBytes { ancillary in
        var vector = unsafe iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
        return unsafe withUnsafeMutablePointer(to: &vector) { vector in
          var message = unsafe msghdr()
          unsafe message.msg_iov = vector
          unsafe message.msg_iovlen = 1
          unsafe message.msg_control = ancillary.baseAddress
          unsafe message.msg_controllen = ancillary.count
          return unsafe sendmsg(
            socket, &message, CInt(MSG_NOSIGNAL) | (isUrgent ? CInt(MSG_OOB) : 0))
        }
      }
    }
    return count < 0 ? errno : 0
  }

  /// Sends `bytes` and the only descriptor of a ``LingeringConnection``; throws when the kernel does not let it.
  package static func send(
    _ bytes: [UInt8], passing connection: LingeringConnection, on socket: CInt, isUrgent: Bool = false
  ) throws {
    defer { connection.isPassedOn() }
    let code = send(bytes, passing: connection.descriptor, on: socket, isUrgent: isUrgent)
    guard code == 0 else { throw TestFailure("sendmsg: error \(code)") }
  }
}

/// A connection whose last close waits up to a minute until the peer has read what was sent.
package final class LingeringConnection {
  /// The end that waits.
  package private(set) var descriptor: CInt
  private let listener: CInt

  /// Connects to a port of this machine and sends as much as there is room for.
  package init() throws {
    listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
    descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let (near, far) = (descriptor, listener)
    let isConnected = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        unsafe bind(far, generic, length) == 0 && listen(far, 1) == 0
          && getsockname(far, generic, &length) == 0 && connect(near, generic, length) == 0
      }
    }
    var minute = linger(l_onoff: 1, l_linger: 60)
    let isPatient =
      unsafe setsockopt(near, SOL_SOCKET, SO_LINGER, &minute, socklen_t(MemoryLayout<linger>.size)) == 0
    guard isConnected && isPatient else { throw TestFailure("no connection: error \(errno)") }
    let bytes = [UInt8](repeating: 1, count: 65_536)
    while unsafe send(near, bytes, bytes.count, CInt(MSG_DONTWAIT)) > 0 {}
  }

  /// Closes the descriptor here, because it has been passed on.
  fileprivate func isPassedOn() {
    close(descriptor)
    descriptor = -1
  }

  deinit {
    // Without a peer, the last close does not wait.
    close(listener)
    if descriptor >= 0 { close(descriptor) }
  }
}
