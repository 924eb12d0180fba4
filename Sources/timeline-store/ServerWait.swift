internal import Glibc
internal import TimelineSystem

/// A wait for the server that ends the process if the daemon does not wait any more.
///
/// A frozen server answers nothing and closes nothing. The daemon has a deadline for each call and kills this process; if the daemon
/// itself was killed, the end of its socket is the sign.
struct ServerWait {
  /// Time for the calls that are left when the daemon has gone, such as that by which it leaves the cluster.
  private static let graceMilliseconds: CInt = 3_000

  /// Number of the socket to the daemon.
  var peer: CInt

  /// Waits until the descriptor can be read.
  func untilReadable(_ number: CInt) {
    var entries = [
      pollfd(fd: number, events: Int16(POLLIN), revents: 0), pollfd(fd: peer, events: 0, revents: 0),
    ]
    _ = unsafe poll(&entries, 2, -1)
    guard entries[0].revents == 0, entries[1].revents != 0 else { return }
    if unsafe poll(&entries, 1, Self.graceMilliseconds) == 0 { CurrentProcess.exitNow(1) }
  }
}
