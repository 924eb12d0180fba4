internal import Glibc
internal import TimelineSystem

/// A wait for the server. The process ends if the daemon is gone.
///
/// A frozen server neither answers nor closes the connection. The daemon has a deadline for each call and then kills this
/// process. If the daemon itself was killed, its end of the socket is closed, which ends the wait.
struct ServerWait {
  /// Time for the remaining calls after the daemon has ended, for example to leave the cluster.
  private static let graceMilliseconds: CInt = 3_000

  /// Descriptor of the socket to the daemon.
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
