import TimelineCore

/// Phases of the engine: running, draining, ended.
struct Lifecycle: Sendable, Hashable {
  private enum Phase: Sendable, Hashable {
    case running, draining, ended
  }

  private var phase = Phase.running
  /// Instant at which the engine began to leave. Entries that fall due from then on belong to the next daemon.
  private(set) var leftAt: WallInstant?
  /// Instant at which runs that exceed the patience of a drain are asked to stop; `nil` for never.
  private(set) var patienceEnd: WallInstant?

  /// Whether runs are started.
  var isRunning: Bool { phase == .running }
  /// Whether the engine waits for the last run to end.
  var isDraining: Bool { phase == .draining }
  /// Whether the last run has ended. No event has an effect any more.
  var hasEnded: Bool { phase == .ended }
  /// Whether a later daemon takes up the work that the ledger keeps. This work is not settled here.
  var isLeaving: Bool { leftAt != nil }

  /// Stops all starts, and leaves work to a later daemon.
  mutating func leave(at now: WallInstant) {
    phase = .draining
    leftAt = leftAt ?? now
  }

  /// Stops all starts. A later drain can only shorten the patience of an earlier drain.
  mutating func drain(_ patience: ElapsedTime?, at now: WallInstant) {
    phase = .draining
    if let patience { patienceEnd = min(patienceEnd ?? .max, now + max(.zero, patience)) }
  }

  /// Ends the engine, because the last run has ended.
  mutating func end() { phase = .ended }

  /// Moves the end of the patience by `length`, because the patience is a length of time and not a date.
  mutating func clockStepped(by length: ElapsedTime) {
    if let end = patienceEnd { patienceEnd = end + length }
  }
}
