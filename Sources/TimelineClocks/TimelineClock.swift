public import TimelineCore

/// A clock whose instants are points on the wall clock.
///
/// Swift's `Clock` has an instant type of its own for every clock, so that instants of two clocks cannot be
/// mixed up. A timeline wants the opposite: the same entry, `2027-03-14T07:00:00Z`, must mean the same whether
/// the clock that leads up to it is the system's, one that runs sixty times as fast, or one that a test moves by
/// hand. All clocks of this package conform, and code that takes one of them is written once:
///
/// ```swift
/// func ring(at instant: WallInstant, clock: some TimelineClock) async throws {
///   try await clock.sleep(until: instant)
///   print("Ding!")
/// }
/// ```
///
/// Four laws hold on every conforming clock, and a suite checks them:
/// - `now` never goes back. (The system's clock is excused when somebody sets it.)
/// - A sleep is never too short: when it returns, `now` is at its deadline or later.
/// - A sleep until now or until the past returns at once. (A test clock waits for its next advance when the
///   deadline is exactly now.)
/// - A sleep throws `CancellationError` and nothing else, at once when its task is canceled, and even when its
///   deadline has passed if the task was canceled before.
public protocol TimelineClock: Clock where Instant == WallInstant, Duration == Swift.Duration {}

extension TimelineClock {
  /// Sleeps until `deadline`, with the default tolerance of the clock.
  ///
  /// - Throws: what the clock throws, which is `CancellationError` on every clock of this package.
  public func sleep(until deadline: WallInstant) async throws {
    try await sleep(until: deadline, tolerance: nil)
  }
}
