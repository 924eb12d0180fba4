import TimelineEngine
import TimelineSystem

// Hand-over of a host to the next daemon.
extension HostProcess {
  /// Whether the next daemon can be handed it.
  var isKept: Bool { keeping?.isKept == true }

  /// Whether its run, if it has one, can be left to the next daemon.
  var isReadyToHandOver: Bool {
    dialogue.run == nil || (dialogue.isInRun && outbox.isEmpty && isKept)
  }

  /// Hears what was said before anybody listened.
  func catchUp() {
    if socket.rawValue >= 0 { _ = hear(atMost: TurnLimits.lastMessagesMax) }
  }
}
