import TimelineClient
import TimelineControl
import TimelineCore
import TimelineJSON
import TimelineSystem

/// Follows a daemon for as long as the program runs: keeps the mirror up to date, and notifies pages of changes.
package struct DaemonWatch: Sendable {
  private let socket: DaemonSocket
  private let mirror: DaemonMirror
  private let hub: EventHub

  /// Time between two attempts to reach a daemon that does not answer.
  private static let retryPause = ElapsedTime.seconds(1)
  /// A comment that keeps the stream alive.
  private static let pulse = ":\n\n"

  package init(_ socket: DaemonSocket, page: DaemonPage, hub: EventHub) {
    self.socket = socket
    mirror = page.mirror
    self.hub = hub
  }

  /// Follows the daemon, and reconnects after it was unreachable.
  package func run() -> Never {
    while true {
      var reason = "the daemon has ended"
      do throws(FailedCall) {
        try socket.watch(
          take: { event in
            mirror.take(event)
            if let text = Self.text(of: event) { hub.publish(text) }
          }, pulse: { hub.publish(Self.pulse) })
      } catch {
        reason = error.message
      }
      mirror.forget()
      hub.publish(Self.message("gone", [("reason", JSONText.quoted(reason.printable))]))
      SystemTime.pause(for: Self.retryPause)
    }
  }

  /// The message about an event that changes what pages show; `nil` for other events.
  static func text(of event: WatchReply) -> String? {
    switch WatchReply.Kind(rawValue: event.kind) {
    case .progress, .busy: nil
    default:
      message(
        "change",
        [
          ("kind", JSONText.quoted(event.kind)), ("job", WindowText.text(event.job ?? event.end?.job)),
          ("outcome", WindowText.text(event.end?.outcome)), ("reason", WindowText.text(event.end?.reason)),
        ])
    }
  }

  /// One message of an event stream. JSON text has no line ends, so the data is one line.
  private static func message(_ name: String, _ members: [(String, String)]) -> String {
    "event: \(name)\ndata: \(JSONText.object(members))\n\n"
  }
}
