import TimelineCore

/// Wake-up that was last sent to the shell.
struct WakePlan: Sendable {
  /// Instant that was last sent to the shell. The outer `nil` means that it must be sent again.
  private var armed: WallInstant??

  init() {}

  /// Returns the armed instant, if it is later than `now` and not later than `end`.
  func armed(after now: WallInstant, through end: WallInstant) -> WallInstant? {
    guard case .some(let instant?) = armed, instant > now, instant <= end else { return nil }
    return instant
  }

  /// Arms the wake-up for `instant`, unless it is armed already.
  mutating func arm(_ instant: WallInstant?, _ effects: inout some EffectSink) {
    guard armed != .some(instant) else { return }
    armed = .some(instant)
    effects.append(.arm(instant))
  }

  /// Discards the sent wake-up, because the clock was set.
  mutating func forget() { armed = nil }
}
