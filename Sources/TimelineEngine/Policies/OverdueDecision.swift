import TimelineCore

/// Decision whether a due entry that has not begun is overdue.
///
/// An entry may wait for a moment for a plugin host, a group or the run before it. It is overdue once it has waited for one
/// period of its schedule, within the bounds below.
struct OverdueDecision: Sendable, Hashable {
  /// Least tolerance: waits of seconds are ordinary, and a monitor checks once or twice a minute.
  static let toleranceMin = ElapsedTime.minutes(1)
  /// Largest tolerance: a late nightly job must be reported in the same night.
  static let toleranceMax = ElapsedTime.hours(1)

  /// Instant from which on the entry is overdue.
  let instant: WallInstant

  /// Decides about an entry at `nominal` that falls due at `due`; `following` is the schedule's next entry after it.
  init(nominal: WallInstant, due: WallInstant, following: WallInstant?) {
    let gap = following.map { $0 - nominal } ?? Self.toleranceMax
    instant = due + min(max(gap, Self.toleranceMin), Self.toleranceMax)
  }
}
