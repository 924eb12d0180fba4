import TimelineCore

/// Instant for which the shell has been told to wake.
struct WakePlan: Sendable {
  /// Instant that the shell was told last; the outer `nil` means that it must be told again.
  private var armed: WallInstant??

  /// A plan of which the shell has not been told.
  init() {}

  /// Returns the armed instant, if it is later than `now` and not later than `end`.
  func armed(after now: WallInstant, through end: WallInstant) -> WallInstant? {
    guard case .some(let instant?) = armed, instant > now, instant <= end else { return nil }
    return instant
  }

  /// Arms the wake-up for `instant`, unless it is.
  mutating func arm(_ instant: WallInstant?, _ effects: inout some EffectSink) {
    guard armed != .some(instant) else { return }
    armed = .some(instant)
    effects.append(.arm(instant))
  }

  /// Forgets what the shell was told, because its clock was set.
  mutating func forget() { armed = nil }
}
