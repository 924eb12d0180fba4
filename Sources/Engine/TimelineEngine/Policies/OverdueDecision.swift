import TimelineCore

/// Decision whether a due entry that has not begun is overdue.
///
/// An entry may wait for a moment for a plugin host, a group or the run before it. The entry is overdue after it has waited
/// for one period of its schedule, within the limits below.
struct OverdueDecision: Sendable, Hashable {
  /// Minimum tolerance. Waits of seconds are ordinary, and a monitor checks once or twice a minute.
  static let toleranceMin = ElapsedTime.minutes(1)
  /// Maximum tolerance. A late nightly job must be reported in the same night.
  static let toleranceMax = ElapsedTime.hours(1)

  /// Instant from which on the entry is overdue.
  let instant: WallInstant

  /// Decides about an entry at `nominal` that falls due at `due`. `following` is the next entry of the schedule.
  init(nominal: WallInstant, due: WallInstant, following: WallInstant?) {
    let gap = following.map { $0 - nominal } ?? Self.toleranceMax
    instant = due + min(max(gap, Self.toleranceMin), Self.toleranceMax)
  }
}
