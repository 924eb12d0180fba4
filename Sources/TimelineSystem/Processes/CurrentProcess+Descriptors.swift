internal import CTimelineSystem
internal import Glibc

extension CurrentProcess {
  /// Opens the null device in the place of each standard stream that is closed, in the wrong direction, so that it stays unusable.
  ///
  /// Otherwise the next file or socket would take its number, and what is printed would be sent to a peer.
  package static func fillStandardDescriptors() {
    for number in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(number, F_GETFD) < 0 {
      // The lowest number that is free is this one, as those below it are open by now.
      _ = unsafe open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  /// Returns a second descriptor for what `number` refers to, as high as the limits allow: out of the way of foreign code that takes
  /// the lowest free numbers. `nil` without room. The C function is `fcntl(F_DUPFD_CLOEXEC)`.
  package static func raisedCopy(of number: CInt) -> CInt? {
    // The usual limit is 1,024, the least that a job may have is 16.
    for lowest in [CInt(1_000), 100, 10, 0] {
      let copy = timeline_duplicate(number, lowest)
      if copy >= 0 { return copy }
    }
    return nil
  }
}
