internal import CTimelineSystem
internal import Glibc

/// The kind of file that a received descriptor of unknown origin refers to.
package enum DescriptorKind: Sendable, Hashable {
  case socket
  case pipe
  /// A ``MemoryFile``.
  case memory
  /// Anything else, such as the handle of a process.
  case other

  /// Finds the kind of the descriptor `number`; `nil` if it is not open. The C functions are `fstat` and `fcntl(F_GET_SEALS)`.
  package init?(of number: CInt) {
    var status = stat()
    guard number >= 0, unsafe fstat(number, &status) == 0 else { return nil }
    switch status.st_mode & S_IFMT {
    case S_IFSOCK: self = .socket
    case S_IFIFO: self = .pipe
    default: self = timeline_is_memory_file(number) == 1 ? .memory : .other
    }
  }
}
