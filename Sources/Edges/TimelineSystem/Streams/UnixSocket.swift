internal import CTimelineSystem
internal import Glibc
package import TimelineCore

/// The identity of the process at the other end of a Unix socket, as the kernel recorded it when the connection was made.
package struct PeerCredentials: Sendable, Hashable {
  /// The process; it may have ended since.
  package var pid: CInt
  /// The effective user.
  package var user: UInt32
  /// The effective group.
  package var group: UInt32

  package init(pid: CInt, user: UInt32, group: UInt32) {
    self.pid = pid
    self.user = user
    self.group = group
  }
}

extension ByteStream {
  /// Returns the identity of the peer. The C option is `SO_PEERCRED`.
  package func peerCredentials() throws(SystemError) -> PeerCredentials {
    let number = rawValue
    var (pid, user, group): (pid_t, uid_t, gid_t) = (0, 0, 0)
    try SystemCall.check("getsockopt", about: "the peer of descriptor \(number)") {
      unsafe timeline_peer_credentials(number, &pid, &user, &group)
    }
    return PeerCredentials(pid: pid, user: user, group: group)
  }

  /// Connects to the listener at `path`, waiting at most `limit` for it to have room.
  ///
  /// Throws `ENOENT` or `ECONNREFUSED` if no process listens there, `ETIMEDOUT` if the listener is too busy.
  package static func connect(to path: String, atMost limit: ElapsedTime) throws(SystemError) -> ByteStream {
    let descriptor = FileDescriptor(owning: try SystemCall.check("socket") { timeline_unix_socket() })
    let number = descriptor.rawValue
    do {
      try SystemCall.check("connect", about: path) {
        unsafe timeline_unix_connect(number, path, limit.nanoseconds)
      }
    } catch  where error.code == EAGAIN {
      throw SystemError(
        code: ETIMEDOUT, call: "connect", subject: path,
        remedy: "Whoever listens there does not accept connections; look at its log.")
    } catch  where error.code == ENOENT || error.code == ECONNREFUSED {
      throw SystemError(
        code: error.code, call: "connect", subject: path,
        remedy: "Nobody listens there; is the daemon running?")
    }
    return ByteStream(owning: descriptor)
  }
}

/// A Unix socket that accepts connections.
package final class UnixListener {
  private let descriptor: FileDescriptor
  /// The path of its file, if it has one, and the facts of that file.
  private let place: (path: String, facts: FileFacts?)?
  /// Whether this process may remove the socket's file and make it again.
  package let ownsFile: Bool
  /// The number to watch.
  package var rawValue: CInt { descriptor.rawValue }

  /// Takes over a socket that listens already, such as one from systemd; this process then does not remove its file.
  package init(adopting descriptor: consuming FileDescriptor) {
    descriptor.setNonBlocking()
    timeline_refuse_descriptors(descriptor.rawValue)
    place = Self.path(of: descriptor.rawValue).map { ($0, try? FileFacts(ofLinkAt: $0)) }
    ownsFile = false
    self.descriptor = descriptor
  }

  private static func path(of number: CInt) -> String? {
    var buffer = [CChar](repeating: 0, count: 256)
    let count = unsafe buffer.withUnsafeMutableBufferPointer { bytes -> CInt in
      guard let start = bytes.baseAddress else { return 0 }
      return unsafe timeline_unix_path(number, start, CInt(bytes.count))
    }
    guard count > 0 else { return nil }
    return String(decoding: buffer.prefix(Int(count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// The path of its file; `nil` if it has none.
  package var path: String? { place?.path }

  /// Whether the path still leads to this socket. Always true for a socket without a path, because no process can take its
  /// address.
  package var isInPlace: Bool {
    guard let place else { return true }
    guard let facts = place.facts else { return false }
    return (try? FileFacts(ofLinkAt: place.path))?.isSameFile(as: facts) ?? false
  }

  /// The permission bits and the group of its file; `nil` when it has none.
  package var access: (mode: UInt32, group: UInt32)? { place?.facts.map { ($0.mode, $0.group) } }

  /// Changes the group of its file.
  package func give(to group: UInt32) throws(SystemError) {
    guard let place, isInPlace else { return }
    try SystemCall.check("chown", about: place.path) { unsafe lchown(place.path, uid_t.max, group) }
  }

  /// Listens at `path` with permission bits `mode`, and `group` as the file's group when given.
  ///
  /// Replaces a socket file that a dead process left. Refuses a live one (`EADDRINUSE`) and anything else at `path`
  /// (`EEXIST`). No client can connect before owner and mode are right. The file is removed with the listener. Waits on
  /// this thread, for at most `lockLimit`, for another process that has locked the path's directory.
  package init(
    at path: String, mode: UInt32, group: UInt32? = nil, lockLimit: ElapsedTime = .seconds(2)
  ) throws(SystemError) {
    let descriptor = FileDescriptor(owning: try SystemCall.check("socket") { timeline_unix_socket() })
    let number = descriptor.rawValue
    timeline_refuse_descriptors(number)
    let directory = try DirectoryLock(of: path, atMost: lockLimit)
    try Self.clearPlace(path)
    // Linux gives the new file the mode of the socket, less the umask. The exact bits follow once the group is right.
    try SystemCall.check("fchmod", about: path) { fchmod(number, mode & 0o600) }
    try SystemCall.check("bind", about: path) { unsafe timeline_unix_bind(number, path) }
    do {
      if let group {
        try SystemCall.check("chown", about: path) { unsafe lchown(path, uid_t.max, group) }
      }
      try SystemCall.check("chmod", about: path) { unsafe chmod(path, mode) }
      try SystemCall.check("listen", about: path) { listen(number, SystemLimits.listenBacklog) }
      place = (path, try FileFacts(ofLinkAt: path))
      ownsFile = true
    } catch {
      _ = unsafe unlink(path)
      throw error
    }
    directory.release()
    self.descriptor = descriptor
  }

  /// Throws if the directory of `path` does not exist or cannot be examined.
  package static func checkDirectory(of path: String) throws(SystemError) {
    _ = try FileFacts(at: path.parentDirectory)
  }

  deinit {
    // Another process may have replaced the file in the meantime. Only this listener's own file is removed.
    guard ownsFile, let place, isInPlace else { return }
    _ = unsafe unlink(place.path)
  }

  /// Accepts the next connection; `nil` when none waits.
  ///
  /// Throws when descriptors or memory run out. The connection then still waits, and the caller should stop watching for a
  /// while.
  package func accept() throws(SystemError) -> ByteStream? {
    let number = descriptor.rawValue
    while true {
      do {
        let accepted = try SystemCall.attempt("accept4", about: "the listening socket") {
          timeline_unix_accept(number)
        }
        guard let accepted else { return nil }
        timeline_refuse_descriptors(accepted)
        return ByteStream(owning: FileDescriptor(owning: accepted))
      } catch  where error.code == ECONNABORTED {
        continue
      }
    }
  }

  private static func clearPlace(_ path: String) throws(SystemError) {
    let facts: FileFacts
    do {
      facts = try FileFacts(ofLinkAt: path)
    } catch  where error.code == ENOENT {
      return
    }
    guard facts.kind == .socket else {
      throw SystemError(
        code: EEXIST, call: "bind", subject: path,
        remedy: "There is something there that is not a socket; move it away or choose another path.")
    }
    var process = "Another process"
    do {
      let stream = try ByteStream.connect(to: path, atMost: .milliseconds(1))
      if let peer = try? stream.peerCredentials(), peer.pid > 0 {
        process = "Process \(peer.pid)" + (ProgramName.ofProcess(peer.pid).map { " (\($0))" } ?? "")
      }
    } catch  where error.code == ECONNREFUSED {
      try SystemCall.check("unlink", about: path) { unsafe unlink(path) }
      return
    } catch  where error.code == ENOENT {
      return
    } catch  where error.code == ETIMEDOUT {
      // Too busy to accept, and therefore alive.
    }
    throw SystemError(
      code: EADDRINUSE, call: "bind", subject: path,
      remedy: "\(process) answers there; stop it first or choose another path.")
  }
}

/// A lock on the directory of a socket. It keeps two processes from clearing and taking the socket's path at the same time.
private struct DirectoryLock: ~Copyable {
  private let descriptor: FileDescriptor

  /// The pause before the next try of a lock that another process has.
  private static let pause = ElapsedTime.milliseconds(20)

  init(of path: String, atMost limit: ElapsedTime) throws(SystemError) {
    let directory = path.parentDirectory
    let opened = FileDescriptor(
      owning: try SystemCall.check("open", about: directory) { unsafe timeline_open_reading(directory) })
    let number = opened.rawValue
    let deadline = SystemTime.monotonic() + limit
    while try SystemCall.attempt("flock", about: directory, { flock(number, LOCK_EX | LOCK_NB) }) == nil {
      // Any process that may read the directory can lock it, for as long as it likes.
      guard SystemTime.monotonic() < deadline else {
        throw SystemError(
          code: EWOULDBLOCK, call: "flock", subject: "the directory \(directory)",
          remedy:
            "Another process has had a lock on that directory for \(limit); end it (lslocks shows it, and so does "
            + "fuser -v \(directory)), or choose another path.")
      }
      SystemTime.pause(for: Self.pause)
    }
    descriptor = opened
  }

  consuming func release() {}
}
