/// Limits of the clocks, in turns of the executor, not in time.
enum ClockLimits {
  /// Turns for which ``ScaledClock/run(to:)`` waits for a woken timer, until its loop requests the next tick or ends. They take
  /// milliseconds, in which the loop's body does its work. A body that takes longer is still busy, or waits for a task that waits
  /// for the clock.
  static let turnsForTimers = 10_000
  /// Turns for which ``ScaledClock/run(to:)`` waits for other woken tasks, which may or may not sleep again. They are enough to
  /// get from one sleep to the next through many calls of actors.
  static let turnsForTasks = 100
  /// Turns without a new sleeper after which ``ScaledClock/run(to:)`` begins to move.
  static let turnsForStart = 1_000
}
