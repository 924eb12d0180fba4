public import TimelineCore

/// The error for a task that still sleeps on a test clock; thrown by `checkSuspension()`.
public struct SuspensionError: Error, Hashable, CustomStringConvertible {
  /// The number of sleepers.
  public let count: Int
  /// The earliest deadline of the sleepers.
  public let earliestDeadline: WallInstant
  /// The time of the clock.
  public let now: WallInstant

  /// Makes the error for `count` sleepers; the first would wake at `earliestDeadline`.
  public init(count: Int, earliestDeadline: WallInstant, now: WallInstant) {
    self.count = count
    self.earliestDeadline = earliestDeadline
    self.now = now
  }

  /// One sentence: the number of sleepers, their first deadline, and the remedy.
  public var description: String {
    "\(count) \(count == 1 ? "sleep is" : "sleeps are") still suspended on the test clock, the earliest for another "
      + "\(now.duration(to: earliestDeadline)): advance the clock far enough, or cancel the task."
  }
}
