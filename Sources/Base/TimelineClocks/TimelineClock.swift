public import TimelineCore

/// A clock whose instants are points on the wall clock.
///
/// Swift's `Clock` has an instant type of its own for every clock, so that instants of two clocks cannot be mixed up. A
/// timeline needs the opposite: an entry, for example `2027-03-14T07:00:00Z`, must mean the same on the system's clock, on one
/// that runs sixty times as fast, and on one that a test moves by hand. All clocks of this package conform, so code for any of
/// them is written once:
///
/// ```swift
/// func ring(at instant: WallInstant, clock: some TimelineClock) async throws {
///   try await clock.sleep(until: instant)
///   print("Ding!")
/// }
/// ```
///
/// Four laws hold on every conforming clock, and a suite checks them:
/// - `now` never goes back. (The system's clock is exempt when it is set.)
/// - A sleep is never too short: when it returns, `now` is at its deadline or later.
/// - A sleep until now or until the past returns at once. (A test clock waits for its next advance when the
///   deadline is exactly now.)
/// - A sleep throws `CancellationError` and nothing else. It throws at once when its task is canceled, and even after its
///   deadline if the task was canceled before.
public protocol TimelineClock: Clock where Instant == WallInstant, Duration == Swift.Duration {}

extension TimelineClock {
  /// Sleeps until `deadline`, with the default tolerance of the clock.
  ///
  /// - Throws: The errors of the clock. Each clock of this package throws only `CancellationError`.
  public func sleep(until deadline: WallInstant) async throws {
    try await sleep(until: deadline, tolerance: nil)
  }
}
