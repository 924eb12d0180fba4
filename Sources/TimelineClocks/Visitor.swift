internal import Synchronization
internal import TimelineCore

/// A repeated sleeper of a clock, for example a timer; it leaves at the latest when it is released.
final class Visitor: Sendable {
  private let farewell = Mutex<(@Sendable () -> Void)?>(nil)

  deinit { leave() }

  /// Sets the action for when the visitor will not come back.
  func whenLeaving(_ action: @escaping @Sendable () -> Void) {
    farewell.withLock { $0 = action }
  }

  /// Takes leave for good.
  func leave() {
    farewell.withLock { farewell in
      defer { farewell = nil }
      return farewell
    }?()
  }
}

/// A clock that takes note of who comes back to it.
protocol VisitedClock: TimelineClock {
  /// Sleeps, as a visit of `visitor`.
  func sleep(until deadline: WallInstant, tolerance: Duration?, visitor: Visitor?) async throws
}
