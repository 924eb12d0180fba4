/// A clock's part in the lane: while it lives the lane is open, and it can wait there for all to come to rest.
final class Settler: Sendable {
  private let maker: UInt64

  init() { maker = LaneMembers.addClock() }

  deinit { LaneMembers.removeClock(madeBy: maker) }

  /// Whether all tasks of the process are seen.
  var isExact: Bool { LaneMembers.isHooked }

  /// Counts the current task among those to wait for.
  func join() { LaneMembers.join() }

  /// Waits until no task has anything left to do.
  func settle() async {
    join()
    if isExact {
      await Lane.shared.rest()
    } else {
      for _ in 0..<TestingLimits.turnsWithoutHook { await Task.yield() }
    }
  }
}
