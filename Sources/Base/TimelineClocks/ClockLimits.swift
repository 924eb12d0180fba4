/// Limits of the clocks, in turns of the executor, not in time.
enum ClockLimits {
  /// Maximum turns for which ``ScaledClock/run(to:)`` waits for the loop of a woken timer to request the next tick or
  /// to end. The turns take milliseconds, in which the loop's body does its work. A body that takes longer is still
  /// busy, or waits for a task that waits for the clock.
  static let turnsForTimers = 10_000
  /// Maximum turns for which ``ScaledClock/run(to:)`` waits for other woken tasks, which may or may not sleep again.
  /// They are enough for many calls of actors between two sleeps.
  static let turnsForTasks = 100
  /// Turns without a new sleeper after which ``ScaledClock/run(to:)`` begins to move.
  static let turnsForStart = 1_000
}
