import TimelineEngine
import TimelineSystem

// Hand-over of a host to the next daemon.
extension HostProcess {
  /// Whether the next daemon can inherit the host.
  var isKept: Bool { keeping?.isKept == true }

  /// Whether the host has no run, or a run that can be left to the next daemon.
  var isReadyToHandOver: Bool {
    dialogue.run == nil || (dialogue.isInRun && outbox.isEmpty && isKept)
  }

  /// Handles the messages that arrived before this daemon watched the socket.
  func catchUp() {
    if socket.rawValue >= 0 { _ = hear(atMost: TurnLimits.lastMessagesMax) }
  }
}
