import TimelineCore

/// Deadline of a run that waits for a plugin host or whose plugin is called.
struct RunDeadline: Sendable {
  /// Timeout of an attempt; `nil` for none.
  var timeout: ElapsedTime?
  /// Maximum wait for a plugin host; `nil` for the timeout.
  var waitingTimeout: ElapsedTime?
  /// Instant at which runs that exceed the patience of a drain are asked to stop; `nil` for never.
  var patienceEnd: WallInstant?

  /// Returns the instant at which the attempt exceeds the timeout; `nil` for never.
  func timeoutInstant(of run: Run) -> WallInstant? { timeout.map { run.attemptStartedAt + $0 } }

  /// Returns the deadline of the run's phase; `nil` for none.
  ///
  /// During the call of the plugin: the earlier of the timeout and the end of the drain's patience. During the wait for a plugin
  /// host: the earlier of the waiting timeout and the end of the missed window.
  func deadline(of run: Run, windowEnd: @autoclosure () -> WallInstant?) -> WallInstant? {
    switch run.phase {
    case .waiting: Self.earlier((waitingTimeout ?? timeout).map { run.attemptStartedAt + $0 }, windowEnd())
    case .running: Self.earlier(timeoutInstant(of: run), patienceEnd)
    case .stopping, .killed, .backingOff: nil
    }
  }

  private static func earlier(_ one: WallInstant?, _ other: WallInstant?) -> WallInstant? {
    guard let one, let other else { return one ?? other }
    return min(one, other)
  }
}
