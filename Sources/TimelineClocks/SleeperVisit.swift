internal import Synchronization
internal import TimelineCore

/// A repeated sleeper of a clock, for example a timer. It leaves at the latest when it is released.
final class SleeperVisit: Sendable {
  private let farewell = Mutex<(@Sendable () -> Void)?>(nil)

  deinit { leave() }

  /// Sets the action to be run when the visitor leaves.
  func whenLeaving(_ action: @escaping @Sendable () -> Void) {
    farewell.withLock { $0 = action }
  }

  /// Leaves for good, and runs the action.
  func leave() {
    farewell.withLock { farewell in
      defer { farewell = nil }
      return farewell
    }?()
  }
}

/// A clock that distinguishes repeated sleepers from single sleeps.
protocol SleepingClock: TimelineClock {
  /// Sleeps, as a visit of `visitor`.
  func sleep(until deadline: WallInstant, tolerance: Duration?, visitor: SleeperVisit?) async throws
}
