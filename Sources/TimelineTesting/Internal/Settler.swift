internal import Synchronization

/// A clock's part in the lane: while it lives the lane is open, and it can wait there for all to come to rest.
final class Settler: Sendable {
  private let registration = LaneMembers.addClock()
  /// The families of the tasks that have touched the clock.
  private let families: Mutex<Set<UInt64>>

  init() {
    families = Mutex(registration.family.map { [$0] } ?? [])
  }

  deinit { LaneMembers.removeClock(madeBy: registration.maker) }

  /// Whether everything that tasks of the clock's tests have done until now could be known.
  var isExact: Bool { registration.seesAllJobs && !LaneMembers.haveStrayed(families.withLock { $0 }) }

  /// Counts the current task among those to wait for.
  func join() {
    guard let family = LaneMembers.join() else { return }
    _ = families.withLock { $0.insert(family) }
  }

  /// Waits until no task of the clock's tests has anything left to do.
  func settle() async {
    join()
    if registration.seesAllJobs {
      await Lane.shared.rest(families.withLock { $0 })
    } else {
      for _ in 0..<TestingLimits.turnsWithoutExecutors { await Task.yield() }
    }
  }
}
