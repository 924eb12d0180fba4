import Synchronization
package import TimelineSystem

/// A monotonic clock that a test moves.
package final class ManualClock: Sendable {
  private let seconds = Mutex<Int64>(0)

  package init() {}

  package func turn(by count: Int64) { seconds.withLock { $0 += count } }

  package var now: MonotonicInstant {
    MonotonicInstant(nanosecondsSinceBoot: seconds.withLock { $0 } * 1_000_000_000)
  }
}
