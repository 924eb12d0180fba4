/// The bounds that the clocks keep. They count turns of the executor, not time.
enum ClockLimits {
  /// Turns that ``ScaledClock/run(to:)`` leaves to timers that it has woken, to ask for their next tick or to end:
  /// milliseconds, in which a loop's body does its work. A body that takes longer works still, or waits for somebody
  /// who waits for the clock.
  static let turnsForTimers = 10_000
  /// Turns left to other tasks that it has woken, of which nobody knows whether they will sleep again: enough to come
  /// from one sleep to the next through many calls of actors.
  static let turnsForTasks = 100
  /// Turns without a new sleeper after which ``ScaledClock/run(to:)`` begins to move.
  static let turnsForStart = 1_000
}
