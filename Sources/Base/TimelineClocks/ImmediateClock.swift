internal import Synchronization
public import TimelineCore

/// A clock that never waits.
///
/// A sleep returns at once, and the clock stands at its deadline afterwards. Use it for a preview, a demonstration or a test of
/// *what* happens, independent of *when*.
///
/// For example, a greeter waits for five seconds before it answers:
///
/// ```swift
/// struct Greeter {
///   let clock: any Clock<Duration>
///
///   func greet() async throws -> String {
///     try await clock.sleep(for: .seconds(5))
///     return "Welcome!"
///   }
/// }
/// ```
///
/// A program passes a `ContinuousClock` and waits. A test that checks only the text passes this clock, and does not wait:
///
/// ```swift
/// @Test func greets() async throws {
///   let greeter = Greeter(clock: ImmediateClock())
///   #expect(try await greeter.greet() == "Welcome!")
/// }
/// ```
///
/// The clock starts at the epoch by default and moves to every deadline that lies ahead. It never goes back: a sleep until the
/// past does not change it. After each sleep the other tasks get a turn, so that an endless loop of sleeps can be canceled;
/// nothing else depends on that turn.
///
/// The generic parameter exists for signatures: `ImmediateClock<Duration>`. `Swift.Duration` is the only argument.
public final class ImmediateClock<Duration: DurationProtocol & Hashable>: Sendable {
  /// A point on the wall clock.
  public typealias Instant = WallInstant

  private let present: Mutex<WallInstant>

  /// Makes a clock that stands at `now`.
  public init(now: WallInstant = WallInstant()) where Duration == Swift.Duration {
    self.present = Mutex(now)
  }
}

extension ImmediateClock: Clock, TimelineClock where Duration == Swift.Duration {
  /// The latest deadline of any sleep, or the instant with which the clock was made.
  public var now: WallInstant { present.withLock { $0 } }

  /// One nanosecond, the resolution of an instant.
  public var minimumResolution: Duration { .nanoseconds(1) }

  /// Moves the clock to `deadline`, unless it is there or later already, and returns.
  ///
  /// - Throws: `CancellationError` if the task is canceled. The clock is not moved in this case.
  public func sleep(until deadline: WallInstant, tolerance: Duration? = nil) async throws {
    try Task.checkCancellation()
    present.withLock { $0 = max($0, deadline) }
    await Task.yield()
  }
}

extension Clock where Self == ImmediateClock<Swift.Duration> {
  /// A new clock that never waits and starts at the epoch.
  public static var immediate: Self { ImmediateClock() }
}
