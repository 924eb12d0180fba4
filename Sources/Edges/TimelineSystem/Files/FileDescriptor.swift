internal import CTimelineSystem
internal import Glibc

/// An open descriptor with one owner: closed when the owner is released, never inherited by a child.
///
/// A caller that needs only the number, to watch it or to pass it to a child, reads ``rawValue``. It must not keep the number
/// longer than the owner lives.
package struct FileDescriptor: ~Copyable, Sendable {
  package let rawValue: CInt

  /// Takes ownership of `rawValue`, which must be open and close-on-exec and have no other owner.
  package init(owning rawValue: CInt) {
    precondition(rawValue >= 0, "A descriptor is never negative.")
    self.rawValue = rawValue
  }

  // Linux frees the number even when close fails, so an interrupted call must not be repeated (close(2)).
  deinit {
    if close(rawValue) == -1, errno == EBADF {
      fatalError("Descriptor \(rawValue) was closed behind its owner's back.")
    }
  }

  /// Returns the number and gives up ownership without closing it.
  package consuming func release() -> CInt {
    let number = rawValue
    discard self
    return number
  }

  /// Returns a second descriptor of the same open file as `number`, numbered `minimum` or above. The C function is
  /// `fcntl(F_DUPFD_CLOEXEC)`.
  static func duplicate(_ number: CInt, atLeast minimum: CInt) throws(SystemError) -> FileDescriptor {
    FileDescriptor(
      owning: try SystemCall.check("fcntl", about: "descriptor \(number)") {
        timeline_duplicate(number, minimum)
      })
  }

  /// Makes reads and writes return at once, or wait. The C function is `fcntl(F_SETFL)`.
  package borrowing func setNonBlocking(_ isNonBlocking: Bool = true) {
    Self.setNonBlocking(rawValue, isNonBlocking)
  }

  /// Makes reads and writes of `number` return at once, or wait.
  static func setNonBlocking(_ number: CInt, _ isNonBlocking: Bool) {
    SystemCall.mustSucceed("fcntl") { timeline_set_nonblocking(number, isNonBlocking ? 1 : 0) }
  }
}
