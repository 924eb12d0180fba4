internal import CSystemd
internal import Glibc

/// A descriptor that systemd has passed to this process: an activated socket, or one from the descriptor store.
///
/// The caller that takes a descriptor owns it and closes it. The descriptor is close-on-exec.
package struct PassedDescriptor: Sendable, Hashable {
  /// The socket unit's `FileDescriptorName=`, or the name it was stored under; `unknown` when there was none.
  package var name: String
  package var number: CInt

  /// Whether the descriptor is a Unix stream socket that listens.
  package var isUnixListener: Bool {
    sd_is_socket_unix(number, CInt(SOCK_STREAM.rawValue), 1, nil, 0) > 0
  }

  /// Returns all descriptors that were passed, in systemd's order. Later calls return none.
  ///
  /// Removes `$LISTEN_FDS` and the related variables, so that children do not use them. Call it before there are other threads.
  /// Returns an empty array without systemd. (sd_listen_fds_with_names(3))
  package static func takeAll() -> [PassedDescriptor] {
    var names: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    let count = unsafe sd_listen_fds_with_names(1, &names)
    guard count > 0 else { return [] }
    var passed: [PassedDescriptor] = []
    for index in 0..<count {
      let text = unsafe names?[Int(index)]
      let name = unsafe text.map { unsafe String(cString: $0) } ?? "unknown"
      passed.append(PassedDescriptor(name: name, number: SD_LISTEN_FDS_START + index))
      unsafe free(text)
    }
    unsafe free(names)
    return passed
  }
}

/// Descriptors that systemd keeps for this service over a restart (`FileDescriptorStoreMax=` of the unit).
package enum DescriptorStore {
  /// Passes copies of `numbers` to systemd under one `name`: up to 255 printable ASCII characters but no colon.
  ///
  /// After a restart ``PassedDescriptor/takeAll()`` returns them, in no particular order. systemd keeps a descriptor even if the
  /// peer closes the connection meanwhile (`FDPOLL=0`), so that the next process sees the close. Returns `false` without systemd,
  /// or if `name` is not valid.
  @discardableResult
  package static func store(_ numbers: [CInt], name: String) -> Bool {
    guard isValid(name) else { return false }
    let message = "FDSTORE=1\nFDPOLL=0\nFDNAME=\(name)"
    return unsafe sd_pid_notify_with_fds(0, 0, message, numbers, CUnsignedInt(numbers.count)) > 0
  }

  /// Makes systemd close everything it keeps under `name`.
  @discardableResult
  package static func remove(name: String) -> Bool {
    guard isValid(name) else { return false }
    return ServiceManager.notify(["FDSTOREREMOVE=1", "FDNAME=\(name)"])
  }

  /// Whether systemd accepts `name` (fdname_is_valid). systemd silently replaces any other name with `stored`.
  package static func isValid(_ name: String) -> Bool {
    name.utf8.count <= 255 && name.utf8.allSatisfy { (0x20..<0x7F).contains($0) && $0 != UInt8(ascii: ":") }
  }
}
