package import TimelineClocks
package import TimelineControl

extension StatusReply {
  /// The speed of the daemon's clock; `nil` if it goes from deadline to deadline.
  package var speed: Speed? {
    if isClockPaused { return .paused }
    guard clock.hasPrefix("scaled:") else { return .normal }
    return try? Speed(parsing: String(clock.dropFirst("scaled:".count)))
  }
}
