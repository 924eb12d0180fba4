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
}
