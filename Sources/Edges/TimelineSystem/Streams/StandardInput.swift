internal import CTimelineSystem
internal import Glibc

/// The standard input of this process.
package enum StandardInput {
  /// Reads to the end, or until `limit` bytes have been read.
  package static func read(atMost limit: Int) throws(SystemError) -> [UInt8] {
    // If standard input was closed, a descriptor that cannot be read has replaced it.
    guard fcntl(STDIN_FILENO, F_GETFL) & O_ACCMODE != O_WRONLY else {
      throw SystemError(code: EBADF, call: "read", subject: "standard input")
    }
    let stream = ByteStream(
      owning: try FileDescriptor.duplicate(STDIN_FILENO, atLeast: STDERR_FILENO + 1))
    var bytes: [UInt8] = []
    while bytes.count < limit {
      switch try stream.read(atMost: min(limit - bytes.count, 65_536)) {
      case .bytes(let more): bytes += more
      case .endOfFile: return bytes
      // Another process that shares the descriptor has made it non-blocking.
      case .wouldBlock: _ = timeline_wait_ready(STDIN_FILENO, 0, -1)
      }
    }
    return bytes
  }
}
