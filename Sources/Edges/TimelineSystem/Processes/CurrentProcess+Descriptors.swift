internal import CTimelineSystem
internal import Glibc

extension CurrentProcess {
  /// Opens the null device in place of each closed standard stream, but in the wrong direction, so that the stream stays
  /// unusable.
  ///
  /// Otherwise the next file or socket would get its number, and printed text would go to a peer.
  package static func fillStandardDescriptors() {
    for number in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(number, F_GETFD) < 0 {
      // The lowest free number is this one, because those below it are open now.
      _ = unsafe open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  /// Returns a second descriptor of the same open file as `number`. Its number is as high as the limits allow, because foreign
  /// code takes the lowest free numbers. Returns `nil` if there is no free number. The C function is `fcntl(F_DUPFD_CLOEXEC)`.
  package static func raisedCopy(of number: CInt) -> CInt? {
    // The usual limit is 1,024. The lowest limit that a job may have is 16.
    for lowest in [CInt(1_000), 100, 10, 0] {
      let copy = timeline_duplicate(number, lowest)
      if copy >= 0 { return copy }
    }
    return nil
  }
}
