internal import Glibc

/// A small file that bytes are written into at any place without waiting for a disk: what a process leaves to the next one.
///
/// What was written outlives the process and not a loss of power. Room is found when it is opened, so that a disk that fills up
/// later takes small writes all the same.
package final class NoteFile {
  private let descriptor: FileDescriptor
  private let path: String

  /// Opens or makes the file at `path`, readable by its owner alone, with room for `byteCount` bytes.
  ///
  /// The C functions are `open` and `posix_fallocate`; `ENOSPC` where there is no room.
  package init(path: String, byteCount: Int) throws(SystemError) {
    descriptor = FileDescriptor(
      owning: try SystemCall.check("open", about: path) {
        unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
      })
    self.path = path
    let number = descriptor.rawValue
    let code = posix_fallocate(number, 0, off_t(byteCount))
    // A file system that cannot find room ahead finds it when it is written to.
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

  /// Takes its name away; what is written then goes with this process. The C function is `unlink`.
  package func remove() throws(SystemError) {
    try SystemCall.check("unlink", about: path) { unsafe unlink(path) }
  }

  /// At most the first `limit` bytes of it.
  package func contents(limit: Int) throws(SystemError) -> [UInt8] {
    // Mostly there is next to nothing in it, which is no reason to touch memory for all that it may hold.
    var bytes: [UInt8] = []
    while bytes.count < limit {
      let (number, offset, length) = (descriptor.rawValue, bytes.count, min(limit - bytes.count, 64 << 10))
      bytes += repeatElement(0, count: length)
      let count = try SystemCall.check("pread", about: path) {
        unsafe bytes.withUnsafeMutableBytes {
          unsafe pread(number, $0.baseAddress?.advanced(by: offset), length, off_t(offset))
        }
      }
      bytes.removeLast(length - count)
      if count == 0 { break }
    }
    return bytes
  }
}
