package import TimelineClocks
package import TimelineControl

extension StatusReply {
  /// Speed of the daemon's clock; `nil` for a clock that jumps from deadline to deadline.
  package var speed: Speed? {
    if isClockPaused { return .paused }
    guard clock.hasPrefix("scaled:") else { return .normal }
    return try? Speed(parsing: String(clock.dropFirst("scaled:".count)))
  }
}
