import TimelineCore

/// Life of the engine: it starts runs, then it drains, and in the end it is done.
struct Lifecycle: Sendable, Hashable {
  private enum Phase: Sendable, Hashable {
    case running, draining, ended
  }

  private var phase = Phase.running
  /// Instant at which the engine began to leave; entries that fall due from then on are the next daemon's.
  private(set) var leftAt: WallInstant?
  /// Instant at which runs that outlive a drain are asked to stop; `nil` for never.
  private(set) var patienceEnd: WallInstant?

  /// Whether runs are started.
  var isRunning: Bool { phase == .running }
  /// Whether the last run to end is awaited.
  var isDraining: Bool { phase == .draining }
  /// Whether the last run has ended: no event has an effect any more.
  var hasEnded: Bool { phase == .ended }
  /// Whether a later daemon takes up what the ledger keeps, so that nothing of that is settled.
  var isLeaving: Bool { leftAt != nil }

  /// Starts nothing any more, for the sake of a later daemon.
  mutating func leave(at now: WallInstant) {
    phase = .draining
    leftAt = leftAt ?? now
  }

  /// Starts nothing any more; a later drain can only shorten the patience of an earlier one.
  mutating func drain(_ patience: ElapsedTime?, at now: WallInstant) {
    phase = .draining
    if let patience { patienceEnd = min(patienceEnd ?? .max, now + max(.zero, patience)) }
  }

  /// Ends, because the last run has.
  mutating func end() { phase = .ended }

  /// Moves the end of the patience, which is a length of time and not a date.
  mutating func clockStepped(by length: ElapsedTime) {
    if let end = patienceEnd { patienceEnd = end + length }
  }
}
