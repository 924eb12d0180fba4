internal import Glibc

/// A small file whose bytes are written at any offset without waiting for the disk. It passes state from one process to the next.
///
/// Written bytes survive the end of the process, but not a loss of power. ``allocate(_:)`` reserves room, so that small
/// writes succeed on a disk that has filled up since.
package final class FixedSizeLogFile {
  /// Use of the file. For `writing`, a missing file is made.
  package enum Access: Sendable, Hashable { case reading, writing }

  private let descriptor: FileDescriptor
  private let path: String

  /// Opens the file at `path`; a new file is readable by its owner alone. The C function is `open`.
  package init(path: String, for access: Access) throws(SystemError) {
    // `O_NONBLOCK`, because opening a named pipe in its place would wait.
    let flags = (access == .writing ? O_RDWR | O_CREAT : O_RDONLY) | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
    descriptor = FileDescriptor(
      owning: try SystemCall.check("open", about: path) { unsafe open(path, flags, 0o600) })
    self.path = path
  }

  /// Reserves room for its first `byteCount` bytes; `ENOSPC` if there is none. The C function is `posix_fallocate`.
  package func allocate(_ byteCount: Int) throws(SystemError) {
    let number = descriptor.rawValue
    let code = posix_fallocate(number, 0, off_t(byteCount))
    // A file system that cannot reserve room allocates it with each write.
    if code != EOPNOTSUPP, code != EINVAL { try SystemCall.checkCode("posix_fallocate", about: path, code) }
  }

  /// Writes `bytes` at `offset`, all of them or with an error. The C function is `pwrite`.
  package func write(_ bytes: [UInt8], at offset: Int) throws(SystemError) {
    var done = 0
    while done < bytes.count {
      let number = descriptor.rawValue
      let count = try SystemCall.check("pwrite", about: path) {
        unsafe bytes.withUnsafeBytes {
          unsafe pwrite(number, $0.baseAddress?.advanced(by: done), $0.count - done, off_t(offset + done))
        }
      }
      if count == 0 { throw SystemError(code: ENOSPC, call: "pwrite", subject: path) }
      done += count
    }
  }

  /// Returns the contents of the file from an offset on, at most `limit` bytes.
  package func contents(from first: Int = 0, limit: Int) throws(SystemError) -> [UInt8] {
    // Usually the file is nearly empty, so memory for `limit` bytes would be wasted.
    var bytes: [UInt8] = []
    while bytes.count < limit {
      let (number, done, length) = (descriptor.rawValue, bytes.count, min(limit - bytes.count, 64 << 10))
      bytes += repeatElement(0, count: length)
      let count = try SystemCall.check("pread", about: path) {
        unsafe bytes.withUnsafeMutableBytes {
          unsafe pread(number, $0.baseAddress?.advanced(by: done), length, off_t(first + done))
        }
      }
      bytes.removeLast(length - count)
      if count == 0 { break }
    }
    return bytes
  }
}
