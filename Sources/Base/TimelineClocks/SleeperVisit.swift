internal import Synchronization
internal import TimelineCore

/// The registration of a repeated sleeper, for example a timer, with a clock. The registration ends at the latest
/// when this object is released.
final class SleeperVisit: Sendable {
  private let farewell = Mutex<(@Sendable () -> Void)?>(nil)

  deinit { leave() }

  /// Sets the action to be run when the registration ends.
  func whenLeaving(_ action: @escaping @Sendable () -> Void) {
    farewell.withLock { $0 = action }
  }

  /// Ends the registration, and runs the action.
  func leave() {
    farewell.withLock { farewell in
      defer { farewell = nil }
      return farewell
    }?()
  }
}

/// A clock that distinguishes repeated sleepers from single sleeps.
protocol SleepingClock: TimelineClock {
  /// Sleeps as the repeated sleeper `visitor`; `nil` for a single sleep.
  func sleep(until deadline: WallInstant, tolerance: Duration?, visitor: SleeperVisit?) async throws
}
