import TimelineControl
import TimelineSystem
import TimelineSystemd

/// Clients of a daemon that does not start.
enum RefusedClients {
  /// Largest number of clients that are answered; the kernel queues no more.
  private static let countMax = 128

  /// Answers the clients that wait at the socket that systemd passed; one of them may have triggered the start of the daemon.
  static func answer(_ passed: [PassedDescriptor]) {
    guard let socket = passed.first(where: \.isUnixListener) else { return }
    let listener = UnixListener(adopting: FileDescriptor(owning: socket.number))
    let text = VarlinkServerConnection.refusal(ControlError.configurationRefused.varlink)
    for _ in 0..<countMax {
      guard let stream = try? listener.accept() else { return }
      _ = try? stream.write(text[...])
      stream.close()
    }
  }
}
