/// The bounds that the clocks keep.
enum ClockLimits {
  /// Turns of the executor that ``ScaledClock/run(to:)`` leaves to the tasks it has woken before it moves on: enough
  /// to come from one sleep to the next through a few calls of actors.
  static let turnsBetweenDeadlines = 10
}
